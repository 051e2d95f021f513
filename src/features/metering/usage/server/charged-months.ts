// Computes what months of subscriptions cost, from the lines of their bills or of the bills as they would be
// issued now.
import { sumDecimals, zero, type Decimal } from '#kernel/decimal.ts';
import { money, sumMoney, type Currency, type Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  hasBegun,
  linesOf,
  pricingOfTime,
  withoutSteps,
  type BillableSubscription,
} from '#features/selling/subscriptions/rules.ts';
import { servicesOf } from '#features/selling/subscriptions/server/index.ts';
import type { ChargeMonth } from '../contract.ts';
import { allowanceOf, type Allowance } from '../rules-allowance.ts';
import { billableByMonth, pricesEvents, type LoadedMonths } from './billable.ts';
import { hasMeasures } from './charge-measures.ts';
import { chargesOfMonth } from './charge-months.ts';
import { figureCache, keyOfInputs } from './figure-cache.ts';
import { unusedKeys, type MetersIn } from './meters-of-services.ts';
import type { Metered } from './read.ts';
import { monthRows, type MonthRows } from './store-rollups.ts';

/**
 * The cost of a subscription's month: exact, and as its lines round it. Only the last month is broken down by
 * charge.
 */
export type Charged = {
  readonly cost: Decimal;
  /** The part of the cost that is fees and credits for them. */
  readonly fees: Decimal;
  /** The part of the cost that a plan's minimum adds, or its maximum deducts. */
  readonly limits: Decimal;
  readonly billed: Money;
  readonly charges: readonly ChargeMonth[] | undefined;
} & Allowance;

/** The months to show, the last one in full, in the organization's time zone and one currency. */
type MonthsShown = {
  readonly months: readonly BillingMonth[];
  readonly zone: string;
  readonly currency: Currency;
  /** The meters that count the usage of each service. */
  readonly metersIn: MetersIn;
  /** The row versions of the months. */
  readonly rows: ReadonlyMap<string, MonthRows>;
};

const nameOf = ({ subscription }: Metered, month: BillingMonth): string => `${subscription.id} ${month}`;
const ofNothing = { charges: undefined, included: null, billable: zero };

// About 10 MB.
const cachedFigures = figureCache<Charged>(
  50_000,
  ({ charges = [] }) => 10 + charges.reduce((sum, { cells = [] }) => sum + 10 + cells.length, 0),
);

/** Returns the cost of each month of each loaded subscription. */
export async function chargesOf(
  ctx: Ctx,
  loaded: LoadedMonths,
  shown: MonthsShown,
): Promise<(each: Metered, month: BillingMonth) => Charged> {
  const { months, zone, currency } = shown;
  const nothing: Charged = {
    cost: zero,
    fees: zero,
    limits: zero,
    billed: money(0n, currency),
    ...ofNothing,
  };
  const keys = keysOf(ctx, loaded, shown);
  const found = chargesKept(ctx, keys, shown);
  const isMissing = (each: Metered, month: BillingMonth): boolean => !found.has(nameOf(each, month));
  const missing = {
    ...loaded,
    metered: loaded.metered.filter((each) => months.some((month) => isMissing(each, month))),
  };
  const monthsMissing = months.filter((month) => missing.metered.some((each) => isMissing(each, month)));
  // Events that are priced individually may be numerous, so months with them are read one at a time.
  const readings = pricesEvents(loaded) ? monthsMissing.map((month) => [month]) : [monthsMissing];
  for (const together of monthsMissing.length > 0 ? readings : []) {
    const { byMonth, versions } = await readMonths(ctx, missing, together, keys.size > 0);
    for (const [month, billable] of byMonth) {
      const ofSubscription = new Map(
        [...billable.values()].flat().map((one) => [one.subscriptionId, one] as const),
      );
      for (const each of missing.metered) {
        const name = nameOf(each, month);
        if (found.has(name)) continue;
        const one = ofSubscription.get(each.subscription.id);
        const charged = one ? chargedIn(one, month, zone, currency, month === months.at(-1)) : nothing;
        found.set(name, charged);
        const key = keys.get(name);
        if (key !== undefined && versions)
          cachedFigures.set(ctx.app, key, versions.get(name)?.version ?? '', charged);
      }
    }
  }
  return (each, month) => found.get(nameOf(each, month)) ?? nothing;
}

