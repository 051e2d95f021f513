// The order of the columns, once: a column sees only columns to its left.

export const columns = [
  'identity',
  'signin',
  'federation',
  'notifications',
  'catalogue',
  'subscriptions',
  'usage',
  'rejections',
  'quotas',
  'billing',
  'planning',
  'payments',
  'licensing',
  'administration',
] as const;
