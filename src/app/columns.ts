// The order of the columns, once: a column sees only columns to its left.

export const columns = [
  'identity',
  'signin',
  'federation',
  'notifications',
  'catalogue',
  'subscriptions',
  'usage',
  'insights',
  'rejections',
  'quotas',
  'budgets',
  'billing',
  'planning',
  'payments',
  'licensing',
  'administration',
] as const;
