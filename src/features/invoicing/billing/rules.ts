// Rules of billing: the cost of an organization's month, line by line.
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths, eachMonth, monthOf, monthPeriod } from '#kernel/time.ts';
import { compareTexts } from '#kernel/order.ts';
import { linesOf, type BillableSubscription } from '#features/selling/subscriptions/rules.ts';
import type { Bill } from './contract.ts';
import { isTrueUpDue } from './rules-commitments.ts';
import type { PlannedBillLine } from './rules-late.ts';
import { assertSane } from './rules-sanity.ts';
import type { Taxation } from '#features/invoicing/taxes/rules.ts';
import { billWithTerms, noTerms, oneOffLine, type BillPlan, type Terms } from './rules-terms.ts';

export { chargedOfLines, interimLines, type InterimBill } from './rules-interim.ts';
export {
  atLeastGivenBack,
  bothDeferred,
  deferredParts,
  deferredSum,
  recognitionEntries,
  settlesDeferral,
  takenParts,
  withParts,
  type DeferredOf,
  type DeferredPart,
} from './rules-deferral.ts';
export { creditParts } from './rules-retail-credit.ts';
export { grossAmounts } from './rules-totals.ts';
export { grossOfLines, rowsOf } from './rules-taxes.ts';
export {
  noTerms,
  planInterimBill,
  planOneOffBill,
  sumOfKinds,
  takenOf,
  termsAfter,
  type AppliedTerms,
  type BillPlan,
  type TakenOf,
  type Terms,
} from './rules-terms.ts';

/**
 * Plans the bills of an organization's month, one for each currency that has lines, ordered by currency code.
 * `taxation`: how each line is taxed, or one rate in percent for all; `late` are the adjustments of earlier
 * months, which follow the month's lines; the lines of `terms` come last ({@link billWithTerms}). Net is the
 * sum of rounded lines; tax is computed once per rate; total = net + tax (domain.md, "Money").
 */
export function planBills(
  subscriptions: readonly BillableSubscription[],
  month: BillingMonth,
  zone: string,
  taxation: string | Taxation,
  late: readonly PlannedBillLine[] = [],
  terms: Terms = noTerms,
): BillPlan[] {
  // Also sorted by subscription, so that a subscription's lines stay together when its plan changed.
  const inOrder = subscriptions.toSorted(
    (a, b) => compareTexts(a.serviceName, b.serviceName) || compareTexts(a.subscriptionId, b.subscriptionId),
  );
  const ofMonth = inOrder.flatMap((subscription) =>
    linesOf(subscription, month, zone).map((line): PlannedBillLine => ({ ...line, forMonth: null })),
  );
  assertSane(ofMonth);
  const services = new Map(ofMonth.map((line) => [line.subscriptionId ?? '', serviceOf(line)]));
  const oneOffs = terms.oneOffs.map((oneOff) => oneOffLine(oneOff, services));
  const byCurrency = Map.groupBy([...ofMonth, ...late, ...oneOffs], (line) => line.amount.currency);
  // A minimum spend, a commitment's true-up and deductions for interim bills also apply in a month without
  // charges.
  const dueAnyway = [
    ...terms.minimumSpends.map(({ amount }) => amount.currency),
    ...terms.commitments.filter(isTrueUpDue).map((commitment) => commitment.currency),
    ...terms.interims.map((interim) => interim.currency),
  ];
  for (const currency of dueAnyway) if (!byCurrency.has(currency)) byCurrency.set(currency, []);
  return [...byCurrency]
    .toSorted(([a], [b]) => compareTexts(a, b))
    .map(([currency, lines]) => billWithTerms(currency, lines, terms, taxation));
}

const serviceOf = ({ subscriptionId, serviceId, serviceName }: PlannedBillLine) => ({
  subscriptionId,
  serviceId,
  serviceName,
});

/** The number of a bill: `B-YYYYMM-000001`, gapless in its series (domain.md, "Closing a month"). */
export function billNumber(series: string, sequence: number): string {
  return `${series}-${String(sequence).padStart(6, '0')}`;
}
/** The series of a month's bills. */
export function billSeries(month: BillingMonth): string {
  return `B-${month.replace('-', '')}`;
}

/** Whether a month is over in a time zone. */
export function isMonthOver(month: BillingMonth, zone: string, now: Date): boolean {
  return monthPeriod(month, zone).end <= now;
}

/** Returns the next time after `now` at which a month's grace period ends in a time zone. */
export function nextGraceEnd(now: Date, zone: string, graceMs: number): Date {
  const month = monthOf(new Date(now.getTime() - graceMs), zone);
  return new Date(monthPeriod(month, zone).end.getTime() + graceMs);
}

/**
 * How many months a console that was switched off closes automatically when it runs again; older months must
 * be closed by an Admin.
 */
export const maxMonthsTakenUp = 12;

/**
 * The months that the schedule closes: from the last closed one (which may be incomplete) to the last one
 * that has ended.
 */
export function monthsToClose(lastClosed: BillingMonth | null, last: BillingMonth): BillingMonth[] {
  const earliest = addMonths(last, 1 - maxMonthsTakenUp);
  const first = lastClosed === null ? last : lastClosed < earliest ? earliest : lastClosed;
  return eachMonth(first, last);
}

/** A bill's payment status as users see it. */
export function paymentStatus(
  bill: {
    state: Bill['state'];
    paidMinor: bigint;
    dueAt: Date;
    isProcessing: boolean;
    /** For a bill due in installments: whether one was missed. */
    isMissed?: boolean | undefined;
  },
  now: Date,
): Bill['paymentStatus'] {
  if (bill.state !== 'open') return bill.state;
  // While the bank transfers the money, the customer is not asked to pay again.
  if (bill.isProcessing) return 'processing';
  if (bill.isMissed ?? now > bill.dueAt) return 'overdue';
  return bill.paidMinor > 0n ? 'partially_paid' : 'unpaid';
}
