// Computes the usage of meters that did not count yet when the events arrived from the stored events, to
// preview a price on past months before it is published.
import { hash } from 'node:crypto';
import { decimal, decimalText } from '#kernel/decimal.ts';
import { hourMs, minuteMs } from '#kernel/durations.ts';
import type { Period } from '#kernel/time.ts';
import { yieldToEventLoop } from '#platform/server/jobs/yield-to-event-loop.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { percentileOf } from '#features/selling/rating/rules.ts';
import { chargeUsageOf, joinCells, latestCell, type CellRollup } from '../rules-charge-usage.ts';
import { deltasOf, hourOfTime, type Delta } from '../rules-deltas.ts';
import { servedSpans, type ServedSpan } from '../rules-levels.ts';
import type { MeteredEvent, Rollup } from '../rules.ts';
import { countSamples, sampleDeltas } from '../rules-samples.ts';
import { propertyOf, streamsOf, wholeCell, type StreamEvents, type StreamMeter } from '../rules-streams.ts';
import { countedArchivedEvents } from './archived-events.ts';
import { isCountedIn, partsOf, type MeteredTime, type MeteredUsage } from './charge-usage.ts';
import { blocksBySign, type HourBlock } from './event-blocks.ts';
import { eventsIn } from './priced-events.ts';
import { sampleMinutesOf } from './rate-events.ts';
import { eventsIdOf } from './rating-context.ts';
import { eventsWithin } from './store-charge-usage.ts';
import { countEvents } from './store-events.ts';

/** Whether usage can be computed from events: a level also depends on earlier reports. */
export const isCountable = ({ aggregation }: StreamMeter): boolean => aggregation !== 'time_weighted_average';

/** Usage with its events by hour, negative values apart; none unless they are needed. */
export type UsageFromEvents = MeteredUsage & { readonly hours: readonly HourBlock[] };

/**
 * Computes the usage of periods by their keys and meters, one period after the other; for levels it is zero.
 * Events are read in portions, between which other requests are served.
 */
export async function usageFromEvents(
  ctx: Ctx,
  times: readonly MeteredTime[],
): Promise<(key: string, meter: StreamMeter) => UsageFromEvents | undefined> {
  const found = new Map<string, UsageFromEvents>();
  for (const time of times)
    if (isCountable(time.meter)) found.set(`${time.key}\n${time.meter.key}`, await usageOfTime(ctx, time));
  return (key, meter) => found.get(`${key}\n${meter.key}`);
}

/** Events that are read at a time, unless a second has more. */
const eventsAtOnce = 5000;

/** Equal spans of a time, in each of which few of a number of events are expected. */
function equalSpans({ start, end }: Period, events: number): Period[] {
  const count = Math.max(1, Math.ceil((2 * events) / eventsAtOnce));
  const at = (place: number): Date =>
    new Date(start.getTime() + Math.floor(((end.getTime() - start.getTime()) * place) / count));
  return Array.from({ length: count }, (_, place) => ({ start: at(place), end: at(place + 1) }));
}

/**
 * Yields the counted events of a period whose hours begin in [from, to), in portions and no particular order.
 * A span with too many events is halved: pages by the last event read would sort all that follow each time.
 */
async function* countedEvents(
  ctx: Ctx,
  time: MeteredTime,
  from: Date,
  to: Date,
): AsyncGenerator<readonly MeteredEvent[], void, void> {
  const { meter, ownType, subscription } = time;
  const [subscriptionId, zone] = [eventsIdOf(subscription), subscription.timeZone];
  const place = { key: time.key, meter: meter.key, subscriptionId, from, to };
  // The last hour begins before the end.
  const whole = { start: from, end: new Date(to.getTime() + hourMs) };
  const spans = equalSpans(whole, await countEvents(ctx, subscriptionId, from, to));
  for (let span = spans.pop(); span; span = spans.pop()) {
    const { start, end } = span;
    const [first, last] = [start.getTime(), end.getTime()];
    const isLeast = last - first <= 1000;
    const of = { meter, ownType, zone };
    const events = await eventsWithin(ctx, place, of, span, isLeast ? null : eventsAtOnce);
    if (!isLeast && events.length === eventsAtOnce) {
      const middle = new Date(Math.floor((first + last) / 2));
      spans.push({ start: middle, end }, { start, end: middle });
    } else yield events.filter((event) => isCountedIn(time, event));
    await yieldToEventLoop();
  }
  const { eventType } = meter;
  for await (const archived of countedArchivedEvents(ctx, { subscriptionId, from, to }))
    yield eventsIn({ from, to, zone, eventType, ownType }, archived)
      .filter((event) => isCountedIn(time, event))
      .map((event) => ({ ...event, type: eventType, isTimed: true }));
}

async function usageOfTime(ctx: Ctx, time: MeteredTime): Promise<UsageFromEvents> {
  const { subscription, meter, needsEvents } = time;
  const zone = subscription.timeZone;
  const tally = newTally(meter, zone);
  const signs = blocksBySign();
  const parts = partsOf(time);
  for (const { from, to } of parts) {
    // A sample belongs to the part in which it begins, and may end later than the part’s hours.
    const longer = meter.aggregation === 'percentile' ? sampleMinutesOf(meter) * minuteMs : 0;
    for await (const counted of countedEvents(ctx, time, from, new Date(to.getTime() + longer))) {
      const own = longer === 0 ? counted : counted.filter((event) => hourOfTime(event.time, zone) < to);
      for (const stream of streamsIn(meter, own)) tally.add(stream);
      if (needsEvents) for (const each of hoursBySign(time, own)) signs.add(each);
      if (longer > 0) for (const stream of streamsIn(meter, counted)) tally.addSamples(stream, { from, to });
    }
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
    usage: chargeUsageOf(meter, cells, whole, []),
    count: cells.reduce((sum, { eventCount }) => sum + eventCount, 0n),
    hours: signs.hours(),
  };
}

