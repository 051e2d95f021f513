// The order of the columns, written down once: a column sees only those before it. Plain data, read by tools too.

/** From left to right. */
export const columns = [
  'identity',
  'notifications',
  'catalogue',
  'subscriptions',
  'usage',
  'quotas',
  'billing',
  'payments',
  'licensing',
  'administration',
] as const;
