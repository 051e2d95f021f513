// Payments's sentences in English.
export const enUS = {
  'payments.balance_too_low': 'The balance is too low. Top it up first.',
  'payments.amount_not_positive': 'The amount must be more than 0.',
  'payments.amount_above_due': 'The amount may not be more than what is due.',
  'payments.currency_differs': 'The currency must be the bill’s.',
  'payments.not_found': 'There is no such payment.',
  'payments.not_pending': 'This payment has been dealt with already.',
  'payments.notice_bill_issued': 'The bill {{number}} for {{month}} was issued: {{currency}} {{amount}} in total.',
  'payments.notice_bill_paid': 'The bill {{number}} is paid ({{currency}} {{amount}}).',
  'payments.notice_pending': '{{organization}} announced a transfer of {{currency}} {{amount}}. It waits for your confirmation.',
  'payments.notice_arrived': 'Your top-up of {{currency}} {{amount}} has arrived.',
  'payments.notice_rejected': 'Your top-up of {{currency}} {{amount}} was not confirmed: {{reason}}',
} as const;
