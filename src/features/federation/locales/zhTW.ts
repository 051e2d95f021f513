// External sign-in's sentences in Traditional Chinese.
import type { enUS } from './enUS.ts';

export const zhTW = {
  'federation.callback_title': '外部登入',
  'federation.callback_lead': '這是身分提供者登入後返回的頁面。',
  'federation.callback_failed': '無法完成登入：這個瀏覽器沒有進行中的外部登入，或身分提供者回報錯誤。',
  'federation.callback_details': '技術細節',
  'federation.callback_again': '重新登入',
} as const satisfies Record<keyof typeof enUS, string>;
