// The events of percentage charges as blocks: an hour is one block where its sums determine the price, and its
// single events are read only where they do not (rules-percentage.ts).
import { decimal } from '#kernel/decimal.ts';
import { hourMs } from '#kernel/durations.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { blockOf, neededEvents, type EventBlock, type Percentage } from '#features/selling/rating/rules.ts';
import { servedSpans } from '../rules-levels.ts';
import { unmetFilter } from '../rules-streams.ts';
import { countedArchivedEvents } from './archived-events.ts';
import { isCountedIn, partsOf, type MeteredTime } from './charge-usage.ts';
import { assertNoneDeleted, eventsIn, pricedEvents } from './priced-events.ts';
import { eventsIdOf } from './rating-context.ts';
import {
  countedValues,
  hoursOfParts,
  type CountedPart,
  type HourOfEvents,
  type PricedPart,
} from './store-priced-events.ts';

/** A period whose usage a percentage charge prices; `key` identifies it among others. */
export type PricedTime = {
  readonly key: string;
  readonly time: MeteredTime;
  readonly charge: Percentage;
};

/**
 * Returns the events of some periods by key, as blocks that determine the price of their charge; with
 * `everyEvent`, as single ones, for a price of other values.
 * @throws DomainError `usage.events_deleted` if events are needed that were deleted
 */
export async function eventBlocks(
  ctx: Ctx,
  times: readonly PricedTime[],
  { everyEvent }: { readonly everyEvent: boolean },
): Promise<ReadonlyMap<string, readonly EventBlock[]>> {
  const hours = Map.groupBy(
    await hoursOfParts(
      ctx,
      times.flatMap(({ key, time }) => partsOf(time).map((part) => ({ ...part, key }))),
    ),
    ({ key }) => key,
  );
  const found = new Map<string, readonly EventBlock[]>();
  for (const each of times) {
    const own = hours.get(each.key) ?? [];
    const whole = own.map(blockOfHour);
    const { inOrder, inAnyOrder } = everyEvent
      ? { inOrder: [...own.keys()], inAnyOrder: [] }
      : neededEvents(each.charge, whole);
    const at = (places: readonly number[]): HourOfEvents[] => places.flatMap((place) => own[place] ?? []);
    const single = await singleEvents(ctx, each, at(inOrder));
    const counted = await valuesOf(ctx, each, at(inAnyOrder));
    const opened = new Set([...inOrder, ...inAnyOrder]);
    const first = inOrder[0] ?? 0;
    found.set(each.key, [
      ...whole.slice(0, first),
      ...single,
      ...whole.filter((_, place) => place >= first && !opened.has(place)),
      ...counted,
    ]);
  }
  return found;
}

const blockOfHour = ({ count, sum, min, max }: HourOfEvents): EventBlock => ({
  count: Number(count),
  sum: decimal(sum),
  // Unknown in hours that were counted before it was recorded: as if values had both signs.
  min: decimal(min ?? '-1'),
  max: decimal(max),
});

const countOf = (hours: readonly HourOfEvents[]): bigint => hours.reduce((sum, { count }) => sum + count, 0n);

/** The hours as parts; hours in a row are one part. */
function partsOfHours({ key, time }: PricedTime, hours: readonly HourOfEvents[]): PricedPart[] {
  const spans: { from: Date; to: Date }[] = [];
  for (const { hour } of hours) {
    const to = new Date(hour.getTime() + hourMs);
    const last = spans.at(-1);
    if (last?.to.getTime() === hour.getTime()) last.to = to;
    else spans.push({ from: hour, to });
  }
  return spans.map((span) => ({
    ...span,
    key,
    meter: time.meter.key,
    subscriptionId: eventsIdOf(time.subscription),
    zone: time.subscription.timeZone,
    eventType: time.meter.eventType,
    ownType: time.ownType,
  }));
}

/** The events of hours, in order. */
async function singleEvents(
  ctx: Ctx,
  each: PricedTime,
  hours: readonly HourOfEvents[],
): Promise<EventBlock[]> {
  const [first] = hours;
  if (!first) return [];
  const events = (await pricedEvents(ctx, partsOfHours(each, hours))).filter((event) =>
    isCountedIn(each.time, event),
  );
  await assertNoneDeleted(ctx, { found: BigInt(events.length), counted: countOf(hours) }, first.hour);
  return events.map(({ value }) => blockOf(decimal(value)));
}

/** The events of hours, those with the same value together. */
async function valuesOf(ctx: Ctx, each: PricedTime, hours: readonly HourOfEvents[]): Promise<EventBlock[]> {
  const [first] = hours;
  if (!first) return [];
  const { meter } = each.time;
  const parts = partsOfHours(each, hours);
  const counts = new Map<string, bigint>();
  const add = (value: string, count: bigint): void =>
    void counts.set(value, (counts.get(value) ?? 0n) + count);
  const wanted = parts.flatMap((part) => countedParts(each.time, part));
  for (const { value, properties, count } of await countedValues(ctx, wanted))
    if (unmetFilter(meter, properties) === undefined) add(value, count);
  for (const part of parts)
    for await (const events of countedArchivedEvents(ctx, part))
      for (const event of eventsIn(part, events)) if (isCountedIn(each.time, event)) add(event.value, 1n);
  const found = [...counts.values()].reduce((sum, count) => sum + count, 0n);
  await assertNoneDeleted(ctx, { found, counted: countOf(hours) }, first.hour);
  return [...counts].map(([value, count]) => blockOf(decimal(value), Number(count)));
}

/** A part, cut to the times in which the subscription counts events: an add-on counts only while it runs. */
function countedParts({ subscription, meter }: MeteredTime, part: PricedPart): CountedPart[] {
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
}
