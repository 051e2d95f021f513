// Texts of credit limits in English.

export const enUS = {
  // Errors
  'creditlimits.reached':
    'Credit limit reached: {{used}} outstanding, with a limit of {{limit}}. Pay bills or top up the balance, then try again. Running services aren’t affected.',
  'creditlimits.seller_refuses':
    'Nothing new can be started at the moment. Ask {{seller}}. Running services aren’t affected.',
  'creditlimits.payer_reached':
    'The organization that pays for yours has reached its credit limit. Ask it to pay its bills or top up, then try again. Running services aren’t affected.',
  'creditlimits.not_found': 'This limit no longer exists. Reload the page.',
  'creditlimits.organization_not_found': 'This organization doesn’t exist. Choose another one.',
  'creditlimits.not_positive': 'Enter an amount above 0.',
  'creditlimits.other_currency': 'Enter an amount in {{currency}}.',
  'creditlimits.needs_amount': 'Enter an amount. To stop limiting all organizations, remove the limit.',

  // Notifications
  'creditlimits.notice_near':
    '{{amount}} outstanding is 80% of your {{limit}} credit limit. Once it’s reached, you can’t add subscriptions.',
  'creditlimits.notice_reached':
    '{{amount}} outstanding has reached your {{limit}} credit limit. You can’t add or upgrade subscriptions for now. Running services aren’t affected.',
  'creditlimits.notice_customer':
    '{{name}} has reached its credit limit of {{limit}}, with {{amount}} outstanding.',
  'creditlimits.notice_kept_paused':
    '{{service}} stays paused: resuming it would exceed your credit limit of {{limit}}. Pay bills or top up the balance, then resume it.',
  'creditlimits.notice_kept_paused_payer':
    '{{service}} stays paused: the organization that pays for yours has reached its credit limit. Ask it to pay its bills or top up, then resume it.',
  'creditlimits.notice_kept_paused_seller':
    '{{service}} stays paused and can’t be resumed at the moment. Ask {{seller}}.',
  'creditlimits.notice_kept_paused_customer':
    '{{service}} of {{name}} stays paused: resuming it would exceed {{owing}}’s credit limit of {{limit}}.',

  // A customer's credit
  'creditlimits.title': 'Credit limit',
  'creditlimits.meter': 'Used share of the credit limit ({{currency}})',
  'creditlimits.used_none': 'Nothing used of {{limit}}',
  'creditlimits.used_of': '{{used}} of {{limit}} used',
  'creditlimits.unpaid': 'Unpaid bills',
  'creditlimits.unbilled': 'Not billed yet, with tax',
  'creditlimits.balance': 'Less balance',
  'creditlimits.parts': 'How it is calculated',
  'creditlimits.parts_in': 'How it is calculated in {{currency}}',
  'creditlimits.left': 'Still available',
  'creditlimits.for_all': 'Limit for all organizations',
  'creditlimits.level_within': 'Within limit',
  'creditlimits.level_near': 'Near credit limit',
  'creditlimits.level_reached': 'At credit limit',
  'creditlimits.banner_near': 'Your credit limit is almost reached',
  'creditlimits.banner_reached': 'Credit limit reached',
  'creditlimits.banner_near_what':
    '{{used}} outstanding of {{limit}}, {{left}} still available. Once the limit is reached, you can’t add or upgrade subscriptions.',
  'creditlimits.banner_reached_what':
    '{{used}} outstanding, with a limit of {{limit}}. Pay bills or top up to add or upgrade subscriptions. Running services aren’t affected.',
  'creditlimits.banner_pay': 'Pay or top up',

  // Admins
  'creditlimits.none': 'This organization has no credit limit.',
  'creditlimits.list_title': 'Credit limits',
  'creditlimits.list_lead':
    'When unpaid bills and what isn’t billed yet (with tax), less the balance, reach the limit, nothing new can be subscribed to, added or upgraded. Running services aren’t affected.',
  'creditlimits.search': 'Search organizations',
  'creditlimits.set': 'Set credit limit',
  'creditlimits.edit': 'Change credit limit',
  'creditlimits.edit_of': 'Change the credit limit for {{name}}',
  'creditlimits.remove': 'Remove credit limit',
  'creditlimits.removed': 'Credit limit removed',
  'creditlimits.saved': 'Credit limit saved',
  'creditlimits.save': 'Save credit limit',
  'creditlimits.for': 'Applies to',
  'creditlimits.everyone': 'All organizations',
  'creditlimits.one': 'One organization',
  'creditlimits.organization': 'Organization',
  'creditlimits.rule': 'Rule',
  'creditlimits.up_to_amount': 'Up to an amount',
  'creditlimits.never': 'No limit',
  'creditlimits.never_help': 'The limit for all organizations does not apply to this one.',
  'creditlimits.currency': 'Currency',
  'creditlimits.amount': 'Limit (with tax)',
  'creditlimits.amount_help': 'The most that may be outstanding.',
  'creditlimits.set_at': 'Set',
  'creditlimits.set_by': 'Set by',
  'creditlimits.empty': 'No limits yet',
  'creditlimits.empty_hint': 'Without a limit, new subscriptions don’t depend on what is outstanding.',
  'creditlimits.remove_title': 'Remove the credit limit for {{name}}?',
  'creditlimits.remove_text':
    'This takes effect at once. If there is a limit for all organizations, it applies instead.',
} as const;
