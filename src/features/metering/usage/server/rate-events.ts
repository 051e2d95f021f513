// Step "rate": what events add to the hours, days and months of their subscriptions, and the meters that keep more than sums.
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Aggregation } from '#features/selling/catalogue/contract.ts';
import { deltasOf, hourOfTime, monthOfTime } from '../rules.ts';
import { dimensionsIn } from './dimensions.ts';
import { levelsOfMonths } from './levels.ts';
import { targetOf, type Targets } from './rating-context.ts';
import { rememberValues } from './store-distinct.ts';
import type { NumberedEvent } from './store-events.ts';
import { storeLevels } from './store-levels.ts';
import type { Deltas, MonthRollup } from './store-rollups.ts';

/** What events add to their hours, days, months and dimensions. */
export async function rateEvents(
  ctx: Ctx,
  events: readonly NumberedEvent[],
  targets: Targets,
): Promise<Deltas> {
  const zoneOf = (subscriptionId: string): string =>
    targetOf(targets, { subscriptionId }).subscription.timeZone;
  const deltas = deltasOf(events, zoneOf);
  return { ...deltas, dimensions: await dimensionsIn(ctx, events, deltas.hours, zoneOf) };
}

/** Whether any of the subscriptions is measured in a way. */
const isMeasuredBy = (targets: Targets, aggregation: Aggregation): boolean =>
  [...targets.values()].some(({ service }) => service.meter.aggregation === aggregation);

/** Stores the values of meters that count different values, and returns the months with those counts. */
export async function withUniqueCounts(
  ctx: Ctx,
  events: readonly NumberedEvent[],
  targets: Targets,
  months: readonly MonthRollup[],
): Promise<readonly MonthRollup[]> {
  if (!isMeasuredBy(targets, 'unique_count')) return months;
  const values = events.flatMap((event) => {
    const { subscription, service } = targetOf(targets, event);
    const { aggregation, property } = service.meter;
    if (aggregation !== 'unique_count' || !property) return [];
    // Inherited properties, such as `constructor`, are not the event's.
    const value =
      event.properties && Object.hasOwn(event.properties, property) ? event.properties[property] : undefined;
    const { timeZone } = subscription;
    return value === undefined
      ? []
      : [
          {
            subscriptionId: event.subscriptionId,
            month: monthOfTime(event.time, timeZone),
            hour: hourOfTime(event.time, timeZone),
            value: typeof value === 'string' ? value : JSON.stringify(value),
          },
        ];
  });
  if (values.length === 0) return months;
  const counts = await rememberValues(ctx, values);
  return months.map((month) => ({
    ...month,
    distinct: counts.get(`${month.subscriptionId} ${month.month}`) ?? month.distinct ?? 0n,
  }));
}

/** Computes the hours of time-weighted averages again, and returns the months with their averages. */
export async function withLevels(
  ctx: Ctx,
  events: readonly { readonly subscriptionId: string; readonly time: Date }[],
  targets: Targets,
  months: readonly MonthRollup[],
): Promise<readonly MonthRollup[]> {
  if (!isMeasuredBy(targets, 'time_weighted_average')) return months;
  const hours = new Map(
    events
      .filter((event) => targetOf(targets, event).service.meter.aggregation === 'time_weighted_average')
      .map((event) => {
        const zone = targetOf(targets, event).subscription.timeZone;
        const hour = hourOfTime(event.time, zone);
        return [
          `${event.subscriptionId} ${hour.getTime()}`,
          { subscriptionId: event.subscriptionId, hour, zone },
        ] as const;
      }),
  );
  if (hours.size === 0) return months;
  await storeLevels(ctx, [...hours.values()]);
  const ids = new Set([...hours.values()].map((hour) => hour.subscriptionId));
  const levels = await levelsOfMonths(
    ctx,
    months
      .filter((month) => ids.has(month.subscriptionId))
      .map((each) => ({ subscription: targetOf(targets, each).subscription, month: each.month })),
  );
  return months.map((month) =>
    ids.has(month.subscriptionId)
      ? { ...month, level: levels.get(`${month.subscriptionId} ${month.month}`) ?? '0' }
      : month,
  );
}
