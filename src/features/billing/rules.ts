// Billing's decisions: what a month of an organization costs, line by line, and what changed.
import { decimal, decimalText, divide, roundToInteger, zero, type Decimal } from '#kernel/decimal.ts';
import { money, moneyDecimal, roundToMoney, subtractMoney, sumMoney, type Currency, type Money } from '#kernel/money.ts';
import { must } from '#kernel/must.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { monthPeriod } from '#kernel/time.ts';
import type { PriceStep } from '#features/catalogue/contract.ts';
import { maximumCut, minimumTopUp, mustAddUp, singleUnitPrice, usagePrice } from '#features/catalogue/rules.ts';
import { feeLines, servedOf, shareOf, type MonthPart, type PlanOf, type Timeline } from '#features/subscriptions/rules.ts';
import type { Bill, BillDetail, changeDirections, lineKinds } from './contract.ts';

/** A part of the month with one plan and one price, and what was used in it. */
export type UsedPart = MonthPart & { readonly unit: string; readonly quantity: Decimal; readonly events: bigint };

/** One subscription in a month, with everything its lines are made of. */
export type BillableSubscription = {
  readonly subscriptionId: string;
  /** The plan by whose name the bill is sorted. */
  readonly serviceName: string;
  /** Plans, pauses, trial and end: what base fees are made of. */
  readonly timeline: Timeline;
  readonly planOf: PlanOf;
  /** Parts of the month by plan and price, the oldest first; one where neither changed. */
  readonly parts: readonly UsedPart[];
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

/** An order of texts that is the same on every machine: a bill's digest depends on the order of its lines. */
const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The lines of one subscription: base fees by what was served, usage exact, and what tops it up to its minimum or cuts it at its maximum. */
export function linesOf(subscription: BillableSubscription, month: BillingMonth, zone: string): PlannedLine[] {
  const { subscriptionId, timeline, planOf } = subscription;
  const fees = feeLines(timeline, planOf, month, zone).map((fee): PlannedLine => ({ ...fee, subscriptionId }));
  return [...fees, ...subscription.parts.flatMap((part) => usageLines(subscription, part, month, zone))];
}

/** The lines of a part's usage, and of the limits of what its fee and usage cost together. On a trial's days nothing is charged. */
function usageLines({ subscriptionId, timeline }: BillableSubscription, part: UsedPart, month: BillingMonth, zone: string): PlannedLine[] {
  if (part.isTrial) return [];
  const { price: { id: priceVersionId, pricing }, stretch: { plan, phase } } = part;
  const line = (kind: PlannedLine['kind'], quantity: string, lineUnit: string, unitPrice: string | null, exact: Decimal, steps: readonly PriceStep[]): PlannedLine => ({
    kind, subscriptionId, serviceId: plan.id, serviceName: plan.name, priceVersionId, quantity, unit: lineUnit, unitPrice, exact, amount: roundToMoney(exact, pricing.currency), steps,
  });
  const hasLimits = pricing.minimum !== undefined || pricing.maximum !== undefined;
  const hasAllowance = 'included' in pricing && pricing.included !== undefined;
  // A level that nobody reported anew goes on: used, without an event.
  const isUsed = pricing.model !== 'flat' && (part.events > 0n || !part.quantity.eq(zero));
  if (!hasLimits && !hasAllowance && !isUsed) return [];
  const { ofMonth, ofFee } = servedOf(timeline, part, month, zone);
  // What a month includes is shared out like its fee; its twelve digits are those of any quantity.
  const shared = hasAllowance ? { ...pricing, included: decimalText(divide(decimal(pricing.included ?? '0').times(decimal(BigInt(ofMonth.part))), decimal(BigInt(ofMonth.whole)), 12)) } : pricing;
  const usage = usagePrice(shared, part.quantity);
  mustAddUp(usage);
  const lines: PlannedLine[] = [];
  if (isUsed) lines.push(line('usage', decimalText(part.quantity), part.unit, singleUnitPrice(pricing), usage.exact, usage.steps));
  if (!hasLimits) return lines;
  const charged = shareOf(decimal(pricing.baseFee ?? '0').times(decimal(phase.quantity)), ofFee).plus(usage.exact);
  const dayShare = ofMonth.part === ofMonth.whole ? '1' : decimalText(divide(decimal(BigInt(ofMonth.part)), decimal(BigInt(ofMonth.whole)), 12));
  const limit = (kind: 'minimum' | 'maximum', amount: Decimal, whole: string): PlannedLine => line(kind, '1', 'month', null, amount, [{ kind, from: null, upTo: null, quantity: dayShare, unitPrice: decimalText(decimal(whole)), amount: decimalText(amount) }]);
  const of = (whole: string): string => decimalText(shareOf(decimal(whole), ofMonth));
  const topUp = minimumTopUp({ ...pricing, minimum: of(pricing.minimum ?? '0') }, charged);
  if (!topUp.eq(zero)) lines.push(limit('minimum', topUp, pricing.minimum ?? '0'));
  const cut = pricing.maximum === undefined ? zero : zero.minus(maximumCut({ ...pricing, maximum: of(pricing.maximum) }, charged));
  if (!cut.eq(zero)) lines.push(limit('maximum', cut, pricing.maximum ?? '0'));
  return lines;
}

/**
 * The bills of an organization's month, one for each currency that has lines, in the order of the currency's code.
 * `taxRate` is in percent. Net is the sum of rounded lines; tax is computed once on it; total = net + tax (domain.md, "Money").
 */
export function planBills(subscriptions: readonly BillableSubscription[], month: BillingMonth, zone: string, taxRate: string): BillPlan[] {
  // A subscription's lines stay together, whatever its plans were called.
  const inOrder = subscriptions.toSorted((a, b) => compareTexts(a.serviceName, b.serviceName) || compareTexts(a.subscriptionId, b.subscriptionId));
  const byCurrency = Map.groupBy(inOrder.flatMap((subscription) => linesOf(subscription, month, zone)), (line) => line.amount.currency);
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

