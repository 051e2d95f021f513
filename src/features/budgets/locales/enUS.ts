// Budgets' sentences in English.
export const enUS = {
  'budgets.not_found': 'There is no such budget.',
  'budgets.too_many': 'There are {{most}} budgets already; delete one first.',
  'budgets.service_not_subscribed': 'Choose a service you are subscribed to.',
  'budgets.other_currency': 'The amount must be in {{currency}}.',
  'budgets.amount_not_positive': 'The amount must be greater than zero.',
  'budgets.notice_actual': 'Budget “{{name}}”: this month has cost {{amount}}, which is {{percent}}% of the budget of {{limit}} {{currency}}.',
  'budgets.notice_forecast': 'Budget “{{name}}”: this month is expected to cost {{amount}}, which is {{percent}}% of the budget of {{limit}} {{currency}}.',
} as const;
