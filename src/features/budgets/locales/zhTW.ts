// Budgets' sentences in Traditional Chinese.
import type { enUS } from './enUS.ts';

export const zhTW = {
  'budgets.not_found': '找不到這項預算。',
  'budgets.too_many': '已有 {{most}} 項預算，請先刪除其中一項。',
  'budgets.service_not_subscribed': '請選擇已訂閱的服務。',
  'budgets.other_currency': '金額須以 {{currency}} 計。',
  'budgets.amount_not_positive': '金額必須大於零。',
  'budgets.notice_actual': '預算「{{name}}」：本月費用 {{amount}}，已達預算 {{limit}} {{currency}} 的 {{percent}}%。',
  'budgets.notice_forecast': '預算「{{name}}」：本月預計費用 {{amount}}，將達預算 {{limit}} {{currency}} 的 {{percent}}%。',
} as const satisfies Record<keyof typeof enUS, string>;
