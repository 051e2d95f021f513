// Billing's sentences in Traditional Chinese.
import type { enUS } from './enUS.ts';

export const zhTW = {
  'billing.bill_not_found': '找不到這張帳單。',
  'billing.line_not_found': '這張帳單沒有這個項目。',
  'billing.month_not_over': '這個月份尚未結束，無法結帳。',
  'billing.already_paid': '這張帳單已經付清。',
  'billing.bill_void': '這張帳單已經作廢。',
} as const satisfies Record<keyof typeof enUS, string>;
