// Billing's decisions: what a month of an organization costs, line by line, and what changed.
import { decimal, decimalText, divide, roundToInteger, zero, type Decimal } from '#kernel/decimal.ts';
import { money, moneyDecimal, roundToMoney, subtractMoney, sumMoney, type Currency, type Money } from '#kernel/money.ts';
import { must } from '#kernel/must.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { dayOf, daysInMonth, daysOfMonth, monthPeriod } from '#kernel/time.ts';
import type { PriceStep, Pricing } from '#features/catalogue/contract.ts';
import { maximumCut, minimumTopUp, mustAddUp, singleUnitPrice, usagePrice } from '#features/catalogue/rules.ts';
import type { Bill, BillDetail, changeDirections, lineKinds } from './contract.ts';

/** The price of a subscription in a part of the month, and the quantity that was used in it. */
export type PricedPart = { readonly priceVersionId: string; readonly pricing: Pricing; readonly from: Date; readonly quantity: Decimal; readonly events: bigint };

/** One subscription in a month, with everything its lines are made of. */
export type BillableSubscription = {
  readonly subscriptionId: string;
  readonly serviceId: string;
  readonly serviceName: string;
  readonly unit: string;
  readonly startedAt: Date;
  readonly endsAt: Date | null;
  /** Moments at which it was paused (true) or went on (false), the oldest first. */
  readonly pauses: readonly { readonly at: Date; readonly paused: boolean }[];
  /** Parts of the month by price version, the oldest first; one where the price did not change. */
  readonly parts: readonly PricedPart[];
};

export type PlannedLine = {
  readonly kind: (typeof lineKinds)[number];
  readonly subscriptionId: string;
  readonly serviceId: string;
  readonly serviceName: string;
  readonly priceVersionId: string;
  readonly quantity: string;
  readonly unit: string;
  readonly unitPrice: string | null;
  readonly exact: Decimal;
  readonly amount: Money;
  readonly steps: readonly PriceStep[];
};
export type BillPlan = { readonly currency: Currency; readonly lines: readonly PlannedLine[]; readonly net: Money; readonly taxRate: string; readonly tax: Money; readonly total: Money };

// A prorated fee may have no end; 24 digits are far finer than any tie of a rounding to at most 3 digits,
// because the fee has 12 digits and a month 31 days at most.
const proratedDigits = 24;

/** The days of a month on which a subscription is served: the day of a change belongs to what it changed to (domain.md). */
export function servedDays(subscription: Pick<BillableSubscription, 'startedAt' | 'endsAt' | 'pauses'>, month: BillingMonth, zone: string): LocalDay[] {
  const { start, end } = monthPeriod(month, zone);
  const isWhole = subscription.startedAt <= start && (subscription.endsAt === null || subscription.endsAt >= end) && subscription.pauses.length === 0;
  if (isWhole) return daysOfMonth(month);
  const firstDay = dayOf(subscription.startedAt, zone);
  const endDay = subscription.endsAt === null ? null : dayOf(subscription.endsAt, zone);
  const pauses = subscription.pauses.map((pause) => ({ day: dayOf(pause.at, zone), paused: pause.paused }));
  // Of several changes on a day the last one decides.
  return daysOfMonth(month).filter((day) => day >= firstDay && (endDay === null || day < endDay) && !(pauses.findLast((pause) => pause.day <= day)?.paused ?? false));
}

/** How many of the served days each part has: a part begins on the day of its change. */
function daysOfParts(parts: readonly PricedPart[], served: readonly LocalDay[], zone: string): number[] {
  if (parts.length === 1) return [served.length];
  const starts = parts.map((part, index) => (index === 0 ? '' : dayOf(part.from, zone)));
  return starts.map((start, index) => {
    const next = starts[index + 1];
    return served.filter((day) => day >= start && (next === undefined || day < next)).length;
  });
}

