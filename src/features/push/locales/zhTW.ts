// Push's sentences in Traditional Chinese.
import type { enUS } from './enUS.ts';

export const zhTW = {
  'push.not_found': '找不到這個瀏覽器，可能已經移除。',
  'push.too_many': '最多可以登記 {{count}} 個瀏覽器。請先移除不再使用的。',
  'push.endpoint_refused': '這個推播位址無法使用：必須是公開網路上的 https 位址。請重新開啟推播。',
  'push.keys_wrong': '瀏覽器提供的金鑰無效。請關閉推播後重新開啟。',
} as const satisfies Record<keyof typeof enUS, string>;
