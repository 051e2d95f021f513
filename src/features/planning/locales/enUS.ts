// Planning's sentences in English.
export const enUS = {
  'planning.service_not_found': 'There is no such service.',
  'planning.subscription_not_found': 'There is no such subscription.',
  'planning.start_after_end': 'The first month must not be after the last one.',
  'planning.too_many_months': 'At most {{most}} months can be rehearsed at once.',
  'planning.month_not_over': 'Only months that are over can be rehearsed.',
  'planning.currency_differs': 'The price must be in {{currency}}, the currency of the service.',
  'planning.csv_organization': 'Organization',
  'planning.csv_organization_id': 'Organization id',
  'planning.csv_currency': 'Currency',
  'planning.csv_before': 'Before',
  'planning.csv_after': 'After',
  'planning.csv_difference': 'Difference',
  'planning.csv_percent': 'Difference %',
  'planning.csv_before_month': 'Before {{month}}',
  'planning.csv_after_month': 'After {{month}}',
} as const;
