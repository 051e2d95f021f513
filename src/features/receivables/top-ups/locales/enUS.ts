// Texts of automatic top-ups in English.
export const enUS = {
  'topups.consent':
    'I agree that when my organization’s balance falls below {{threshold}}, {{brand}} charges {{amount}} to its default card to top up the balance, no more than {{cap}} in a calendar month, without me being present. I can turn this off at any time.',
  'topups.title': 'Auto top-up',
  'topups.is_on': 'On',
  'topups.is_off': 'Off',
  'topups.stopped_badge': 'Stopped',
  'topups.terms': 'When the balance falls below {{threshold}}, {{amount}} is charged to the default card.',
  'topups.used': '{{used}} of {{cap}} topped up this month',
  'topups.none': 'The balance isn’t topped up automatically.',
  'topups.needs_card': 'Add a card under Payment methods to turn on auto top-up.',
  'topups.under_way': 'Charging your card…',
  'topups.capped':
    'What’s left of this month’s limit is less than one top-up. The next one comes next month.',
  'topups.stopped_declined':
    'The card was declined, so auto top-up has stopped. Choose another default card or turn it on again.',
  'topups.stopped_confirm':
    'The bank asked for the cardholder’s confirmation, so auto top-up has stopped. Choose another default card, or top up yourself and turn it on again.',
  'topups.stopped_disputed':
    'The cardholder disputed an auto top-up, so auto top-up has stopped. Choose another default card or turn it on again.',
  'topups.stopped_refused':
    'The payment provider couldn’t process the charge, so auto top-up has stopped. Check the amounts and turn it on again, or contact us.',
  'topups.set_up': 'Set up auto top-up',
  'topups.change': 'Change auto top-up',
  'topups.currency': 'Currency',
  'topups.threshold': 'When the balance falls below',
  'topups.threshold_help':
    'If credit is bought with the balance automatically, don’t go below the amount of one purchase.',
  'topups.amount': 'Charge each time',
  'topups.monthly_cap': 'Monthly limit',
  'topups.monthly_cap_help': 'Auto top-ups in one calendar month never add up to more than this.',
  'topups.consents': 'I agree to the above',
  'topups.save_change': 'Save changes',
  'topups.save': 'Turn on auto top-up',
  'topups.end': 'Turn off',
  'topups.end_confirm': 'Turn off auto top-up',
  'topups.end_title': 'Turn off auto top-up?',
  'topups.end_text':
    'Your card is no longer charged when the balance is low. A charge under way is still finished.',
  'topups.saved': 'Auto top-up is on.',
  'topups.ended': 'Auto top-up is off.',
  'topups.amount_wrong': 'Enter an amount.',
  'topups.admin_lead': 'Customers whose balance is topped up from a card, and how much this month.',
  'topups.admin_none': 'No customer uses auto top-up yet.',
  'topups.admin_terms': 'Below {{threshold}}, tops up {{amount}}. This month {{used}} of {{cap}}.',
  'topups.admin_more': 'Showing {{shown}} of {{total}}.',
  'topups.admin_end_name': 'Turn off auto top-up for {{organization}} ({{currency}})',
  'topups.admin_end_title': 'Turn off auto top-up for {{organization}}?',
  'topups.admin_end_text':
    'Its card is no longer charged when the balance is low. Only the organization’s users can turn it on again.',
  'topups.notice_disputed':
    'The cardholder disputed an auto top-up of {{amount}} (card ending in {{last4}}), so auto top-up has stopped. Choose another default card or turn it on again.',
  'topups.notice_stopped':
    'The card ending in {{last4}} was declined for an auto top-up of {{amount}}, so auto top-up has stopped. Choose another default card or turn it on again.',
  'topups.notice_confirm':
    'The bank asked for the cardholder’s confirmation of an auto top-up of {{amount}} (card ending in {{last4}}), so auto top-up has stopped. Choose another default card, or top up yourself and turn it on again.',
  'topups.notice_capped':
    'Your balance is low, but auto top-up has reached this month’s limit of {{amount}}. Top up yourself or raise the limit.',
  'topups.not_offered': 'Cards can’t be charged right now. Top up another way.',
  'topups.no_card': 'Add a card before turning on auto top-up.',
  'topups.consent_needed': 'Agree before turning on auto top-up.',
  'topups.amount_not_positive': 'Enter an amount above zero.',
  'topups.other_currency': 'Use one currency for all amounts.',
  'topups.currency_not_charged': 'Cards can’t be charged in this currency. Choose another one.',
  'topups.amount_not_in_steps': 'Cards can be charged multiples of {{step}} only. Enter another amount.',
  'topups.cap_below_amount': 'Enter a monthly limit of at least one top-up.',
} as const;
