// Notifications's sentences in Traditional Chinese.
import type { enUS } from './enUS.ts';

export const zhTW = {
  'notifications.not_found': '找不到這則通知，可能已經刪除。',
} as const satisfies Record<keyof typeof enUS, string>;
