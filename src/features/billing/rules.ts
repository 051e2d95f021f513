// Billing's decisions: what a month of an organization costs, line by line, and what changed.
import { decimal, divide, roundToInteger } from '#kernel/decimal.ts';
import { money, moneyDecimal, roundToMoney, subtractMoney, sumMoney, type Currency, type Money } from '#kernel/money.ts';
import { must } from '#kernel/must.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { monthPeriod } from '#kernel/time.ts';
import { linesOf, type BillableSubscription } from '#features/subscriptions/rules.ts';
import type { Bill, BillDetail, changeDirections } from './contract.ts';
import type { PlannedBillLine } from './rules-late.ts';

export type BillPlan = { readonly currency: Currency; readonly lines: readonly PlannedBillLine[]; readonly net: Money; readonly taxRate: string; readonly tax: Money; readonly total: Money };

/** An order of texts that is the same on every machine: a bill's digest depends on the order of its lines. */
const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The bills of an organization's month, one for each currency that has lines, in the order of the currency's code.
 * `taxRate` is in percent; `late` are the adjustments of earlier months, which stand last. Net is the sum of rounded lines; tax is computed once on it; total = net + tax (domain.md, "Money").
 */
export function planBills(subscriptions: readonly BillableSubscription[], month: BillingMonth, zone: string, taxRate: string, late: readonly PlannedBillLine[] = []): BillPlan[] {
  // A subscription's lines stay together, whatever its plans were called.
  const inOrder = subscriptions.toSorted((a, b) => compareTexts(a.serviceName, b.serviceName) || compareTexts(a.subscriptionId, b.subscriptionId));
  const ofMonth = inOrder.flatMap((subscription) => linesOf(subscription, month, zone).map((line): PlannedBillLine => ({ ...line, forMonth: null })));
  const byCurrency = Map.groupBy([...ofMonth, ...late], (line) => line.amount.currency);
  return [...byCurrency].toSorted(([a], [b]) => compareTexts(a, b)).map(([currency, lines]) => {
    const net = sumMoney(lines.map((line) => line.amount), currency);
    const tax = roundToMoney(moneyDecimal(net).times(decimal(taxRate)).times(decimal('0.01')), currency);
    const total = money(net.minor + tax.minor, currency);
    must(lines.reduce((sum, line) => sum + line.amount.minor, 0n) === net.minor, 'lines add up to net');
    return { currency, lines, net, taxRate, tax, total };
  });
}

/**
 * The lines' amounts with their part of the tax, for a buyer who cannot claim it back (domain.md, "Money").
 * The tax was rounded once on all of them, so the parts are cut from it: they add up to it to the last unit.
 */
export function grossAmounts(net: readonly Money[], tax: Money): Money[] {
  const whole = sumMoney(net, tax.currency).minor;
  let netSoFar = 0n;
  let taxSoFar = 0n;
  return net.map((amount) => {
    netSoFar += amount.minor;
    // Without a net amount there is no tax to cut up.
    const taxUpToHere = whole === 0n ? 0n : roundToInteger(divide(decimal(tax.minor * netSoFar), decimal(whole), 0));
    const part = taxUpToHere - taxSoFar;
    taxSoFar = taxUpToHere;
    return money(amount.minor + part, tax.currency);
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

/** What a reader sees as the payment status of a bill. */
export function paymentStatus(bill: { state: Bill['state']; paidMinor: bigint; dueAt: Date }, now: Date): Bill['paymentStatus'] {
  if (bill.state !== 'open') return bill.state;
  if (now > bill.dueAt) return 'overdue';
  return bill.paidMinor > 0n ? 'partially_paid' : 'unpaid';
}

type Charged = { readonly serviceName: string; readonly amount: Money };
const mostMovers = 3;

/** What changed against the month before, and the services that moved it most (by absolute difference). */
export function changeBetween(current: { total: Money; lines: readonly Charged[] }, previous: { total: Money; lines: readonly Charged[] }): NonNullable<BillDetail['change']> {
  const { currency } = current.total;
  const difference = subtractMoney(current.total, previous.total);
  const sums = new Map<string, bigint>();
  for (const line of current.lines) sums.set(line.serviceName, (sums.get(line.serviceName) ?? 0n) + line.amount.minor);
  for (const line of previous.lines) sums.set(line.serviceName, (sums.get(line.serviceName) ?? 0n) - line.amount.minor);
  const size = (minor: bigint): bigint => (minor < 0n ? -minor : minor);
  const movers = [...sums].filter(([, minor]) => minor !== 0n).toSorted((a, b) => (size(a[1]) > size(b[1]) ? -1 : size(a[1]) < size(b[1]) ? 1 : compareTexts(a[0], b[0])));
  const direction: (typeof changeDirections)[number] = difference.minor > 0n ? 'increase' : difference.minor < 0n ? 'decrease' : 'flat';
  const percent = previous.total.minor > 0n ? Number(divide(decimal(difference.minor).times('100'), decimal(previous.total.minor), 1).toFixed()) : null;
  return { previousTotal: previous.total, difference, percent, direction, movers: movers.slice(0, mostMovers).map(([serviceName, minor]) => ({ serviceName, difference: money(minor, currency) })) };
}

