// Step "rate": computes what events add to the hours, days and months of their streams, and to meters that
// store more than sums.
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { MeterAggregation } from '#features/selling/meters/contract.ts';
import { isServedAt } from '#features/selling/subscriptions/rules.ts';
import { required } from '#kernel/assert.ts';
import type { MeteredEvent } from '../rules.ts';
import { deltasOf, hourOfTime, monthOfTime } from '../rules-deltas.ts';
import { sampleDeltas, type SampleDelta } from '../rules-samples.ts';
import {
  allKey,
  ownKey,
  propertyOf,
  streamsOf,
  type Stream,
  type StreamEvents,
  type StreamMeter,
} from '../rules-streams.ts';
import { dimensionsIn } from './dimensions.ts';
import { levelsOfMonths } from './levels.ts';
import { ownMeterOf, targetOf, type Targets } from './rating-context.ts';
import { monthKey, rememberValues, type SeenValue } from './store-distinct.ts';
import type { NumberedEvent } from './store-events.ts';
import { storeLevels } from './store-levels.ts';
import type { Deltas, MonthRollup } from './store-rollups.ts';

/** The time zone of each subscription of some targets. */
export const zoneIn =
  (targets: Targets) =>
  (subscriptionId: string): string =>
    targetOf(targets, { subscriptionId }).subscription.timeZone;

/**
 * Groups events into streams by the meters of their subscriptions, and of the add-ons that ran at their
 * times.
 */
export function streamsIn<E extends MeteredEvent>(events: readonly E[], targets: Targets): StreamEvents<E>[] {
  const own = streamsOf(events, (subscriptionId) => targetOf(targets, { subscriptionId }).meters);
  return [...targets.values()].every(({ addOns }) => addOns.length === 0)
    ? own
    : [...own, ...streamsOfAddOns(events, targets)];
}

/** An add-on has no row for all of its events together: those belong to its subscription. */
function streamsOfAddOns<E extends MeteredEvent>(events: readonly E[], targets: Targets): StreamEvents<E>[] {
  return [...Map.groupBy(events, ({ subscriptionId }) => subscriptionId)].flatMap(([subscriptionId, sent]) =>
    targetOf(targets, { subscriptionId }).addOns.flatMap(({ subscription, meters }) =>
      streamsOf(
        sent.filter(({ time }) => isServedAt(subscription, time)),
        () => meters,
      )
        .filter(({ meter }) => meter !== allKey)
        .map((stream) => ({ ...stream, subscriptionId: subscription.id })),
    ),
  );
}

/** The meter of a stream; undefined for the stream of all events. */
export const meterOf = (stream: Stream, targets: Targets): StreamMeter | undefined =>
  targetOf(targets, stream).meters.find((meter) => meter.key === stream.meter);

/** Whether an event is counted by the service's own meter; only such events are counted by dimension. */
const isOwn = (event: NumberedEvent): boolean => event.storedType === null;

/** Computes what events add to their hours, days, months and dimensions. */
export async function rateEvents(
  ctx: Ctx,
  events: readonly NumberedEvent[],
  streams: readonly StreamEvents[],
  targets: Targets,
): Promise<Deltas> {
  const zoneOf = zoneIn(targets);
  const deltas = deltasOf(streams, zoneOf);
  const dimensions = await dimensionsIn(
    ctx,
    events.filter(isOwn),
    deltas.hours.filter((hour) => hour.meter === ownKey),
    zoneOf,
  );
  return { ...deltas, dimensions };
}

/** Computes what events add to the samples of percentile meters. */
export function samplesOf(streams: readonly StreamEvents[], targets: Targets): SampleDelta[] {
  return streams.flatMap((stream) => {
    const meter = meterOf(stream, targets);
    return meter?.aggregation === 'percentile'
      ? sampleDeltas(stream, zoneIn(targets)(stream.subscriptionId), sampleMinutesOf(meter))
      : [];
  });
}

/** The length of a percentile's sample, in minutes. */
export const sampleMinutesOf = ({ sampleMinutes }: StreamMeter): number =>
  required(sampleMinutes, 'the length of a percentile’s samples');

/** Whether the own meter of any of the subscriptions' services uses an aggregation. */
const isMeasuredBy = (targets: Targets, aggregation: MeterAggregation): boolean =>
  [...targets.values()].some((target) => ownMeterOf(target)?.aggregation === aggregation);

/** Returns the values of streams whose meters count distinct values. */
export function seenValues(streams: readonly StreamEvents[], targets: Targets): SeenValue[] {
  return streams.flatMap((stream) => {
    const { aggregation, property } = meterOf(stream, targets) ?? {};
    if (aggregation !== 'unique_count' || !property) return [];
    const { subscriptionId, meter, cell, events } = stream;
    const zone = zoneIn(targets)(subscriptionId);
    return events.flatMap((event): SeenValue[] => {
      const value = propertyOf(event.properties, property);
      return value === undefined
        ? []
        : [
            {
              subscriptionId,
              meter,
              cell,
              month: monthOfTime(event.time, zone),
              hour: hourOfTime(event.time, zone),
              value: typeof value === 'string' ? value : JSON.stringify(value),
            },
          ];
    });
  });
}

/** Stores the values of meters that count distinct values, and returns the months with those counts. */
export async function withUniqueCounts(
  ctx: Ctx,
  streams: readonly StreamEvents[],
  targets: Targets,
  months: readonly MonthRollup[],
): Promise<readonly MonthRollup[]> {
  const values = seenValues(streams, targets);
  if (values.length === 0) return months;
  const counts = await rememberValues(ctx, values);
  return months.map((month) => ({ ...month, distinct: counts.get(monthKey(month)) ?? month.distinct ?? 0n }));
}

/**
 * Recomputes the hours of time-weighted averages of services' own meters, and returns the months with their
 * averages.
 */
export async function withLevels(
  ctx: Ctx,
  events: readonly {
    readonly subscriptionId: string;
    readonly time: Date;
    readonly storedType: string | null;
  }[],
  targets: Targets,
  months: readonly MonthRollup[],
): Promise<readonly MonthRollup[]> {
  if (!isMeasuredBy(targets, 'time_weighted_average')) return months;
  const hours = new Map(
    events
      .filter(
        (event) =>
          event.storedType === null &&
          ownMeterOf(targetOf(targets, event))?.aggregation === 'time_weighted_average',
      )
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
  const isOfLevel = (month: MonthRollup): boolean => month.meter === ownKey && ids.has(month.subscriptionId);
  const levels = await levelsOfMonths(
    ctx,
    months
      .filter(isOfLevel)
      .map((each) => ({ subscription: targetOf(targets, each).subscription, month: each.month })),
  );
  return months.map((month) =>
    isOfLevel(month)
      ? { ...month, level: levels.get(`${month.subscriptionId} ${month.month}`) ?? '0' }
      : month,
  );
}
