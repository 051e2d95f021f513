// Administration's sentences in English.
export const enUS = {
  'administration.already_initialized': 'The console is set up already. Please sign in.',
  'administration.setup_token_wrong': 'The set-up token is wrong. Use the set-up address that the server printed at start.',
  'administration.import_not_found': 'There is no such import.',
  'administration.import_empty': 'The file has no rows.',
  'administration.import_columns_missing': 'The file lacks these columns: {{columns}}.',
  'administration.import_not_csv': 'The CSV file could not be read: {{reason}}',
  'administration.import_finished': 'This import has ended already.',
  'administration.demo_missing': 'This installation has no demo data.',
  'administration.time_zone_unknown': 'There is no such time zone. Use a name like Asia/Taipei.',
  'administration.thresholds_crossed': 'The warning threshold must be below the critical one.',
  'administration.row_no_usage': 'No usage (a credit or an adjustment), so it is not metered.',
  'administration.row_no_price': 'It carries no list price or SKU, so it cannot be priced.',
  'administration.row_no_quantity': 'It carries no usable pricing quantity.',
  'administration.row_no_account': 'It names no sub-account, so it belongs to no organization.',
  'administration.row_currency_unknown': 'Its currency is not supported.',
  'administration.row_time_invalid': 'The times of its charge period are malformed.',
} as const;
