// Gateways's texts in Traditional Chinese.
import type { enUS } from './enUS.ts';

export const zhTW = {
  'gateways.signature_wrong': '簽章遺漏或不正確。',
  'gateways.too_old': '簽章時間與目前時間相差超過 5 分鐘。',
  'gateways.event_unreadable': '事件內容不完整。',
  'gateways.no_answer': '金流服務沒有回應，請稍後再試。',
} as const satisfies Record<keyof typeof enUS, string>;
