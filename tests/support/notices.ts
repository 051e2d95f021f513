// Notices as features send them.
import { samples } from '#features/messaging/notifications/rules-samples.ts';
import type { Notice } from '#features/messaging/notifications/server/index.ts';

/** That a bill is overdue. */
export const billNotice = (subject: string): Notice => ({
  kind: 'bill.overdue',
  type: 'payment',
  category: 'billing',
  subject,
  period: '',
  textKey: 'dunning.notice_overdue',
  params: { number: subject, amount: '5273', currency: 'TWD', date: '2026-10-01' },
  link: '/billing/management?month=2026-09',
});

/** That usage is unusual. */
export const usageNotice = (subject: string): Notice => ({
  ...samples['usage.unusual'],
  kind: 'usage.unusual',
  type: 'warning',
  category: 'usage',
  subject,
  period: '',
});