/** Computes what a subscription's month costs; broken down by charge only if it is shown. */
function chargedIn(
  one: BillableSubscription,
  month: BillingMonth,
  zone: string,
  currency: Currency,
  isShown: boolean,
): Charged {
  const lines = linesOf(one, month, zone, withoutSteps).filter((line) => line.amount.currency === currency);
  const costOf = (isCounted: (line: (typeof lines)[number]) => boolean): Decimal =>
    sumDecimals(lines.filter(isCounted).map((line) => line.exact));
  const isLimit = ({ kind }: (typeof lines)[number]): boolean => kind === 'minimum' || kind === 'maximum';
  const cost = costOf(() => true);
  const limits = costOf(isLimit);
  const fees = costOf((line) => line.kind !== 'usage' && !isLimit(line));
  const billed = sumMoney(
    lines.map(({ amount }) => amount),
    currency,
  );
  if (!isShown) return { cost, fees, limits, billed, ...ofNothing };
  const times = one.times
    .filter((time) => time.price.pricing.model !== 'flat')
    .map((time) => ({
      quantity: time.quantity,
      pricing: pricingOfTime(one.timeline, time, month, zone),
      isTrial: time.isTrial,
    }));
  return {
    cost,
    fees,
    limits,
    billed,
    charges: chargesOfMonth(one, lines, currency),
    ...allowanceOf(times),
  };
}

/**
 * Everything the costs of months depend on besides the rows of their usage, by subscription and month. Months
 * are left out if they also depend on rows not covered by {@link monthRows}: single events, levels, distinct
 * counts and percentiles, add-ons, and meters that have not counted. The own meter's usage is included by
 * value because it was read just before the rows.
 */
function keysOf(
  ctx: Ctx,
  loaded: LoadedMonths,
  { months, zone, currency, metersIn }: MonthsShown,
): ReadonlyMap<string, string> {
  const { metered, offers, rollups } = loaded;
  if (pricesEvents(loaded)) return new Map();
  const servicesIn = ({ subscription }: Metered): string[] => [
    ...new Set([subscription.serviceId, ...servicesOf(subscription).map(({ serviceId }) => serviceId)]),
  ];
  return new Map(
    metered.flatMap((each): [string, string][] => {
      const { subscription } = each;
      const plans = servicesIn(each).map((id) => ({
        plan: offers.plan(id, subscription.organizationId),
        own: offers.service(id).meter,
        meters: metersIn(id),
      }));
      const isKeepable =
        subscription.parentId === null &&
        plans.every(
          ({ plan, own, meters }) =>
            ![own, ...meters].some(hasMeasures) &&
            plan.prices.every(({ pricing }) => unusedKeys(pricing, meters).length === 0),
        );
      if (!isKeepable) return [];
      const course = keyOfInputs([subscription, plans, zone, currency, hasBegun(subscription, ctx.now)]);
      return months.map((month) => {
        const name = nameOf(each, month);
        const own = rollups.get(name);
        const used = own && [String(own.eventCount), own.sum, own.max, own.min, own.lastValue];
        return [name, keyOfInputs([course, month, month === months.at(-1), used])];
      });
    }),
  );
}

/** Returns cached costs that were computed from the same prices and rows, by subscription and month. */
function chargesKept(
  ctx: Ctx,
  keys: ReadonlyMap<string, string>,
  { rows }: MonthsShown,
): Map<string, Charged> {
  return new Map(
    [...keys].flatMap(([name, key]) => {
      const charged = cachedFigures.get(ctx.app, key, rows.get(name)?.version ?? '');
      return charged ? [[name, charged] as const] : [];
    }),
  );
}

/** Reads the usage of months and, if it may be cached and can be read in one snapshot, its row versions. */
async function readMonths(
  ctx: Ctx,
  loaded: LoadedMonths,
  months: readonly BillingMonth[],
  mayBeKept: boolean,
) {
  if (!mayBeKept || ctx.db.isTransaction)
    return { byMonth: await billableByMonth(ctx, loaded, months), versions: undefined };
  const ids = loaded.metered.map(({ subscription }) => subscription.id);
  return ctx.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (db) => {
      const within = { ...ctx, db };
      return {
        byMonth: await billableByMonth(within, loaded, months),
        versions: await monthRows(within, ids, months),
      };
    });
}
