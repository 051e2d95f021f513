// Computes the usage of meters that did not count yet when the events arrived from the stored events, to
// preview a price on past months before it is published.
import { decimal, decimalText } from '#kernel/decimal.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { blockOf, percentileOf } from '#features/selling/rating/rules.ts';
import { chargeUsageOf, joinCells, latestCell, type CellRollup } from '../rules-charge-usage.ts';
import { deltasOf, isLater, type Delta } from '../rules-deltas.ts';
import { servedSpans, type ServedSpan } from '../rules-levels.ts';
import type { MeteredEvent, Rollup } from '../rules.ts';
import { countSamples, sampleDeltas } from '../rules-samples.ts';
import { propertyOf, streamsOf, wholeCell, type StreamEvents, type StreamMeter } from '../rules-streams.ts';
import { countedArchivedEvents } from './archived-events.ts';
import { isCountedIn, partsOf, type MeteredTime, type MeteredUsage } from './charge-usage.ts';
import { eventsIn } from './priced-events.ts';
import { sampleMinutesOf } from './rate-events.ts';
import { eventsIdOf } from './rating-context.ts';
import { eventsAfter, eventsPageSize, type EventPlace, type StoredEvent } from './store-charge-usage.ts';

/** Whether usage can be computed from events: a level also depends on earlier reports. */
export const isCountable = ({ aggregation }: StreamMeter): boolean => aggregation !== 'time_weighted_average';

/**
 * Computes the usage of periods by their keys and meters, one period after the other; for levels it is zero.
 */
export async function usageFromEvents(
  ctx: Ctx,
  times: readonly MeteredTime[],
): Promise<(key: string, meter: StreamMeter) => MeteredUsage | undefined> {
  const found = new Map<string, MeteredUsage>();
  for (const time of times)
    if (isCountable(time.meter)) found.set(`${time.key}\n${time.meter.key}`, await usageOfTime(ctx, time));
  return (key, meter) => found.get(`${key}\n${meter.key}`);
}

async function usageOfTime(ctx: Ctx, time: MeteredTime): Promise<MeteredUsage> {
  const { subscription, meter, ownType, needsEvents } = time;
  const zone = subscription.timeZone;
  const tally = newTally(meter, zone);
  const events: MeteredEvent[] = [];
  const parts = partsOf(time);
  const read = async (
    from: Date,
    to: Date,
    take: (counted: readonly StoredEvent[]) => void,
  ): Promise<void> => {
    for (let after: EventPlace | undefined, page: readonly StoredEvent[] = []; ; after = page.at(-1)) {
      const place = { key: time.key, meter: meter.key, subscriptionId: eventsIdOf(subscription), from, to };
      page = await eventsAfter(ctx, place, { meter, ownType, zone }, after);
      take(page.filter((event) => isCountedIn(time, event)));
      if (page.length < eventsPageSize) break;
    }
    const subscriptionId = eventsIdOf(subscription);
    const { eventType } = meter;
    for await (const archived of countedArchivedEvents(ctx, { subscriptionId, from, to }))
      take(
        eventsIn({ from, to, zone, eventType, ownType }, archived)
          .filter((event) => isCountedIn(time, event))
          .map((event) => ({ ...event, type: eventType, isTimed: true })),
      );
  };
  for (const { from, to } of parts) {
    await read(from, to, (counted) => {
      for (const stream of streamsIn(meter, counted)) tally.add(stream);
      if (needsEvents) events.push(...counted);
    });
    // A sample belongs to the part in which it begins, and may end later than the part’s hours.
    if (meter.aggregation === 'percentile')
      await read(from, new Date(to.getTime() + sampleMinutesOf(meter) * 60_000), (counted) => {
        for (const stream of streamsIn(meter, counted)) tally.addSamples(stream, { from, to });
      });
  }
  const samples =
    meter.aggregation === 'percentile'
      ? parts.reduce(
          (sum, part) =>
            sum +
            countSamples(servedSpans(subscription, part.from, part.to), part, zone, sampleMinutesOf(meter)),
          0,
        )
      : 0;
  const { cells, whole } = tally.result(samples);
  return {
    usage: chargeUsageOf(
      meter,
      cells,
      whole,
      // Pages are in index order; bills price events with the same time by source and id.
      events.toSorted((a, b) => (isLater(a, b) ? 1 : -1)).map(({ value }) => blockOf(decimal(value))),
    ),
    count: cells.reduce((sum, { eventCount }) => sum + eventCount, 0n),
  };
}

