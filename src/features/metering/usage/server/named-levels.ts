// Levels of meters other than services' own: the totals of an hour's reports, for each cell and for all cells
// together.
import { isServedAt } from '#features/selling/subscriptions/rules.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { hourOfTime } from '../rules-deltas.ts';
import { levelOfHour } from '../rules-levels.ts';
import { ownKey, streamsOf, wholeCell, type StreamEvents, type StreamMeter } from '../rules-streams.ts';
import { meterOf, zoneIn } from './rate-events.ts';
import { eventsIdOf, targetOf, type Targets } from './rating-context.ts';
import { eventsOfHours } from './store-hour-events.ts';
import { replaceLevels, type StreamLevel } from './store-levels.ts';

type Hour = { readonly subscriptionId: string; readonly meter: StreamMeter; readonly hour: Date };

/**
 * Recomputes the hours of time-weighted averages in which the streams have events. The hours' rollups must be
 * stored already.
 */
export async function storeStreamLevels(
  ctx: Ctx,
  streams: readonly StreamEvents[],
  targets: Targets,
): Promise<void> {
  const hours = new Map<string, Hour>();
  for (const stream of streams) {
    const meter = meterOf(stream, targets);
    if (meter?.aggregation !== 'time_weighted_average' || meter.key === ownKey) continue;
    const zone = zoneIn(targets)(stream.subscriptionId);
    for (const event of stream.events) {
      const hour = hourOfTime(event.time, zone);
      hours.set(`${stream.subscriptionId}\n${meter.key}\n${hour.getTime()}`, {
        subscriptionId: stream.subscriptionId,
        meter,
        hour,
      });
    }
  }
  if (hours.size === 0) return;
  const wanted = [...hours.values()];
  const events = await eventsOfHours(
    ctx,
    wanted.map(({ subscriptionId, hour }) => ({
      subscriptionId: eventsIdOf(targetOf(targets, { subscriptionId }).subscription),
      hour,
      zone: zoneIn(targets)(subscriptionId),
    })),
    targets,
  );
  const levels = wanted.flatMap(({ subscriptionId, meter, hour }): StreamLevel[] => {
    const { subscription } = targetOf(targets, { subscriptionId });
    const inHour = events.filter(
      (event) =>
        event.subscriptionId === eventsIdOf(subscription) &&
        hourOfTime(event.time, subscription.timeZone).getTime() === hour.getTime() &&
        (subscription.parentId === null || isServedAt(subscription, event.time)),
    );
    const cells = streamsOf(inHour, () => [meter])
      .filter((stream) => stream.meter === meter.key)
      .map((stream) => ({ ...stream, subscriptionId }));
    const all = cells.flatMap((stream) => stream.events);
    return [
      ...cells,
      ...(meter.dimensions.length > 0
        ? [{ subscriptionId, meter: meter.key, cell: wholeCell, events: all }]
        : []),
    ].flatMap((stream) => {
      const level = levelOfHour(stream.events);
      return level ? [{ subscriptionId, meter: meter.key, cell: stream.cell, hour, ...level }] : [];
    });
  });
  await replaceLevels(
    ctx,
    wanted.map(({ subscriptionId, meter, hour }) => ({ subscriptionId, meter: meter.key, hour })),
    levels,
  );
}
