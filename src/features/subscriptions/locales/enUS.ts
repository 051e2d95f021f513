// Subscriptions's sentences in English.
export const enUS = {
  'subscriptions.not_found': 'There is no such subscription.',
  'subscriptions.service_not_available': 'This service cannot be subscribed to at the moment.',
  'subscriptions.already_subscribed': 'Your organization has subscribed to this service already.',
  'subscriptions.transition_refused': 'The subscription’s present state does not allow this. Reload and look again.',
  'subscriptions.start_in_future': 'The start may not lie in the future.',
  'subscriptions.organization_not_found': 'There is no such organization.',
} as const;
