// The figures of a month (R-USE-01), computed only from rollups and the pricing rules.
import type { In } from '#kernel/contract.ts';
import { decimal, decimalText, divide, isZero, sumDecimals, zero, type Decimal } from '#kernel/decimal.ts';
import { moneyDecimal, sumMoney, type Currency, type Money } from '#kernel/money.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { addMonths, dayOf, daysOfMonth, monthOf, monthsFrom } from '#kernel/time.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { required } from '#kernel/assert.ts';
import type { ChargeMonth, Statistics, usage } from '../contract.ts';
import { subscriptionsOf } from '#features/selling/subscriptions/server/index.ts';
import { unitOf } from '#features/selling/catalogue/rules.ts';
import { project, quantityOf, trendOf, type Rollup } from '../rules.ts';
import { loadMonths } from './billable.ts';
import type { Priced } from './charge-days.ts';
import { chargesOf, type Charged } from './charged-months.ts';
import { figuresOfPlaces, placesOfDays } from './daily.ts';
import { metersOfSubscriptions } from './meters-of-services.ts';
import { daysOf, type Metered } from './read.ts';
import { monthRows } from './store-rollups.ts';

const trendMonths = 6;

type Months = ReadonlyMap<string, Rollup>;
const keyOf = (each: Metered, month: BillingMonth): string => `${each.subscription.id} ${month}`;
const quantityIn = (each: Metered, months: Months, month: BillingMonth): Decimal =>
  quantityOf(months.get(keyOf(each, month)), each.service.meter.aggregation);

