// Rules of planning: sums of actual and hypothetical costs, allowed months, and which plan fits.
import {
  decimal,
  decimalText,
  divide,
  roundToInteger,
  sumDecimals,
  zero,
  type Decimal,
} from '#kernel/decimal.ts';
import { money, type Currency } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths, monthsFrom } from '#kernel/time.ts';
import type { Pricing } from '#features/selling/catalogue/contract.ts';
import { withOwnCharges } from '#features/selling/catalogue/rules.ts';
import type { PlannedLine, PlanPrice, PricedPlan } from '#features/selling/subscriptions/rules.ts';
import { maxMonths, type Change, type Counts, type Difference, type planningErrors } from './contract.ts';

/** The cost of lines: exact, and as a bill shows it (each line rounded once). */
export type Cost = { readonly exact: Decimal; readonly minor: bigint };
const noCost: Cost = { exact: zero, minor: 0n };

/** The cost of the lines of one currency. */
export function costOf(lines: readonly PlannedLine[]): Cost {
  return lines.reduce<Cost>(
    (sum, line) => ({ exact: sum.exact.plus(line.exact), minor: sum.minor + line.amount.minor }),
    noCost,
  );
}

/** Actual (`before`) and hypothetical (`after`) cost in minor units, rounded as on bills. */
export type Compared = { readonly before: bigint; readonly after: bigint };
const nothing: Compared = { before: 0n, after: 0n };
const add = (a: Compared, b: Compared): Compared => ({
  before: a.before + b.before,
  after: a.after + b.after,
});

/**
 * The running sums of a rehearsal: each customer's months (null without a subscription), and the exact sums
 * of each month. Customers have integers only, so that tens of thousands of them fit in memory.
 */
export type Tally = {
  readonly months: readonly BillingMonth[];
  readonly customers: Map<string, (Compared | null)[]>;
  readonly exact: { before: Decimal; after: Decimal }[];
};

/** Returns a rehearsal of some months before anything is priced. */
export function newTally(months: readonly BillingMonth[]): Tally {
  return { months, customers: new Map(), exact: months.map(() => ({ before: zero, after: zero })) };
}

/**
 * Adds one month of one subscription; a customer's subscriptions add up. `month` is its index among the
 * months.
 */
export function addTo(tally: Tally, organizationId: string, month: number, before: Cost, after: Cost): void {
  const of = tally.customers.get(organizationId) ?? tally.months.map(() => null);
  of[month] = add(of[month] ?? nothing, { before: before.minor, after: after.minor });
  tally.customers.set(organizationId, of);
  const exact = tally.exact[month];
  if (!exact) return;
  exact.before = exact.before.plus(before.exact);
  exact.after = exact.after.plus(after.exact);
}

/** Both costs as amounts, with their difference. */
export function changeOf({ before, after }: Compared, currency: Currency): Change {
  return {
    before: money(before, currency),
    after: money(after, currency),
    difference: money(after - before, currency),
    percent:
      before > 0n ? Number(divide(decimal(after - before).times('100'), decimal(before), 1).toFixed()) : null,
  };
}

/** The same with the exact sums before rounding. */
export function differenceOf(
  compared: Compared,
  exact: { readonly before: Decimal; readonly after: Decimal },
  currency: Currency,
): Difference {
  return {
    ...changeOf(compared, currency),
    exactBefore: decimalText(exact.before),
    exactAfter: decimalText(exact.after),
    exactDifference: decimalText(exact.after.minus(exact.before)),
  };
}

/** Counts the customers who would have paid more, less or the same, by the amounts on bills. */
export function countsOf(compared: readonly Compared[]): Counts {
  const more = compared.filter(({ before, after }) => after > before).length;
  const less = compared.filter(({ before, after }) => after < before).length;
  return { more, less, same: compared.length - more - less };
}

export type Customer = Compared & {
  readonly organizationId: string;
  readonly months: readonly (Compared | null)[];
};
export type Summary = {
  /** The most affected first, in either direction. */
  readonly customers: readonly Customer[];
  readonly counts: Counts;
  readonly total: Compared;
  readonly exact: { readonly before: Decimal; readonly after: Decimal };
  readonly byMonth: readonly (Compared & {
    readonly month: BillingMonth;
    readonly counts: Counts;
    readonly exact: { readonly before: Decimal; readonly after: Decimal };
  })[];
};

