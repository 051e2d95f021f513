// External sign-in's sentences in English.
export const enUS = {
  'federation.callback_title': 'External sign-in',
  'federation.callback_lead': 'An identity provider sends people back to this page.',
  'federation.callback_failed': 'The sign-in could not be completed: this browser has no external sign-in under way, or the provider reported an error.',
  'federation.callback_details': 'Technical details',
  'federation.callback_again': 'Sign in again',
} as const;