/** The streams of events that a meter counts. */
export const streamsIn = <E extends MeteredEvent>(
  meter: StreamMeter,
  events: readonly E[],
): StreamEvents<E>[] => streamsOf(events, () => [meter]).filter((stream) => stream.meter === meter.key);

type Whole = Pick<Rollup, 'distinct' | 'percentile'>;

/** Sums the events of a meter, page by page. */
export function newTally(meter: StreamMeter, zone: string) {
  const deltas = new Map<string, Delta[]>();
  const values = new Map<string, Set<string>>();
  const samples = new Map<string, Map<number, string>>();
  const placeOf = <T>(map: Map<string, T>, cell: string, make: () => T): T => {
    const place = map.get(cell) ?? make();
    map.set(cell, place);
    return place;
  };
  const addValues = (stream: StreamEvents, property: string): void => {
    for (const cell of new Set([stream.cell, wholeCell]))
      for (const event of stream.events) {
        const value = propertyOf(event.properties, property);
        if (value === undefined) continue;
        placeOf(values, cell, () => new Set<string>()).add(
          typeof value === 'string' ? value : JSON.stringify(value),
        );
      }
  };
  const addSamples = (stream: StreamEvents, { from, to }: ServedSpan): void => {
    for (const { start, sum } of sampleDeltas(stream, zone, sampleMinutesOf(meter)).filter(
      (sample) => sample.start >= from && sample.start < to,
    ))
      for (const cell of new Set([stream.cell, wholeCell])) {
        const sums = placeOf(samples, cell, () => new Map<number, string>());
        sums.set(start.getTime(), decimalText(decimal(sums.get(start.getTime()) ?? '0').plus(decimal(sum))));
      }
  };
  const measuresOf = (cell: string, sampleCount: number): Whole => {
    const distinct = values.get(cell);
    const sums = [...(samples.get(cell)?.values() ?? [])].map(decimal);
    return {
      ...(distinct && { distinct: BigInt(distinct.size) }),
      ...(sums.length > 0 && {
        percentile: decimalText(percentileOf(sums, Math.max(sampleCount, sums.length), meter.p ?? 100)),
      }),
    };
  };
  return {
    add: (stream: StreamEvents): void => {
      placeOf(deltas, stream.cell, (): Delta[] => []).push(...deltasOf([stream], () => zone).months);
      if (meter.aggregation === 'unique_count' && meter.property) addValues(stream, meter.property);
    },
    /** Adds to the samples that begin in a span. */
    addSamples,
    result: (sampleCount: number): { cells: CellRollup[]; whole: Whole } => ({
      // A sample may begin in an earlier period than its events’ hours: it is then all that its cell has.
      cells: [...new Set([...deltas.keys(), ...samples.keys()])]
        .filter((cell) => deltas.has(cell) || cell !== wholeCell || meter.dimensions.length === 0)
        .toSorted()
        .map((cell) => cellOfDeltas(cell, deltas.get(cell) ?? [], measuresOf(cell, sampleCount))),
      whole: measuresOf(wholeCell, sampleCount),
    }),
  };
}

/** Combines the deltas of one cell into one rollup. */
function cellOfDeltas(cell: string, deltas: readonly Delta[], measures: Whole): CellRollup {
  const rollups = deltas.map(({ count, ...delta }): CellRollup => ({ ...delta, eventCount: count }));
  const latest = latestCell(rollups);
  return {
    ...joinCells(rollups, measures),
    cell,
    lastAt: latest?.lastAt ?? new Date(0),
    lastEvent: latest?.lastEvent ?? '',
  };
}