/** The currency in which most of an organization's services are priced. */
export function mainCurrency(metered: readonly Metered[]): Currency {
  const counts = new Map<Currency, number>();
  for (const { service } of metered)
    counts.set(service.pricing.currency, (counts.get(service.pricing.currency) ?? 0) + 1);
  return [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 'TWD';
}

const chargesShown = ({ charges }: Charged): { charges?: ChargeMonth[] } =>
  charges ? { charges: [...charges] } : {};
const nullable = (value: Decimal | null): string | null => (value === null ? null : decimalText(value));
const weekdayOf = (day: LocalDay): number => new Date(`${day}T00:00:00Z`).getUTCDay();

/** Returns a month's figures for the caller's organization; by default of the current month. */
export async function statistics(ctx: Ctx, input: In<typeof usage.statistics>): Promise<Statistics> {
  return statisticsOf(ctx, tenant(ctx), input);
}

/**
 * Returns an organization's figures of a month, optionally for one service's subscriptions only, or in a
 * currency other than the main one.
 */
export async function statisticsOf(
  ctx: Ctx,
  organizationId: string,
  input: In<typeof usage.statistics> & { readonly serviceId?: string; readonly currency?: Currency },
): Promise<Statistics> {
  const [found, subscribed] = await Promise.all([
    organizationById(ctx.db, organizationId),
    subscriptionsOf(ctx.db, organizationId),
  ]);
  const zone = required(found, 'the organization').timeZone;
  const month = input.month ?? monthOf(ctx.now, zone);
  const six = monthsFrom(addMonths(month, 1 - trendMonths), trendMonths);
  const subscriptions = subscribed.filter(
    (row) => input.serviceId === undefined || row.serviceId === input.serviceId,
  );
  const loaded = await loadMonths(ctx, subscriptions, six);
  const currency = input.currency ?? mainCurrency(loaded.metered);
  const metered = loaded.metered.filter((each) => each.service.pricing.currency === currency);
  const months = loaded.rollups;
  const ids = subscriptions.map(({ id }) => id);
  const [rows, metersIn] = await Promise.all([
    monthRows(ctx, ids, six),
    metersOfSubscriptions(ctx, subscriptions, loaded.offers),
  ]);
  const [charged, days] = await Promise.all([
    chargesOf(ctx, loaded, { months: six, zone, currency, metersIn, rows }),
    dailyTotals(ctx, { ...loaded, metered, metersIn }, zone, month),
  ]);
  const events = (each: Metered, of: BillingMonth): number => Number(rows.get(keyOf(each, of))?.events ?? 0n);
  const costIn = (each: Metered, of: BillingMonth): Decimal => charged(each, of).cost;
  const billedIn = (of: BillingMonth): Money =>
    sumMoney(
      metered.map((each) => charged(each, of).billed),
      currency,
    );
  const sixMonths = six.map((each) => ({
    month: each,
    cost: { currency, amount: decimalText(sumDecimals(metered.map((one) => costIn(one, each)))) },
    billed: billedIn(each),
    events: metered.reduce((sum, one) => sum + events(one, each), 0),
  }));
  const total = decimal(sixMonths.at(-1)?.cost.amount ?? '0');
  const previous = addMonths(month, -1);
  const today = dayOf(ctx.now, zone);
  const complete = days.filter((each) => each.day < today);
  const left = days.filter((each) => each.day >= today);
  const running = left.find((each) => each.day === today);
  const usageSoFar = sumDecimals(days.map((each) => each.cost));
  const projection = project(
    usageSoFar,
    complete.map((each) => ({ weekday: weekdayOf(each.day), cost: each.cost })),
    left.filter((each) => each.day > today).map((each) => weekdayOf(each.day)),
    running && { weekday: weekdayOf(running.day), cost: running.cost },
  );
  // The forecast is added to what the bill has so far, so that the projection of a past month equals its
  // actual cost.
  const fixed = moneyDecimal(billedIn(month)).minus(usageSoFar);
  const elapsed = decimal(
    BigInt(
      Math.max(
        1,
        Math.min(
          days.length,
          complete.length + (left.length > 0 && monthOf(ctx.now, zone) === month ? 1 : 0),
        ),
      ),
    ),
  );
  const peak = days.reduce<{ day: LocalDay; cost: Decimal } | undefined>(
    (best, each) => (each.cost.gt(best?.cost ?? zero) ? each : best),
    undefined,
  );
  const isRunning = monthOf(ctx.now, zone) === month;
  const trend = trendOf(
    costsOfTrend(
      sixMonths,
      !isRunning ? total : complete.length > 0 ? projection.expected.plus(fixed) : null,
    ),
  );
  const cost = (amount: Decimal) => ({ currency, amount: decimalText(amount) });

  return {
    month,
    asOf: ctx.now,
    currency,
    events: sixMonths.at(-1)?.events ?? 0,
    totalCost: cost(total),
    billed: billedIn(month),
    averageDailyCost: cost(divide(total, elapsed, 12)),
    projectedCost: {
      currency,
      amount: decimalText(projection.expected.plus(fixed)),
      low: decimalText(projection.low.plus(fixed)),
      high: decimalText(projection.high.plus(fixed)),
    },
    previousCost: cost(sumDecimals(metered.map((each) => costIn(each, previous)))),
    previousBilled: billedIn(previous),
    peakDay: peak ? { day: peak.day, cost: cost(peak.cost) } : null,
    trend: trend.trend,
    trendPercent: trend.percent,
    sixMonths,
    services: metered
      .map((each) => ({ each, quantity: quantityIn(each, months, month), amount: costIn(each, month) }))
      .filter(
        ({ each, quantity, amount }) =>
          !isZero(quantity) ||
          !isZero(amount) ||
          !isZero(quantityIn(each, months, previous)) ||
          (charged(each, month).charges ?? []).some((charge) => charge.quantity !== '0'),
      )
      .toSorted((a, b) => b.amount.cmp(a.amount) || a.each.service.name.localeCompare(b.each.service.name))
      .map(({ each, quantity, amount }) => ({
        subscriptionId: each.subscription.id,
        serviceId: each.service.id,
        serviceName: each.service.name,
        unit: unitOf(each.service.meter),
        quantity: decimalText(quantity),
        previousQuantity: decimalText(quantityIn(each, months, previous)),
        cost: cost(amount),
        billed: charged(each, month).billed,
        included: nullable(charged(each, month).included),
        billable: decimalText(charged(each, month).billable),
        ...chargesShown(charged(each, month)),
        share: isZero(total) ? 0 : Number(divide(amount.times('100'), total, 1).toFixed()),
      })),
  };
}

/**
 * The costs that the trend is computed from, oldest first, without leading months that have no usage. The
 * current month counts as `last`, or is left out if no forecast is possible yet (null).
 */
function costsOfTrend(sixMonths: Statistics['sixMonths'], last: Decimal | null): Decimal[] {
  const firstWithUsage = sixMonths.findIndex((each) => each.events > 0);
  if (firstWithUsage < 0) return [];
  const before = sixMonths.slice(firstWithUsage, -1).map((each) => decimal(each.cost.amount));
  return last === null ? before : [...before, last];
}

/** Returns the usage cost of each day of a month, summed over all services. */
async function dailyTotals(
  ctx: Ctx,
  priced: Priced,
  zone: string,
  month: BillingMonth,
): Promise<{ day: LocalDay; cost: Decimal }[]> {
  const days = daysOfMonth(month);
  const [first, last] = [required(days[0], 'a first day'), required(days.at(-1), 'a last day')];
  const { metered } = priced;
  const rollup = await daysOf(ctx, metered, zone, first, last);
  const figuresOf = await figuresOfPlaces(ctx, priced, {
    places: placesOfDays(days, zone),
    zone,
    own: (subscriptionId, { day }) => rollup(subscriptionId, day),
  });
  const costs = metered.map(({ subscription }) => figuresOf(subscription.id).costs);
  return days.map((day, index) => ({
    day,
    cost: sumDecimals(costs.map((each) => each[index] ?? zero)),
  }));
}
