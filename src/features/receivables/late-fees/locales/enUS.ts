// Texts of late fees in English.

export const enUS = {
  // Errors
  'latefees.not_found': 'This late fee doesn’t exist.',
  'latefees.waived_already': 'This late fee was already waived.',
  'latefees.currency_twice': 'Each currency can be set once. Choose another one or remove this row.',
  'latefees.one_way': 'Enter either a yearly percentage or a fixed amount per reminder.',
  'latefees.percent_wrong': 'Enter a percentage above 0 and up to 100, with at most {{digits}} decimals.',
  'latefees.grace_wrong': 'Enter 0 to 90 days of grace.',
  'latefees.other_currency': 'The amounts must be in the currency of the row.',
  'latefees.amount_wrong': 'Enter a valid amount: a fixed amount above 0, a minimum of 0 or more.',
  'latefees.cap_wrong': 'The limit must be above 0 and not below the minimum. Leave it empty for no limit.',

  // Notifications
  'latefees.notice_charged':
    'Bill {{number}} is overdue. A late fee of {{amount}} will be on your next bill.',
  'latefees.notice_waived': 'The late fee of {{amount}} for bill {{number}} was waived and won’t be billed.',
  'latefees.ahead_percent': 'From {{date}} on, what is unpaid is charged {{percent}}% a year, by day.',
  'latefees.ahead_fixed': 'After the due date each reminder adds {{amount}}.',

  // On bills
  'latefees.line': 'Late fee for bill {{number}}, {{from}} to {{until}}: {{arithmetic}}',
  'latefees.line_step': 'Late fee for bill {{number}}: reminder {{elapsed}} days after the due date',
  'latefees.arithmetic': '{{late}} × {{percent}}% ÷ 365',
  'latefees.arithmetic_part_one': '{{late}} × {{count}} day',
  'latefees.arithmetic_part': '{{late}} × {{count}} days',
  'latefees.arithmetic_step': 'Fixed amount for the reminder {{elapsed}} days after the due date',
  'latefees.bill_void': 'The bill was voided',

  // Words
  'latefees.state_pending': 'Not billed yet',
  'latefees.state_billed': 'Billed',
  'latefees.state_waived': 'Waived',
  'latefees.state_credited': 'Credited',

  // A bill
  'latefees.title': 'Late fees',
  'latefees.bill_percent':
    'From {{date}} on, what is overdue is charged {{percent}}% a year by day, once a month.',
  'latefees.bill_fixed': 'From {{date}} on, each reminder adds {{amount}}.',
  'latefees.bill_cap': 'At most {{amount}} for this bill.',
  'latefees.running': 'Not charged yet, through yesterday: {{amount}}.',
  'latefees.charged_on': 'Charged {{date}}',
  'latefees.days_one': '{{from}}: {{late}} × {{count}} day',
  'latefees.days': '{{from}} to {{until}}: {{late}} × {{count}} days',
  'latefees.step': 'Reminder {{elapsed}} days after the due date',
  'latefees.on_bill': 'On bill {{number}}',
  'latefees.on_next': 'On the next bill',
  'latefees.waive': 'Waive',
  'latefees.waive_of': 'Waive the late fee of {{amount}}',
  'latefees.waive_confirm': 'Waive late fee',
  'latefees.waive_title': 'Waive the late fee of {{amount}}?',
  'latefees.waive_pending':
    'It isn’t billed yet. It won’t be on the next bill, and the customer is notified.',
  'latefees.waive_billed':
    'It is on bill {{number}}. A credit note is issued for it, and the customer is notified.',
  'latefees.waive_reason': 'Reason',
  'latefees.waived': 'Late fee waived.',

  // Settings
  'latefees.lead':
    'Charged for bills that are paid late, on the customer’s next bill. Issued bills never change. Changes apply to bills that are issued from then on.',
  'latefees.on': 'On',
  'latefees.off': 'Off',
  'latefees.since': 'Set by {{by}}, {{date}}',
  'latefees.grace': 'Days of grace',
  'latefees.grace_help': 'These days after the due date cost nothing.',
  'latefees.tax': 'Tax',
  'latefees.tax_standard': 'Like other charges',
  'latefees.tax_exempt': 'Exempt',
  'latefees.tax_help_stated': 'Late fees are often outside of VAT. Ask your tax adviser.',
  'latefees.tax_help_plain':
    'Everything is taxed at one rate. Set the seller’s country in Taxes to exempt late fees.',
  'latefees.row': 'Late fees in {{currency}}',
  'latefees.currency': 'Currency',
  'latefees.way': 'Method',
  'latefees.way_percent': 'Percent a year',
  'latefees.way_fixed': 'Fixed per reminder',
  'latefees.percent': 'Percent a year',
  'latefees.fixed': 'Amount',
  'latefees.minimum': 'Minimum',
  'latefees.cap': 'Limit (optional)',
  'latefees.row_help':
    'The limit is for each bill. Nothing is charged until the fee of a bill reaches the minimum. A year has 365 days. Fixed amounts are charged while dunning is on.',
  'latefees.row_add': 'Add currency',
  'latefees.row_remove': 'Remove {{currency}}',
  'latefees.save': 'Save and turn on',
  'latefees.save_on': 'Save changes',
  'latefees.switch_off': 'Turn off',
  'latefees.switch_off_title': 'Turn late fees off?',
  'latefees.switch_off_text':
    'From today on no bill is charged anymore. Late fees that are not billed yet stay on the next bill; waive them one by one if needed.',
  'latefees.saved': 'Late fees saved.',
  'latefees.switched_off': 'Late fees are off.',
} as const;
