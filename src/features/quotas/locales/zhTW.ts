// Quotas's sentences in Traditional Chinese.
import type { enUS } from './enUS.ts';

export const zhTW = {
  'quotas.subscription_not_found': '找不到這項訂閱。',
  'quotas.notice_warning': '「{{service}}」用量已達配額的 {{percent}}%（{{used}}／{{limit}} {{unit}}）。',
  'quotas.notice_critical': '「{{service}}」用量已達配額的 {{percent}}%（{{used}}／{{limit}} {{unit}}），即將用完。',
  'quotas.title': '配額狀態',
  'quotas.lead': '達 {{warning}}% 為警告；達 {{critical}}% 或預計在重新計算前用完為嚴重。',
  'quotas.filter': '依狀態篩選',
  'quotas.meter': '{{service}}的配額',
  'quotas.amounts': '{{used}}／{{limit}}',
  'quotas.runs_out': '以目前速度，預計 {{day}} 用完',
  'quotas.status_Critical': '嚴重',
  'quotas.status_Warning': '警告',
  'quotas.status_Normal': '正常',
  'quotas.none_in_state': '沒有這種狀態的配額。',
  'quotas.unlimited': '此帳號沒有配額限制',
  'quotas.unlimited_hint': '您訂閱的服務都可不限量使用。',
  'quotas.type_hard': '用完後停止服務。',
  'quotas.type_soft': '超過後仍可使用，並繼續計費。',
  'quotas.resets': '{{date}} 重新計算',
  'quotas.used_up': '配額已用完',
} as const satisfies Record<keyof typeof enUS, string>;