const size = ({ before, after }: Compared): bigint => (after < before ? before - after : after - before);
const sumOf = (list: readonly (Compared | null)[]): Compared =>
  list.reduce<Compared>((sum, each) => (each ? add(sum, each) : sum), nothing);

/** Summarizes a rehearsal: by customer, by month, and in total. */
export function summaryOf({ months, customers: all, exact }: Tally): Summary {
  const customers = [...all].map(([organizationId, of]): Customer => ({
    organizationId,
    months: of,
    ...sumOf(of),
  }));
  const byMonth = months.map((month, index) => {
    const inMonth = customers.flatMap((customer) => customer.months[index] ?? []);
    return {
      month,
      counts: countsOf(inMonth),
      ...sumOf(inMonth),
      exact: exact[index] ?? { before: zero, after: zero },
    };
  });
  return {
    customers: customers.toSorted((a, b) =>
      size(a) > size(b) ? -1 : size(a) < size(b) ? 1 : a.organizationId < b.organizationId ? -1 : 1,
    ),
    counts: countsOf(customers),
    total: sumOf(byMonth),
    byMonth,
    exact: {
      before: sumDecimals(byMonth.map((each) => each.exact.before)),
      after: sumDecimals(byMonth.map((each) => each.exact.after)),
    },
  };
}

/**
 * Returns a plan's prices over time with the list price replaced. Prices agreed with a customer are kept;
 * with an agreement on single charges, the other charges come from the new price. Consecutive equal prices
 * are merged.
 */
export function withListPrice<P extends PlanPrice>(
  prices: readonly P[],
  isListed: (price: P) => boolean,
  pricing: Pricing,
): P[] {
  return prices.flatMap((price, index) => {
    const before = prices[index - 1];
    if (price.agreed)
      return before?.agreed === price.agreed
        ? []
        : [{ ...price, pricing: withOwnCharges(pricing, price.agreed) }];
    if (!isListed(price)) return [price];
    return before && isListed(before) ? [] : [{ ...price, pricing }];
  });
}

/**
 * Converts a yearly plan to a twelfth of its fee per month: otherwise six months would contain a whole year's
 * fee or none.
 */
export function byTheMonth<P extends PricedPlan>(plan: P): P {
  if (plan.billingCycle === 'monthly') return plan;
  const aTwelfth = (pricing: Pricing): Pricing =>
    pricing.model === 'rate_card'
      ? pricing
      : { ...pricing, baseFee: decimalText(divide(decimal(pricing.baseFee ?? '0'), decimal('12'), 12)) };
  return {
    ...plan,
    billingCycle: 'monthly',
    prices: plan.prices.map((price) => ({ ...price, pricing: aTwelfth(price.pricing) })),
  };
}

/**
 * Why the months of a rehearsal are invalid; `lastOver` is the last month that is over in every time zone.
 */
export function monthsMistake(
  from: BillingMonth,
  to: BillingMonth,
  lastOver: BillingMonth,
): (keyof typeof planningErrors & string) | undefined {
  if (from > to) return 'planning.start_after_end';
  if (to > lastOver) return 'planning.month_not_over';
  return monthsFrom(from, maxMonths).includes(to) ? undefined : 'planning.too_many_months';
}

/** Returns the last `count` months before the current one, newest first. */
export function monthsBefore(running: BillingMonth, count: number): BillingMonth[] {
  return monthsFrom(addMonths(running, -count), count).toReversed();
}

/** The average monthly saving of a plan over `months`, rounded as money; zero without a month. */
export function savingPerMonth(current: bigint, plan: bigint, months: number): bigint {
  return months === 0 ? 0n : roundToInteger(divide(decimal(current - plan), decimal(BigInt(months)), 12));
}

/** Usage of one month in one service. */
export type UsedMonth = {
  readonly month: BillingMonth;
  readonly quantity: Decimal;
  readonly serviceNames: readonly string[];
};

/**
 * One quantity per month, newest first: the sum over services measured in the same unit. Months without usage
 * are left out.
 */
export function monthsOfUsage(used: readonly UsedMonth[]): UsedMonth[] {
  const byMonth = Map.groupBy(used, (each) => each.month);
  return [...byMonth]
    .map(([month, list]) => ({
      month,
      quantity: list.reduce((sum, each) => sum.plus(each.quantity), zero),
      serviceNames: [...new Set(list.flatMap((each) => each.serviceNames))],
    }))
    .filter((each) => each.quantity.gt(zero))
    .toSorted((a, b) => (a.month < b.month ? 1 : -1));
}