/** What events add to their hours, negative values apart. */
const hoursBySign = ({ subscription, meter }: MeteredTime, events: readonly MeteredEvent[]): HourBlock[] =>
  [...Map.groupBy(events, ({ value }) => value.startsWith('-')).values()].flatMap((same) =>
    deltasOf(
      [{ subscriptionId: subscription.id, meter: meter.key, cell: wholeCell, events: same }],
      () => subscription.timeZone,
    ).hours.map(({ hour, count, sum, min, max }) => ({
      hour,
      block: { count: Number(count), sum: decimal(sum), min: decimal(min), max: decimal(max) },
    })),
  );

/** The streams of events that a meter counts. */
export const streamsIn = <E extends MeteredEvent>(
  meter: StreamMeter,
  events: readonly E[],
): StreamEvents<E>[] => streamsOf(events, () => [meter]).filter((stream) => stream.meter === meter.key);

type Whole = Pick<Rollup, 'distinct' | 'percentile'>;

/** Values up to this length are collected as they are; a digest is longer. */
const longestAsItIs = 40;
/**
 * A value to be counted, or its digest. No meter has limited the values of a trial, they stay in memory, and V8
 * hashes long texts by their length alone, so that a set of them would compare each with all others.
 */
const shortened = (value: string): string =>
  value.length <= longestAsItIs ? value : hash('sha256', value, 'base64');

/** Sums the events of a meter, page by page. */
export function newTally(meter: StreamMeter, zone: string) {
  const sums = new Map<string, CellRollup>();
  const values = new Map<string, Set<string>>();
  const samples = new Map<string, Map<number, string>>();
  const placeOf = <T>(map: Map<string, T>, cell: string, make: () => T): T => {
    const place = map.get(cell) ?? make();
    map.set(cell, place);
    return place;
  };
  const addValues = (stream: StreamEvents, property: string): void => {
    for (const event of stream.events) {
      const value = propertyOf(event.properties, property);
      if (value === undefined) continue;
      const counted = shortened(typeof value === 'string' ? value : JSON.stringify(value));
      for (const cell of new Set([stream.cell, wholeCell]))
        placeOf(values, cell, () => new Set<string>()).add(counted);
    }
  };
  const addSamples = (stream: StreamEvents, { from, to }: ServedSpan): void => {
    for (const { start, sum } of sampleDeltas(stream, zone, sampleMinutesOf(meter)).filter(
      (sample) => sample.start >= from && sample.start < to,
    ))
      for (const cell of new Set([stream.cell, wholeCell])) {
        const known = placeOf(samples, cell, () => new Map<number, string>());
        known.set(
          start.getTime(),
          decimalText(decimal(known.get(start.getTime()) ?? '0').plus(decimal(sum))),
        );
      }
  };
  const measuresOf = (cell: string, sampleCount: number): Whole => {
    const distinct = values.get(cell);
    const sampled = [...(samples.get(cell)?.values() ?? [])].map(decimal);
    return {
      ...(distinct && { distinct: BigInt(distinct.size) }),
      ...(sampled.length > 0 && {
        percentile: decimalText(percentileOf(sampled, Math.max(sampleCount, sampled.length), meter.p ?? 100)),
      }),
    };
  };
  return {
    add: (stream: StreamEvents): void => {
      const known = sums.get(stream.cell);
      const more = deltasOf([stream], () => zone).months.map(cellOfDelta);
      sums.set(stream.cell, joinedCell(stream.cell, known ? [known, ...more] : more, {}));
      if (meter.aggregation === 'unique_count' && meter.property) addValues(stream, meter.property);
    },
    /** Adds to the samples that begin in a span. */
    addSamples,
    result: (sampleCount: number): { cells: CellRollup[]; whole: Whole } => ({
      // A sample may begin in an earlier period than its events’ hours: it is then all that its cell has.
      cells: [...new Set([...sums.keys(), ...samples.keys()])]
        .filter((cell) => sums.has(cell) || cell !== wholeCell || meter.dimensions.length === 0)
        .toSorted()
        .map((cell) => {
          const known = sums.get(cell);
          return joinedCell(cell, known ? [known] : [], measuresOf(cell, sampleCount));
        }),
      whole: measuresOf(wholeCell, sampleCount),
    }),
  };
}

const cellOfDelta = ({ count, ...delta }: Delta): CellRollup => ({ ...delta, eventCount: count });

/** Combines rollups of one cell. */
function joinedCell(cell: string, rollups: readonly CellRollup[], measures: Whole): CellRollup {
  const latest = latestCell(rollups);
  return {
    ...joinCells(rollups, measures),
    cell,
    lastAt: latest?.lastAt ?? new Date(0),
    lastEvent: latest?.lastEvent ?? '',
  };
}
