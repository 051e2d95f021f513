// The events of percentage charges as blocks: an hour is one block where its sums determine the price, and its
// single events are read only where they do not (rules-percentage.ts).
import { decimal, zero, type Decimal } from '#kernel/decimal.ts';
import { hourMs } from '#kernel/durations.ts';
import { yieldToEventLoop } from '#platform/server/jobs/yield-to-event-loop.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  blockOf,
  grownBlock,
  joinBlocks,
  neededEvents,
  paidGroupOf,
  type EventBlock,
  type Percentage,
} from '#features/selling/rating/rules.ts';
import { hourOfTime } from '../rules-deltas.ts';
import { servedSpans } from '../rules-levels.ts';
import { unmetFilter } from '../rules-streams.ts';
import { countedArchivedEvents, type ArchivedEvent } from './archived-events.ts';
import { isCountedIn, partsOf, type MeteredTime } from './charge-usage.ts';
import { assertNoneDeleted, eventsIn, pricedEvents } from './priced-events.ts';
import { eventsIdOf } from './rating-context.ts';
import {
  countedSigns,
  countedValues,
  hoursOfParts,
  type CountedPart,
  type HourOfEvents,
  type PricedPart,
} from './store-priced-events.ts';

/** Events of an hour: all of them, or only those with negative or with other values. */
export type HourBlock = { readonly hour: Date; readonly block: EventBlock };

/**
 * A period whose usage a percentage charge prices; `key` identifies it among others. `hours` are given where
 * no rollups are: of a meter that has not counted yet.
 */
export type PricedTime = {
  readonly key: string;
  readonly time: MeteredTime;
  readonly charge: Percentage;
  readonly hours?: readonly HourBlock[] | undefined;
};

/**
 * Returns the events of some periods by key, as blocks that determine the price of their charge when all
 * values are multiplied by `growth`; the blocks themselves are not.
 * @throws DomainError `usage.events_deleted` if events are needed that were deleted
 */
export async function eventBlocks(
  ctx: Ctx,
  times: readonly PricedTime[],
  { growth }: { readonly growth: Decimal },
): Promise<ReadonlyMap<string, readonly EventBlock[]>> {
  const counted = Map.groupBy(
    await hoursOfParts(
      ctx,
      times
        .filter(({ hours }) => hours === undefined)
        .flatMap(({ key, time }) => partsOf(time).map((part) => ({ ...part, key }))),
    ),
    ({ key }) => key,
  );
  const found = new Map<string, readonly EventBlock[]>();
  for (const each of times) {
    const hours = each.hours ?? (counted.get(each.key) ?? []).map(blockOfHour);
    found.set(each.key, await blocksOfHours(ctx, each, hours, growth));
  }
  return found;
}

async function blocksOfHours(
  ctx: Ctx,
  each: PricedTime,
  hours: readonly HourBlock[],
  growth: Decimal,
): Promise<EventBlock[]> {
  const { bySign, inOrder, inAnyOrder } = neededEvents(
    each.charge,
    hours.map(({ block }) => grownBlock(block, growth)),
  );
  const at = (places: readonly number[]): HourBlock[] => places.flatMap((place) => hours[place] ?? []);
  if (bySign.length > 0) {
    const split = new Set(bySign);
    const apart = await splitBySign(ctx, each, at(bySign));
    const others = hours.filter((_, place) => !split.has(place));
    return blocksOfHours(ctx, each, [...others, ...apart].toSorted(inOrderOfTime), growth);
  }
  const single = await singleEvents(ctx, each, at(inOrder));
  const paid = await paidEvents(ctx, each, at(inAnyOrder), growth);
  const opened = new Set([...inOrder, ...inAnyOrder]);
  const first = inOrder[0] ?? 0;
  const whole = hours.map(({ block }) => block);
  return [
    ...whole.slice(0, first),
    ...single,
    ...whole.filter((_, place) => place >= first && !opened.has(place)),
    ...paid,
  ];
}

export const inOrderOfTime = (a: HourBlock, b: HourBlock): number => a.hour.getTime() - b.hour.getTime();

const blockOfHour = ({ hour, count, sum, min, max }: HourOfEvents): HourBlock => ({
  hour,
  block: {
    count: Number(count),
    sum: decimal(sum),
    // Unknown in hours that were counted before it was recorded: as if values had both signs.
    min: decimal(min ?? '-1'),
    max: decimal(max),
  },
});

const countOf = (hours: readonly HourBlock[]): bigint =>
  hours.reduce((sum, { block }) => sum + BigInt(block.count), 0n);

/** Returns whether the blocks of some hours, of which none is negative, contain a value. */
function isContainedIn(hours: readonly HourBlock[]): (value: Decimal) => boolean {
  // Either hours with negative values have been split, or none have.
  const isSplit = hours.every(({ block }) => block.min.gte(zero));
  return (value) => !isSplit || value.gte(zero);
}

/**
 * The hours as parts; hours in a row are one part. A part ends after the start of its last hour: where clocks
 * shift by half an hour, the next hour may begin within it.
 */
function partsOfHours({ key, time }: PricedTime, hours: readonly HourBlock[]): PricedPart[] {
  const spans: { from: Date; last: Date }[] = [];
  for (const { hour } of hours) {
    const span = spans.at(-1);
    if (span && hour.getTime() - span.last.getTime() <= hourMs) span.last = hour;
    else spans.push({ from: hour, last: hour });
  }
  return spans.map(({ from, last }) => ({
    from,
    to: new Date(last.getTime() + 1),
    key,
    meter: time.meter.key,
    subscriptionId: eventsIdOf(time.subscription),
    zone: time.subscription.timeZone,
    eventType: time.meter.eventType,
    ownType: time.ownType,
  }));
}

