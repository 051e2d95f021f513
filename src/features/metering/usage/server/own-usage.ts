// The usage of services' own meters by place, and its cost at single prices (for rate cards see charge-days.ts).
import { decimal, decimalText, sumDecimals, zero, type Decimal } from '#kernel/decimal.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { usageCostOf } from '#features/selling/subscriptions/rules.ts';
import type { Offers, SubscriptionRow } from '#features/selling/subscriptions/server/index.ts';
import { cumulativeQuantities, type Rollup } from '../rules.ts';
import { ownKey } from '../rules-streams.ts';
import { levelSteps } from './levels.ts';
import { isPlaceOf, partsIn, type PlacePart, type PricePeriod, type UsagePlace } from './price-periods.ts';
import { partRollups } from './store-parts.ts';
import { firstSeenInCells } from './store-first-seen.ts';

type PeriodsOf = (subscriptionId: string) => readonly PricePeriod[];
type PartsRead = {
  readonly places: readonly UsagePlace[];
  readonly parts: readonly PlacePart[];
  readonly periodsOf: PeriodsOf;
  readonly zone: string;
  /** The usage of whole places. */
  readonly own: (subscriptionId: string, place: UsagePlace) => Rollup | undefined;
};

const emptyRollup: Rollup = { eventCount: 0n, sum: '0', max: '0', lastValue: '0' };

/**
 * Returns the usage of the own meters of subscriptions whose price changed, by index of the part. A level and
 * a distinct count are increments within the price period, because bills price each period's own.
 */
export async function ownByPart(
  ctx: Ctx,
  subscriptions: readonly SubscriptionRow[],
  offers: Offers,
  { places, parts, periodsOf, zone, own }: PartsRead,
): Promise<(subscriptionId: string, index: number) => Rollup | undefined> {
  const entries = subscriptions.flatMap((subscription) =>
    parts.flatMap((part, index) => {
      const period = periodsOf(subscription.id).find((each) => isPlaceOf(part, each));
      const { aggregation } = offers.service((period?.time.plan ?? { id: subscription.serviceId }).id).meter;
      return period
        ? [
            {
              key: `${subscription.id} ${index}`,
              subscription,
              part,
              period,
              aggregation,
              month: period.month,
              from: part.start,
              to: part.end,
            },
          ]
        : [];
    }),
  );
  const isWhole = ({ of, start, end }: PlacePart): boolean =>
    places[of]?.start.getTime() === start.getTime() && places[of].end.getTime() === end.getTime();
  const cut = entries.filter(({ part }) => !isWhole(part));
  const hours = cut.length === 0 ? new Map<string, Rollup>() : await partRollups(ctx.db, cut);
  const levels = await levelSteps(
    ctx,
    entries.filter(({ aggregation }) => aggregation === 'time_weighted_average'),
  );
  const distinct = await seenByPart(
    ctx,
    entries.filter(({ aggregation }) => aggregation === 'unique_count'),
    zone,
  );
  const found = new Map(
    entries.flatMap(({ key, subscription, part, aggregation }): [string, Rollup][] => {
      const place = places[part.of];
      const rollup = isWhole(part) ? place && own(subscription.id, place) : hours.get(key);
      if (aggregation === 'time_weighted_average') {
        const level = levels.get(key);
        return rollup || level !== undefined
          ? [[key, { ...(rollup ?? emptyRollup), level: level ?? '0' }]]
          : [];
      }
      if (!rollup) return [];
      return [
        [key, aggregation === 'unique_count' ? { ...rollup, distinct: distinct.get(key) ?? 0n } : rollup],
      ];
    }),
  );
  return (subscriptionId, index) => found.get(`${subscriptionId} ${index}`);
}

type Entry = {
  readonly key: string;
  readonly subscription: SubscriptionRow;
  readonly part: PlacePart;
  readonly period: PricePeriod;
};

/** Counts the values that each part saw first in its price period, by the entry's key. */
async function seenByPart(
  ctx: Ctx,
  entries: readonly Entry[],
  zone: string,
): Promise<ReadonlyMap<string, bigint>> {
  const counts = new Map<string, bigint>();
  const last = entries.at(-1);
  if (!last) return counts;
  const bySubscription = Map.groupBy(entries, ({ subscription }) => subscription.id as string);
  const seen = await firstSeenInCells(ctx, {
    parts: [...bySubscription].flatMap(([subscriptionId, own]) =>
      [...new Set(own.map(({ period }) => period))].flatMap(({ key, spans }) =>
        spans.map(({ from, to }) => ({ subscriptionId, meter: ownKey, period: key, from, to })),
      ),
    ),
    grain: 'hour',
    zone,
    end: last.part.end,
  });
  for (const { subscriptionId, cell, place, count } of seen) {
    if (cell !== null) continue;
    const at = Number(place);
    const entry = bySubscription
      .get(subscriptionId)
      ?.find(({ part }) => at >= part.start.getTime() && at < part.end.getTime());
    if (entry) counts.set(entry.key, (counts.get(entry.key) ?? 0n) + count);
  }
  return counts;
}

/** Joins what the parts of a place add to a level or to a distinct count; other values are the place's own. */
export function joinOwn(
  whole: Rollup | undefined,
  parts: readonly (Rollup | undefined)[],
): Rollup | undefined {
  const distinct = parts.flatMap((part) => part?.distinct ?? []);
  const levels = parts.flatMap((part) => (part?.level === undefined ? [] : [decimal(part.level)]));
  if (distinct.length === 0 && levels.length === 0) return whole;
  return {
    ...(whole ?? emptyRollup),
    ...(distinct.length > 0 && { distinct: distinct.reduce((sum, count) => sum + count, 0n) }),
    ...(levels.length > 0 && { level: decimalText(sumDecimals(levels)) }),
  };
}

/**
 * The usage cost of each place at single prices: by how much each of its parts raises the exact price of its
 * price period so far, so that places add up to the period with any tiers. A place is a day, or an hour, which
 * is priced within its day. The first place must be the first day of a month.
 */
export function singleCosts(
  subscription: SubscriptionRow,
  offers: Offers,
  { places, parts, periodsOf }: Pick<PartsRead, 'places' | 'parts' | 'periodsOf'>,
  rollupAt: (index: number) => Rollup | undefined,
): Decimal[] {
  const costs = places.map(() => zero);
  for (const period of periodsOf(subscription.id)) {
    const { time, month } = period;
    const { pricing } = time.price;
    const ofTime = partsIn(parts, period);
    if (time.isTrial || ofTime.length === 0 || pricing.model === 'rate_card') continue;
    const costOf = usageCostOf(subscription, time, pricing, month, subscription.timeZone);
    let before = costOf(zero);
    for (const [at, quantity] of cumulativeQuantities(
      ofTime.map(rollupAt),
      offers.service(time.plan.id).meter.aggregation,
    ).entries()) {
      const index = ofTime[at];
      const part = index === undefined ? undefined : parts[index];
      // No events in this part: the sum is unchanged.
      if (index === undefined || !part || rollupAt(index) === undefined) continue;
      const after = costOf(quantity);
      costs[part.of] = (costs[part.of] ?? zero).plus(after.minus(before));
      before = after;
    }
  }
  return costs;
}