/** An order of texts that is the same on every machine: a bill's digest depends on the order of its lines. */
const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The lines of one subscription: base fee by days, usage exact, and what tops it up to its minimum. */
export function linesOf(subscription: BillableSubscription, month: BillingMonth, zone: string): PlannedLine[] {
  const served = servedDays(subscription, month, zone);
  const days = daysOfParts(subscription.parts, served, zone);
  const inMonth = daysInMonth(month);
  const share = (amount: Decimal, partDays: number): Decimal => (partDays === inMonth ? amount : divide(amount.times(decimal(BigInt(partDays))), decimal(BigInt(inMonth)), proratedDigits));
  return subscription.parts.flatMap((part, index) => {
    const { pricing } = part;
    const partDays = days[index] ?? 0;
    const line = (kind: PlannedLine['kind'], quantity: string, unit: string, unitPrice: string | null, exact: Decimal, steps: readonly PriceStep[]): PlannedLine => ({
      kind, subscriptionId: subscription.subscriptionId, serviceId: subscription.serviceId, serviceName: subscription.serviceName, priceVersionId: part.priceVersionId,
      quantity, unit, unitPrice, exact, amount: roundToMoney(exact, pricing.currency), steps,
    });
    const lines: PlannedLine[] = [];
    const baseFee = decimal(pricing.baseFee ?? '0');
    const base = share(baseFee, partDays);
    const dayShare = partDays === inMonth ? '1' : decimalText(divide(decimal(BigInt(partDays)), decimal(BigInt(inMonth)), 12));
    const fixed = (kind: 'base' | 'minimum' | 'maximum', amount: Decimal, whole: Decimal): PriceStep[] => [{ kind, from: null, upTo: null, quantity: dayShare, unitPrice: decimalText(whole), amount: decimalText(amount) }];
    if (!base.eq(zero)) lines.push(line('base_fee', dayShare, 'month', decimalText(baseFee), base, fixed('base', base, baseFee)));
    const usage = usagePrice(pricing, part.quantity);
    mustAddUp(usage);
    if (part.events > 0n && pricing.model !== 'flat') lines.push(line('usage', decimalText(part.quantity), subscription.unit, singleUnitPrice(pricing), usage.exact, usage.steps));
    const committed = decimal(pricing.minimum ?? '0');
    const topUp = minimumTopUp({ ...pricing, minimum: decimalText(share(committed, partDays)) }, base.plus(usage.exact));
    if (!topUp.eq(zero)) lines.push(line('minimum', '1', 'month', null, topUp, fixed('minimum', topUp, committed)));
    const most = decimal(pricing.maximum ?? '0');
    const cut = zero.minus(maximumCut({ ...pricing, ...(pricing.maximum !== undefined && { maximum: decimalText(share(most, partDays)) }) }, base.plus(usage.exact)));
    if (!cut.eq(zero)) lines.push(line('maximum', '1', 'month', null, cut, fixed('maximum', cut, most)));
    return lines;
  });
}

/**
 * The bills of an organization's month, one for each currency that has lines, in the order of the currency's code.
 * `taxRate` is in percent. Net is the sum of rounded lines; tax is computed once on it; total = net + tax (domain.md, "Money").
 */
export function planBills(subscriptions: readonly BillableSubscription[], month: BillingMonth, zone: string, taxRate: string): BillPlan[] {
  const byCurrency = Map.groupBy(subscriptions.flatMap((subscription) => linesOf(subscription, month, zone)), (line) => line.amount.currency);
  return [...byCurrency].toSorted(([a], [b]) => compareTexts(a, b)).map(([currency, lines]) => {
    const ordered = lines.toSorted((a, b) => compareTexts(a.serviceName, b.serviceName) || compareTexts(a.subscriptionId, b.subscriptionId));
    const net = sumMoney(ordered.map((line) => line.amount), currency);
    const tax = roundToMoney(moneyDecimal(net).times(decimal(taxRate)).times(decimal('0.01')), currency);
    const total = money(net.minor + tax.minor, currency);
    must(ordered.reduce((sum, line) => sum + line.amount.minor, 0n) === net.minor, 'lines add up to net');
    return { currency, lines: ordered, net, taxRate, tax, total };
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

