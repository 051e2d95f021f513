// Insights' sentences in English.

export const enUS = {
  'insights.hours_too_long': 'By hour, a range has at most {{days}} days.',
  'insights.subscription_not_found': 'There is no such subscription.',
  'insights.day_not_judged': 'This day has not come yet.',

  'insights.day': 'Day',
  'insights.csv_hour': 'Hour from (UTC)',
  'insights.group': 'Group',
  'insights.quantity': 'Usage',
  'insights.csv_unit': 'Unit',
  'insights.cost': 'Cost',
  'insights.csv_currency': 'Currency',
  'insights.group_none': 'None',
  'insights.group_untagged': 'Untagged',
  'insights.group_import': 'Import',
  'insights.group_other': 'Other values',
  'insights.group_unshared': 'Not shared out',
} as const;
