// Billing's sentences in English.
export const enUS = {
  'billing.bill_not_found': 'There is no such bill.',
  'billing.line_not_found': 'There is no such line on this bill.',
  'billing.month_not_over': 'This month is not over yet, so it cannot be closed.',
  'billing.already_paid': 'This bill is paid already.',
  'billing.bill_void': 'This bill is void.',
} as const;
