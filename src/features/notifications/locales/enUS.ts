// Notifications's sentences in English.
export const enUS = {
  'notifications.not_found': 'There is no such notification. It may have been deleted.',
} as const;
