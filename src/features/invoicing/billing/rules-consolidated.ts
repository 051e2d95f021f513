// Rules of consolidated bills: when one is issued, its number, and its status derived from its bills.
import type { BillingMonth } from '#kernel/shape.ts';
import { hourMs } from '#kernel/durations.ts';
import type { Bill } from './contract.ts';

/**
 * How long a consolidated bill waits for missing bills, counted from the first one: longer than the spread of
 * month ends across time zones.
 */
export const waitsForMs = 48 * hourMs;

/**
 * Whether bills that are not on a consolidated bill yet are put on one now: once the month is closed for
 * everything the organization pays for, or once the first of them has waited long enough for those that
 * cannot be billed. Later bills go on a supplement.
 */
export const isTimeToConsolidate = (
  { isComplete, firstIssuedAt }: { readonly isComplete: boolean; readonly firstIssuedAt: Date },
  now: Date,
): boolean => isComplete || now.getTime() - firstIssuedAt.getTime() >= waitsForMs;

/** The series of a month's consolidated bills, with numbers `CB-YYYYMM-000001`, gapless. */
export const consolidatedSeries = (month: BillingMonth): string => `CB-${month.replace('-', '')}`;

/**
 * The status of a consolidated bill: open while one of its bills is open, void if all are. If they differ,
 * the status that needs the most attention from the customer wins: overdue before processing before partially
 * paid.
 */
export function consolidatedStanding(bills: readonly Pick<Bill, 'state' | 'paymentStatus'>[]): {
  state: Bill['state'];
  paymentStatus: Bill['paymentStatus'];
} {
  const standing = bills.filter(({ state }) => state !== 'void');
  if (standing.length === 0) return { state: 'void', paymentStatus: 'void' };
  const open = standing.filter(({ state }) => state === 'open');
  if (open.length === 0) return { state: 'paid', paymentStatus: 'paid' };
  const has = (status: Bill['paymentStatus']): boolean =>
    open.some(({ paymentStatus }) => paymentStatus === status);
  const paymentStatus = has('overdue')
    ? 'overdue'
    : has('processing')
      ? 'processing'
      : has('partially_paid') || open.length < standing.length
        ? 'partially_paid'
        : 'unpaid';
  return { state: 'open', paymentStatus };
}
