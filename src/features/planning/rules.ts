// Planning's decisions: what was beside what would have been, added up; which months; which plan fits.
import { decimal, decimalText, divide, roundToInteger, zero, type Decimal } from '#kernel/decimal.ts';
import { money, type Currency } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths } from '#kernel/time.ts';
import type { PlannedLine, PricedPart } from '#features/billing/rules.ts';
import { mostMonths, type Counts, type Difference, type planningErrors } from './contract.ts';

/** What lines come to: exact, and as a bill says it, which rounds each line once. */
export type Cost = { readonly exact: Decimal; readonly minor: bigint };
export const noCost: Cost = { exact: zero, minor: 0n };

/** What lines of one currency come to. */
export function costOf(lines: readonly PlannedLine[]): Cost {
  return lines.reduce<Cost>((sum, line) => ({ exact: sum.exact.plus(line.exact), minor: sum.minor + line.amount.minor }), noCost);
}

const plus = (a: Cost, b: Cost): Cost => ({ exact: a.exact.plus(b.exact), minor: a.minor + b.minor });

export type Compared = { readonly before: Cost; readonly after: Cost };
const nothing: Compared = { before: noCost, after: noCost };
const together = (a: Compared, b: Compared): Compared => ({ before: plus(a.before, b.before), after: plus(a.after, b.after) });

/** The months of a rehearsal by customer and month. A customer's subscriptions add up. */
export type Customers = Map<string, Map<BillingMonth, Compared>>;

/** Adds one month of one subscription. */
export function addCompared(customers: Customers, organizationId: string, month: BillingMonth, compared: Compared): void {
  const months = customers.get(organizationId) ?? new Map<BillingMonth, Compared>();
  months.set(month, together(months.get(month) ?? nothing, compared));
  customers.set(organizationId, months);
}

/** What was and what would have been, with the difference in every form that a reader needs. */
export function differenceOf({ before, after }: Compared, currency: Currency): Difference {
  const minor = after.minor - before.minor;
  return {
    before: money(before.minor, currency), after: money(after.minor, currency), difference: money(minor, currency),
    exactBefore: decimalText(before.exact), exactAfter: decimalText(after.exact), exactDifference: decimalText(after.exact.minus(before.exact)),
    percent: before.minor > 0n ? Number(divide(decimal(minor).times('100'), decimal(before.minor), 1).toFixed()) : null,
  };
}

/** Who would have paid more, less or the same, by what bills would have said. */
export function countsOf(compared: readonly Compared[]): Counts {
  const more = compared.filter(({ before, after }) => after.minor > before.minor).length;
  const less = compared.filter(({ before, after }) => after.minor < before.minor).length;
  return { more, less, same: compared.length - more - less };
}

export type Customer = Compared & { readonly organizationId: string; readonly months: ReadonlyMap<BillingMonth, Compared> };
export type Summary = {
  /** The most affected first. */
  readonly customers: readonly Customer[];
  readonly counts: Counts;
  readonly total: Compared;
  readonly byMonth: readonly (Compared & { readonly month: BillingMonth; readonly counts: Counts })[];
};

const size = ({ before, after }: Compared): bigint => (after.minor < before.minor ? before.minor - after.minor : after.minor - before.minor);

/** Adds a rehearsal up: by customer, by month, and all of it. */
export function summaryOf(all: Customers, months: readonly BillingMonth[]): Summary {
  const customers = [...all].map(([organizationId, by]): Customer => ({ organizationId, months: by, ...[...by.values()].reduce(together, nothing) }));
  const byMonth = months.map((month) => {
    const inMonth = customers.flatMap((customer) => customer.months.get(month) ?? []);
    return { month, counts: countsOf(inMonth), ...inMonth.reduce(together, nothing) };
  });
  return {
    customers: customers.toSorted((a, b) => (size(a) > size(b) ? -1 : size(a) < size(b) ? 1 : a.organizationId < b.organizationId ? -1 : 1)),
    counts: countsOf(customers), total: byMonth.reduce<Compared>(together, nothing), byMonth,
  };
}

/** A stretch of a month that was priced in one way: by the list, whose price would have been another, or as it was agreed with this customer, which stays. */
export type Stretch = { readonly agreed: boolean; readonly parts: readonly PricedPart[] };

/** A month's parts, neighbours of the list price together: with the new price they would have been one. */
export function stretchesOf(parts: readonly PricedPart[], isAgreed: (part: PricedPart) => boolean): Stretch[] {
  const stretches: { agreed: boolean; parts: PricedPart[] }[] = [];
  for (const part of parts) {
    const agreed = isAgreed(part);
    const last = stretches.at(-1);
    if (last && !agreed && !last.agreed) last.parts.push(part);
    else stretches.push({ agreed, parts: [part] });
  }
  return stretches;
}

/** What is wrong with the months of a rehearsal; `lastOver` is the last one that is over anywhere. */
export function monthsMistake(from: BillingMonth, to: BillingMonth, lastOver: BillingMonth): (keyof typeof planningErrors & string) | undefined {
  if (from > to) return 'planning.start_after_end';
  if (to > lastOver) return 'planning.month_not_over';
  return monthsUntil(from, mostMonths).includes(to) ? undefined : 'planning.too_many_months';
}

/** `count` months from one on, the oldest first. */
export function monthsUntil(from: BillingMonth, count: number): BillingMonth[] {
  return Array.from({ length: count }, (_, index) => addMonths(from, index));
}

/** Every month from one to another, both included. */
export function monthsBetween(from: BillingMonth, to: BillingMonth): BillingMonth[] {
  return monthsUntil(from, mostMonths).filter((month) => month <= to);
}

/** The last `count` months before a running one, the newest first. */
export function monthsBefore(running: BillingMonth, count: number): BillingMonth[] {
  return Array.from({ length: count }, (_, index) => addMonths(running, -index - 1));
}

/** What a plan would have saved a month, on average over `months`, rounded as money is; nothing without a month. */
export function savingPerMonth(current: bigint, plan: bigint, months: number): bigint {
  return months === 0 ? 0n : roundToInteger(divide(decimal(current - plan), decimal(BigInt(months)), 12));
}

/** Usage of one month in one service. */
export type UsedMonth = { readonly month: BillingMonth; readonly quantity: Decimal; readonly serviceName: string };

/** One quantity a month, the newest first: what services measured in the same unit add up to. Months without usage say nothing. */
export function monthsOfUsage(used: readonly UsedMonth[]): UsedMonth[] {
  const byMonth = Map.groupBy(used, (each) => each.month);
  return [...byMonth].map(([month, list]) => ({ month, quantity: list.reduce((sum, each) => sum.plus(each.quantity), zero), serviceName: [...new Set(list.map((each) => each.serviceName))].join('、') }))
    .filter((each) => each.quantity.gt(zero)).toSorted((a, b) => (a.month < b.month ? 1 : -1));
}