/** The events of hours, in order. */
async function singleEvents(ctx: Ctx, each: PricedTime, hours: readonly HourBlock[]): Promise<EventBlock[]> {
  const [first] = hours;
  if (!first) return [];
  const isContained = isContainedIn(hours);
  const blocks = (await pricedEvents(ctx, partsOfHours(each, hours)))
    .filter((event) => isCountedIn(each.time, event))
    .map(({ value }) => blockOf(decimal(value)))
    .filter(({ sum }) => isContained(sum));
  await assertNoneDeleted(ctx, { found: BigInt(blocks.length), counted: countOf(hours) }, first.hour);
  return blocks;
}

/** Splits hours into a block of negative values and one of all others each, from their events. */
async function splitBySign(ctx: Ctx, each: PricedTime, hours: readonly HourBlock[]): Promise<HourBlock[]> {
  const [first] = hours;
  if (!first) return [];
  const found = blocksBySign();
  const parts = partsOfHours(each, hours);
  for (const row of await countedSigns(ctx, countedParts(each.time, parts)))
    if (unmetFilter(each.time.meter, row.properties) === undefined) found.add(blockOfHour(row));
  for await (const events of archivedOf(ctx, each, hours, parts))
    for (const { time, value } of events)
      found.add({ hour: hourOfTime(time, each.time.subscription.timeZone), block: blockOf(decimal(value)) });
  const apart = found.hours();
  await assertNoneDeleted(ctx, { found: countOf(apart), counted: countOf(hours) }, first.hour);
  return apart;
}

/** Collects events as blocks: for each hour one of negative values, and one of all others. */
export function blocksBySign() {
  const found = new Map<string, HourBlock>();
  return {
    /** Adds events whose values have one sign. */
    add: ({ hour, block }: HourBlock): void => {
      const key = `${hour.getTime()} ${block.max.lt(zero)}`;
      const known = found.get(key);
      found.set(key, { hour, block: known ? joinBlocks(known.block, block) : block });
    },
    hours: (): HourBlock[] => [...found.values()].toSorted(inOrderOfTime),
  };
}

/** The events of hours, which are all paid, as few blocks that have a price once they have grown. */
async function paidEvents(
  ctx: Ctx,
  each: PricedTime,
  hours: readonly HourBlock[],
  growth: Decimal,
): Promise<EventBlock[]> {
  const [first] = hours;
  if (!first) return [];
  const isContained = isContainedIn(hours);
  const groupOf = paidGroupOf(each.charge);
  const groups = new Map<string, EventBlock>();
  const add = (value: Decimal, count: number): void => {
    if (!isContained(value)) return;
    const group = groupOf(value.times(growth));
    const block = blockOf(value, count);
    const known = groups.get(group);
    groups.set(group, known ? joinBlocks(known, block) : block);
  };
  for (const some of portionsOf(hours)) {
    const rows = await countedValues(ctx, countedParts(each.time, partsOfHours(each, some)));
    for (const [place, { value, properties, count }] of rows.entries()) {
      if (unmetFilter(each.time.meter, properties) === undefined) add(decimal(value), Number(count));
      if (place % valuesAtOnce === valuesAtOnce - 1) await yieldToEventLoop();
    }
  }
  for await (const events of archivedOf(ctx, each, hours, partsOfHours(each, hours)))
    for (const { value } of events) add(decimal(value), 1);
  const blocks = [...groups.values()];
  const found = blocks.reduce((sum, { count }) => sum + BigInt(count), 0n);
  await assertNoneDeleted(ctx, { found, counted: countOf(hours) }, first.hour);
  return blocks;
}

/** Values that are looked at between two turns of the event loop. */
const valuesAtOnce = 5000;
/** Events whose values are read at a time, unless an hour has more. */
const eventsAtOnce = 50_000;

/** The hours in portions that do not have too many events. */
function* portionsOf(hours: readonly HourBlock[]): Generator<readonly HourBlock[], void, void> {
  let some: HourBlock[] = [];
  let events = 0;
  for (const each of hours) {
    if (some.length > 0 && events + each.block.count > eventsAtOnce) {
      yield some;
      [some, events] = [[], 0];
    }
    some.push(each);
    events += each.block.count;
  }
  if (some.length > 0) yield some;
}

/** Yields the archived events of some hours, read once however many there are. */
async function* archivedOf(
  ctx: Ctx,
  { time }: PricedTime,
  hours: readonly HourBlock[],
  parts: readonly PricedPart[],
): AsyncGenerator<readonly ArchivedEvent[], void, void> {
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last) return;
  const wanted = new Set(hours.map(({ hour }) => hour.getTime()));
  const whole = { ...first, to: last.to };
  for await (const events of countedArchivedEvents(ctx, whole))
    yield eventsIn(whole, events).filter(
      (event) => wanted.has(hourOfTime(event.time, whole.zone).getTime()) && isCountedIn(time, event),
    );
}

/** Parts, cut to the times in which the subscription counts events: an add-on counts only while it runs. */
const countedParts = ({ subscription, meter }: MeteredTime, parts: readonly PricedPart[]): CountedPart[] =>
  parts.flatMap((part) => {
    // The last hour begins before the end.
    const whole = { from: part.from, to: new Date(part.to.getTime() + hourMs) };
    const spans =
      subscription.parentId === null
        ? [whole]
        : servedSpans({ ...subscription, suspensions: [] }, whole.from, whole.to);
    return spans.map(({ from, to }) => ({
      ...part,
      countedFrom: from,
      countedTo: to,
      properties: Object.keys(meter.filter ?? {}),
    }));
  });
