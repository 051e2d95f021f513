// Ordinary events on their way in: known, stored, and added to all they count for, in as few statements as can be.
import { required } from '#kernel/assert.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unlessThere } from '#platform/server/unit-of-work/unit-of-work.ts';
import type { Aggregation } from '#features/selling/catalogue/contract.ts';
import { deltasOf, hourOfTime, monthOfTime } from '../rules.ts';
import {
  outcomeOf,
  type Arrival,
  type Expected,
  type ItemResult,
  type MeteredTarget,
  type Settle,
  type Targets,
} from './arrivals.ts';
import { dimensionsIn } from './dimensions.ts';
import { levelsOfMonths } from './levels.ts';
import { ensurePartitions } from './partitions.ts';
import { rememberValues } from './store-distinct.ts';
import {
  eventKey,
  insertEvents,
  knownEvents,
  makeEventsKnown,
  storeEvents,
  type NumberedEvent,
} from './store-events.ts';
import { keepLevels } from './store-levels.ts';
import { addDeltas, type Deltas, type MonthRollup } from './store-rollups.ts';

const accepted: ItemResult = { outcome: 'accepted' };

/** Takes events in that are not corrections, and answers the months that changed as they are now. */
export async function takeIn(
  ctx: Ctx,
  arrivals: readonly Arrival[],
  targets: Targets,
  expected: Expected,
  settle: Settle,
): Promise<readonly MonthRollup[]> {
  const events = arrivals.map((each) => each.event);
  const zoneOf = (subscriptionId: string): string =>
    required(targets.get(subscriptionId), 'a target').subscription.timeZone;
  const deltas = async (some: readonly NumberedEvent[]): Promise<Deltas> => {
    const added = deltasOf(some, zoneOf);
    return { ...added, dimensions: await dimensionsIn(ctx, some, added.hours, zoneOf) };
  };
  await ensurePartitions(ctx, events);
  const months =
    expected === 'some known' ? undefined : await insertAll(ctx, events, await deltas(events), expected);
  if (months) {
    for (const arrival of arrivals) settle(arrival, accepted);
    return withLevels(ctx, events, targets, await withValues(ctx, events, targets, months));
  }
  const fresh = await freshOnes(ctx, arrivals, settle);
  if (fresh.length === 0) return [];
  await storeEvents(ctx, fresh);
  return withLevels(
    ctx,
    fresh,
    targets,
    await withValues(ctx, fresh, targets, await addDeltas(ctx, await deltas(fresh))),
  );
}

/** Takes events in that nobody knows, with the unit's messages: other batches of the same subscriptions wait for the hours and months until the commit. */
function insertAll(
  ctx: Ctx,
  events: readonly NumberedEvent[],
  deltas: Deltas,
  expected: Exclude<Expected, 'some known'>,
): Promise<MonthRollup[] | undefined> {
  return ctx.writeMessagesWith((messages) => {
    const insert = () => insertEvents(ctx, events, deltas, messages, expected === 'alone');
    return expected === 'mostly new' ? unlessThere(ctx, insert) : insert();
  });
}

/** Settles every event, and answers those that are new and known from here on. */
async function freshOnes(ctx: Ctx, arrivals: readonly Arrival[], settle: Settle): Promise<NumberedEvent[]> {
  const fresh = await makeEventsKnown(
    ctx,
    arrivals.map(({ event }) => event),
  );
  const before = arrivals.filter(({ event }) => !fresh.has(eventKey(event)));
  const known = await knownEvents(
    ctx,
    before.map(({ event }) => event),
  );
  for (const arrival of arrivals)
    settle(
      arrival,
      fresh.has(eventKey(arrival.event)) ? { outcome: 'accepted' } : outcomeOf(arrival.event, known),
    );
  return arrivals.flatMap(({ event }) => (fresh.has(eventKey(event)) ? [event] : []));
}

/** Whether any of the batch's subscriptions is measured in a way: a batch has few of them and many events. */
const isMeasuredBy = (targets: Targets, aggregation: Aggregation): boolean =>
  [...targets.values()].some(({ service }) => service.meter.aggregation === aggregation);

/** Keeps the values of meters that count different ones, and answers the months with those counts. */
async function withValues(
  ctx: Ctx,
  events: readonly NumberedEvent[],
  targets: Targets,
  months: readonly MonthRollup[],
): Promise<readonly MonthRollup[]> {
  if (!isMeasuredBy(targets, 'unique_count')) return months;
  const values = events.flatMap((event) => {
    const { subscription, service } = required(targets.get(event.subscriptionId), 'a target');
    const { aggregation, property } = service.meter;
    if (aggregation !== 'unique_count' || !property) return [];
    // What every object has without being given it is no property of the event.
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

/** Works levels' hours out anew, and answers the months with what they come to now. */
export async function withLevels(
  ctx: Ctx,
  events: readonly { readonly subscriptionId: string; readonly time: Date }[],
  targets: Targets,
  months: readonly MonthRollup[],
): Promise<readonly MonthRollup[]> {
  if (!isMeasuredBy(targets, 'time_weighted_average')) return months;
  const target = (subscriptionId: string): MeteredTarget => required(targets.get(subscriptionId), 'a target');
  const hours = new Map(
    events
      .filter((event) => target(event.subscriptionId).service.meter.aggregation === 'time_weighted_average')
      .map((event) => {
        const zone = target(event.subscriptionId).subscription.timeZone;
        const hour = hourOfTime(event.time, zone);
        return [
          `${event.subscriptionId} ${hour.getTime()}`,
          { subscriptionId: event.subscriptionId, hour, zone },
        ] as const;
      }),
  );
  if (hours.size === 0) return months;
  await keepLevels(ctx, [...hours.values()]);
  const ids = new Set([...hours.values()].map((hour) => hour.subscriptionId));
  const levels = await levelsOfMonths(
    ctx,
    months
      .filter((month) => ids.has(month.subscriptionId))
      .map(({ subscriptionId, month }) => ({ subscription: target(subscriptionId).subscription, month })),
  );
  return months.map((month) =>
    ids.has(month.subscriptionId)
      ? { ...month, level: levels.get(`${month.subscriptionId} ${month.month}`) ?? '0' }
      : month,
  );
}
