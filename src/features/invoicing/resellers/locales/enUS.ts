// Resellers' texts in English.
export const enUS = {
  'resellers.not_found': 'This reseller does not exist.',
  'resellers.bill_not_found': 'There is no such bill.',
  'resellers.not_reseller': 'Your organization is not a reseller.',
  'resellers.organization_not_found': 'This organization no longer exists. Choose another one.',
  'resellers.organization_closed': 'This organization is closed. Choose an open one.',
  'resellers.organization_resold':
    'A reseller sells to this organization, so it cannot be one itself. End that first.',
  'resellers.reseller_not_found': 'This organization is not a reseller. Choose one from the list.',
  'resellers.stopped': '{{name}} takes no more customers. Choose another reseller, or let it sell again.',
  'resellers.is_reseller': 'This organization is a reseller itself. Choose another one.',
  'resellers.month_begun':
    'Prices of a month that has begun stay as they are. Choose {{month}} or a later month.',
  'resellers.service_not_found': 'This service no longer exists. Remove it from the list.',
  'resellers.service_twice': 'This service is in the list twice. Keep one of them.',
  'resellers.charge_no_amount': 'This charge has no single amount. Set a percentage for its service instead.',
  'resellers.paid_too_late': 'Choose today or an earlier day.',
  'resellers.sold_by_reseller': '{{seller}} bills your services. Ask {{seller}} about this.',
} as const;
