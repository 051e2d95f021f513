// Texts of one-off charges and of the minimum monthly spend in English.
export const enUS = {
  // Errors
  'oneoffs.not_found': 'This one-off charge doesn’t exist.',
  'oneoffs.organization_not_found': 'This organization doesn’t exist. Choose another.',
  'oneoffs.subscription_not_found':
    'The organization has no such subscription. Choose one of its own, or none.',
  'oneoffs.organization_closed': '“{{organization}}” is closed and cannot be billed. Reopen it first.',
  'oneoffs.quantity_wrong':
    'Enter a quantity greater than zero, with at most {{quantityDigits}} decimal places.',
  'oneoffs.price_wrong': 'Enter a price greater than zero, with at most {{priceDigits}} decimal places.',
  'oneoffs.amount_zero': 'The amount rounds to zero. Raise the price or the quantity.',
  'oneoffs.amount_too_large':
    'The amount is too large. Lower the price or the quantity, or split it into several charges.',
  'oneoffs.day_out_of_range': 'Choose a day between a year ago and five years from now.',
  'oneoffs.own_bill_later':
    'A separate bill is issued right away. Choose {{today}} or an earlier day, or add it to the next bill.',
  'oneoffs.threshold_negative': 'Enter an amount of zero or more.',
  'oneoffs.own_approval': 'You created this, so another administrator has to approve it: {{admins}}.',
  'oneoffs.between_names': ', ',
  'oneoffs.no_other_admin':
    'You created this, so another administrator has to approve it. There is no other active administrator; add one in user management first.',
  'oneoffs.own_rejection': 'You created this. Withdraw it instead.',
  'oneoffs.not_awaiting': 'This is no longer awaiting approval. Reload the page.',
  'oneoffs.billed': 'This is on bill {{number}}. To correct it, credit or void that bill.',
  'oneoffs.over': 'This was rejected or withdrawn and cannot be changed.',
  'oneoffs.minimum_not_found': 'This minimum spend doesn’t exist.',
  'oneoffs.minimum_not_positive': 'Enter an amount greater than zero.',
  'oneoffs.month_over': 'Earlier months may be billed already. Choose {{month}} or later.',
  'oneoffs.month_order': 'The last month cannot be before the first. Choose {{month}} or later.',
  'oneoffs.minimum_overlaps':
    'There is a minimum spend in {{currency}} from {{from}} to {{to}}. Choose other months, or end that one first.',
  'oneoffs.minimum_overlaps_open':
    'There is a minimum spend in {{currency}} from {{from}} on, without an end. End that one first, then start with the month after.',
  'oneoffs.ends_earlier': 'This minimum spend ends with {{month}}. It can only end earlier.',

  // Notifications
  'oneoffs.notice_awaiting_approval':
    'The one-off charge “{{name}}” ({{amount}}) for “{{organization}}”, created by {{by}}, is awaiting approval.',
  'oneoffs.notice_approved':
    '{{by}} approved the one-off charge “{{name}}” ({{amount}}) for “{{organization}}”.',
  'oneoffs.notice_rejected':
    '{{by}} rejected the one-off charge “{{name}}” ({{amount}}) for “{{organization}}”: {{reason}}',
  'oneoffs.notice_withdrawn':
    '{{by}} withdrew the one-off charge “{{name}}” ({{amount}}) for “{{organization}}”. {{reason}}',

  // Words
  'oneoffs.kind_charge': 'Charge',
  'oneoffs.kind_credit': 'Credit',
  'oneoffs.billing_next_bill': 'On the next bill',
  'oneoffs.billing_own_bill': 'On a separate bill',
  'oneoffs.state_awaiting_approval': 'Awaiting approval',
  'oneoffs.state_approved': 'To be billed',
  'oneoffs.state_billed': 'Billed',
  'oneoffs.state_rejected': 'Rejected',
  'oneoffs.state_withdrawn': 'Withdrawn',

  // The list as a file
  'oneoffs.column_createdAt': 'Created at',
  'oneoffs.column_organization': 'Organization',
  'oneoffs.column_name': 'Name',
  'oneoffs.column_kind': 'Kind',
  'oneoffs.column_state': 'Status',
  'oneoffs.column_quantity': 'Quantity',
  'oneoffs.column_unitPrice': 'Unit price',
  'oneoffs.column_amount': 'Amount before tax',
  'oneoffs.column_currency': 'Currency',
  'oneoffs.column_chargeOn': 'Charge date',
  'oneoffs.column_billing': 'Billing',
  'oneoffs.column_service': 'Service',
  'oneoffs.column_billNumber': 'Bill number',
  'oneoffs.column_createdBy': 'Created by',
  'oneoffs.column_approvedBy': 'Approved by',
  'oneoffs.column_note': 'Internal note',
  'oneoffs.column_id': 'ID',

  // The Admin's screen
  'oneoffs.title': 'One-off charges',
  'oneoffs.lead':
    'Charge or credit an organization once, on its next bill or on a separate bill, and set a minimum monthly spend.',
  'oneoffs.new': 'Create one-off charge',
  'oneoffs.list': 'All one-off charges',
  'oneoffs.search': 'Search name, organization or bill',
  'oneoffs.state': 'Status',
  'oneoffs.currency': 'Currency',
  'oneoffs.awaiting': 'Awaiting approval',
  'oneoffs.awaiting_count': 'Awaiting approval ({{total}})',
  'oneoffs.awaiting_option': 'Awaiting approval ({{count}})',
  'oneoffs.awaiting_lead': 'Billed once an administrator other than the one who created it approves it.',
  'oneoffs.awaiting_more': 'The first {{shown}} of {{total}}; the rest is in the list below.',
  'oneoffs.own_waits': 'Waiting for another administrator',
  'oneoffs.own_waits_hint': 'You created this, so another administrator has to approve it.',
  'oneoffs.empty': 'No one-off charges yet',
  'oneoffs.empty_hint':
    'Create charges that are billed once, such as setup fees, on-site work or goodwill credits.',
  'oneoffs.open': 'Open',
  'oneoffs.approve': 'Approve',
  'oneoffs.approve_charge': 'Approve charge',
  'oneoffs.reject': 'Reject',
  'oneoffs.reject_charge': 'Reject charge',
  'oneoffs.withdraw': 'Withdraw',
  'oneoffs.withdraw_charge': 'Withdraw charge',
  'oneoffs.approve_of': 'Approve {{name}} ({{amount}})',
  'oneoffs.reject_of': 'Reject {{name}} ({{amount}})',
  'oneoffs.withdraw_of': 'Withdraw {{name}} ({{amount}})',
  'oneoffs.export': 'Export',
  'oneoffs.export_xlsx': 'Excel',
  'oneoffs.export_xlsx_hint': 'Opens in a spreadsheet',
  'oneoffs.export_csv': 'CSV',
  'oneoffs.export_csv_hint': 'For other systems',

  // One of them
  'oneoffs.detail': 'One-off charge',
  'oneoffs.other_name': 'Chinese name',
  'oneoffs.calculation': 'Calculation',
  'oneoffs.calculated': '{{quantity}} × {{price}}',
  'oneoffs.history': 'History',
  'oneoffs.step_created': 'Created',
  'oneoffs.step_approved': 'Approved',
  'oneoffs.step_rejected': 'Rejected',
  'oneoffs.step_withdrawn': 'Withdrawn',
  'oneoffs.step_billed': 'Billed on {{number}}',
  'oneoffs.step_released': 'Bill {{number}} was voided; to be billed again',
  'oneoffs.by_console': 'System',

  // Decisions
  'oneoffs.approve_ask': 'Approve “{{name}}” ({{amount}})?',
  'oneoffs.approve_amount': 'Approve {{amount}}',
  'oneoffs.approve_next_bill': 'It’s added to the next bill. You can withdraw it until then.',
  'oneoffs.approve_own_bill': 'A separate bill is issued right away.',
  'oneoffs.approved_done': '“{{name}}” ({{amount}}) was approved.',
  'oneoffs.reject_ask': 'Reject “{{name}}” ({{amount}})?',
  'oneoffs.reject_amount': 'Reject {{amount}}',
  'oneoffs.reject_reason_help': 'The administrator who created it sees this.',
  'oneoffs.rejected_done': '“{{name}}” ({{amount}}) was rejected.',
  'oneoffs.withdraw_ask': 'Withdraw “{{name}}” ({{amount}})?',
  'oneoffs.withdraw_amount': 'Withdraw {{amount}}',
  'oneoffs.withdraw_help': 'It’s never billed, and this can’t be undone. A reason is optional.',
  'oneoffs.withdrawn_done': '“{{name}}” ({{amount}}) was withdrawn.',
  'oneoffs.reason': 'Reason',

  // A new one
  'oneoffs.subscription': 'Subscription',
  'oneoffs.subscription_first': 'Choose an organization first.',
  'oneoffs.subscription_help': 'Shown with its service on the bill.',
  'oneoffs.no_subscription': 'None',
  'oneoffs.name_zhTW': 'Chinese name',
  'oneoffs.name_enUS': 'English name',
  'oneoffs.name_help': 'Printed on the bill.',
  'oneoffs.price_help': 'Before tax',
  'oneoffs.day_help': 'In the organization’s time zone; today if empty.',
  'oneoffs.note_help': 'Only administrators see it.',
  'oneoffs.outcome': 'Outcome',
  'oneoffs.on_next_bill':
    'Added to the bill for the month of the charge date or, if that month is already billed, to the next bill.',
  'oneoffs.on_own_bill': 'A separate bill is issued right away, or once it’s approved.',
  'oneoffs.credit_hint':
    'A credit lowers the bill. If it takes the whole bill below zero, the difference goes to the organization’s balance.',
  'oneoffs.awaits':
    'Above {{amount}} or in another currency: another administrator has to approve it before it is billed.',
  'oneoffs.awaits_nobody':
    'Above {{amount}} or in another currency: another administrator has to approve it. There is no other active administrator.',
  'oneoffs.make_charge': 'Create charge',
  'oneoffs.make_credit': 'Create credit',
  'oneoffs.made': '“{{name}}” was created.',
  'oneoffs.made_awaiting': '“{{name}}” was created and is awaiting another administrator’s approval.',

  // The approval's setting
  'oneoffs.approval': 'Approval by a second administrator',
  'oneoffs.approval_lead':
    'Larger amounts are billed only once a second administrator approves. Changes apply to charges created from now on.',
  'oneoffs.approval_on': 'Require approval by a second administrator',
  'oneoffs.approval_above': 'For amounts above',
  'oneoffs.approval_help': 'Credits count by their amount. Other currencies always need approval.',
  'oneoffs.approval_alone':
    'There is no other active administrator, so nobody could approve. Add another administrator first.',
  'oneoffs.approval_save': 'Save setting',
  'oneoffs.approval_saved': 'The approval setting was saved.',

  // The minimum monthly spend
  'oneoffs.minimums': 'Minimum monthly spend',
  'oneoffs.minimums_lead': 'If a month costs less before tax, its bill adds the difference.',
  'oneoffs.minimums_search': 'Search organization',
  'oneoffs.minimums_empty': 'No minimum spends yet',
  'oneoffs.minimums_empty_hint': 'Set one when you’ve agreed on a monthly minimum with an organization.',
  'oneoffs.minimum_new': 'Set minimum spend',
  'oneoffs.minimum_make': 'Set minimum',
  'oneoffs.minimum_made': 'The minimum monthly spend of “{{organization}}” is {{amount}}.',
  'oneoffs.minimum_amount': 'Minimum per month',
  'oneoffs.minimum_amount_help': 'Before tax',
  'oneoffs.minimum_hint':
    'It can start with the organization’s current month or later, because earlier months may be billed already. To change an amount, end it and set a new one.',
  'oneoffs.minimum_show': 'View',
  'oneoffs.minimum_by': 'Set by',
  'oneoffs.minimum_added': 'Added to bills',
  'oneoffs.minimum_months': 'Added by month, before tax',
  'oneoffs.minimum_months_none': 'No bill has charged a difference yet.',
  'oneoffs.minimum_credited': '{{amount}} credited',
  'oneoffs.minimum_state_upcoming': 'Upcoming',
  'oneoffs.minimum_state_running': 'Active',
  'oneoffs.minimum_state_ended': 'Ended',
  'oneoffs.minimum_state_cancelled': 'Canceled',
  'oneoffs.from_month': 'First month',
  'oneoffs.to_month': 'Last month',
  'oneoffs.no_end': 'No end',
  'oneoffs.minimum_end': 'End minimum spend',
  'oneoffs.minimum_end_title': 'End the minimum spend of “{{organization}}”',
  'oneoffs.minimum_end_hint': 'It doesn’t apply to later months.',
  'oneoffs.last_month': 'Last month it applies to',
  'oneoffs.minimum_cancel': 'Cancel (doesn’t apply from {{month}} on)',
  'oneoffs.minimum_cancel_hint': 'It won’t apply to any month.',
  'oneoffs.minimum_ended': 'The last month of the minimum spend of “{{organization}}” was set.',

  // For customers
  'oneoffs.upcoming': 'Upcoming one-off charges',
  'oneoffs.upcoming_lead': 'Before tax, and not on an issued bill yet.',
  'oneoffs.comes_in': 'On the bill for {{month}} or the next one',
  'oneoffs.comes_on_own_bill': 'On a separate bill',
  'oneoffs.own_minimum': 'The minimum monthly spend is {{amount}} before tax. Bills add any shortfall.',
  'oneoffs.own_minimum_until':
    'Until {{month}} the minimum monthly spend is {{amount}} before tax. Bills add any shortfall.',
} as const;
