// Rules of billing: the cost of an organization's month, line by line.
import type { Currency, Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths, monthPeriod } from '#kernel/time.ts';
import { linesOf, type BillableSubscription } from '#features/selling/subscriptions/rules.ts';
import type { Bill } from './contract.ts';
import type { PlannedBillLine } from './rules-late.ts';
import { assertSane } from './rules-sanity.ts';
import { chargesOf } from './rules-totals.ts';

export { grossAmounts } from './rules-totals.ts';

export type BillPlan = {
  readonly currency: Currency;
  readonly lines: readonly PlannedBillLine[];
  readonly net: Money;
  readonly taxRate: string;
  readonly tax: Money;
  readonly total: Money;
};

/** An order of texts that is the same on every machine: a bill's digest depends on the order of its lines. */
const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The bills of an organization's month, one for each currency that has lines, ordered by currency code.
 * `taxRate` is in percent; `late` are the adjustments of earlier months, which come last. Net is the sum of
 * rounded lines; tax is computed once on it; total = net + tax (domain.md, "Money").
 */
export function planBills(
  subscriptions: readonly BillableSubscription[],
  month: BillingMonth,
  zone: string,
  taxRate: string,
  late: readonly PlannedBillLine[] = [],
): BillPlan[] {
  // Sorted by subscription too, so that a subscription's lines are not separated when its plan changed.
  const inOrder = subscriptions.toSorted(
    (a, b) => compareTexts(a.serviceName, b.serviceName) || compareTexts(a.subscriptionId, b.subscriptionId),
  );
  const ofMonth = inOrder.flatMap((subscription) =>
    linesOf(subscription, month, zone).map((line): PlannedBillLine => ({ ...line, forMonth: null })),
  );
  assertSane(ofMonth);
  const byCurrency = Map.groupBy([...ofMonth, ...late], (line) => line.amount.currency);
  return [...byCurrency]
    .toSorted(([a], [b]) => compareTexts(a, b))
    .map(([currency, lines]) => {
      const { subtotal: net, taxTotal: tax, total } = chargesOf({ currency, lines, taxRate });
      return { currency, lines, net, taxRate, tax, total };
    });
}

/** The number of a bill: `B-YYYYMM-000001`, gapless in its series (domain.md, "Closing a month"). */
export function billNumber(series: string, sequence: number): string {
  return `${series}-${String(sequence).padStart(6, '0')}`;
}
/** The series of a month's bills. */
export function billSeries(month: BillingMonth): string {
  return `B-${month.replace('-', '')}`;
}

/** Whether a month is over in a zone. */
export function isMonthOver(month: BillingMonth, zone: string, now: Date): boolean {
  return monthPeriod(month, zone).end <= now;
}

/**
 * How many months back a console that was switched off closes by itself; an older month must be closed by an
 * Admin.
 */
export const maxMonthsTakenUp = 12;

/**
 * The months that the schedule closes: from the last closed one (which may be incomplete) to the last month
 * that is over.
 */
export function monthsToClose(lastClosed: BillingMonth | null, last: BillingMonth): BillingMonth[] {
  const earliest = addMonths(last, 1 - maxMonthsTakenUp);
  const first = lastClosed === null ? last : lastClosed < earliest ? earliest : lastClosed;
  const months: BillingMonth[] = [];
  for (let month = first; month <= last; month = addMonths(month, 1)) months.push(month);
  return months;
}

/** A bill's payment status as users see it. */
export function paymentStatus(
  bill: { state: Bill['state']; paidMinor: bigint; dueAt: Date; isProcessing: boolean },
  now: Date,
): Bill['paymentStatus'] {
  if (bill.state !== 'open') return bill.state;
  // While the bank is transferring the money, the customer is not asked to pay again.
  if (bill.isProcessing) return 'processing';
  if (now > bill.dueAt) return 'overdue';
  return bill.paidMinor > 0n ? 'partially_paid' : 'unpaid';
}
