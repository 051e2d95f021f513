// Rules of consolidated bills: when one is made, its number, and how it stands by its bills.
import type { BillingMonth } from '#kernel/shape.ts';
import type { Bill } from './contract.ts';

/** How long one waits for bills that are still missing, from the first one on: longer than a month ends at different times on earth. */
export const waitsForMs = 48 * 3_600_000;

/**
 * Whether the bills that are not on a consolidated bill yet are put on one now: when the month is closed for all that the organization
 * pays for, or when the first of them waited long enough for those that cannot be billed. What comes later is on a supplement.
 */
export const isTimeToConsolidate = (
  { isComplete, firstIssuedAt }: { readonly isComplete: boolean; readonly firstIssuedAt: Date },
  now: Date,
): boolean => isComplete || now.getTime() - firstIssuedAt.getTime() >= waitsForMs;

/** The series of a month's consolidated bills, and a number of it: `CB-YYYYMM-000001`, without gaps. */
export const consolidatedSeries = (month: BillingMonth): string => `CB-${month.replace('-', '')}`;

/**
 * How a consolidated bill stands: open while one of its bills is open, void when all of them are. What one of them says weighs by what a
 * customer has to do: overdue before on its way, that before paid in part.
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
