// Payments's sentences in Traditional Chinese.
import type { enUS } from './enUS.ts';

export const zhTW = {
  'payments.balance_too_low': '餘額不足，請先儲值。',
  'payments.amount_not_positive': '金額必須大於 0。',
  'payments.amount_above_due': '金額不可超過應付金額。',
  'payments.currency_differs': '幣別必須與帳單相同。',
  'payments.not_found': '找不到這筆付款。',
  'payments.not_pending': '這筆付款已經處理過。',
  'payments.notice_bill_issued': '{{month}} 的帳單 {{number}} 已產生，總額 {{currency}} {{amount}}。',
  'payments.notice_bill_paid': '帳單 {{number}} 已付清（{{currency}} {{amount}}）。',
  'payments.notice_pending': '{{organization}} 通知匯款 {{currency}} {{amount}}，等待確認入帳。',
  'payments.notice_arrived': '儲值 {{currency}} {{amount}} 已入帳。',
  'payments.notice_rejected': '儲值 {{currency}} {{amount}} 未能確認：{{reason}}',
} as const satisfies Record<keyof typeof enUS, string>;
