// What events add to the hours, days and months of their streams.
import { unitsText, wireUnits } from '#kernel/decimal.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { dayOf, hourOf, monthOfDay } from '#kernel/time.ts';
import { byKey } from '#kernel/order.ts';
import type { MeteredEvent } from './rules.ts';
import type { Stream, StreamEvents } from './rules-streams.ts';

/** The increment of a batch to one hour, day or month of one stream. */
export type Delta = Stream & {
  readonly count: bigint;
  readonly sum: string;
  readonly max: string;
  readonly min: string;
  readonly lastValue: string;
  readonly lastAt: Date;
  readonly lastEvent: string;
};
type Sum = { count: number; sum: bigint; max: bigint; min: bigint; last: MeteredEvent };

// No time zone shifts its clock within a quarter of an hour, so events of one subscription in the same
// quarter share their hour and month.
const slotMs = 15 * 60_000;
type Slot = { readonly hour: number; readonly day: LocalDay; readonly month: BillingMonth };
const slots = new Map<string, Slot>();
const maxSlots = 20_000;

/** Returns the hour, day and month of a quarter of an hour in a zone; each is computed once. */
function slotOf(slot: number, zone: string): Slot {
  const key = `${slot} ${zone}`;
  const known = slots.get(key);
  if (known) return known;
  if (slots.size >= maxSlots) slots.clear();
  const time = new Date(slot * slotMs);
  const day = dayOf(time, zone);
  const made = { hour: hourOf(time, zone).getTime(), day, month: monthOfDay(day) };
  slots.set(key, made);
  return made;
}

/** The month of an instant in a time zone, computed once per quarter of an hour. */
export const monthOfTime = (time: Date, zone: string): BillingMonth => slotAt(time, zone).month;
/** The start of the hour that contains an instant in a time zone. */
export const hourOfTime = (time: Date, zone: string): Date => new Date(slotAt(time, zone).hour);
const slotAt = (time: Date, zone: string): Slot => slotOf(Math.floor(time.getTime() / slotMs), zone);

/** A sort key by source, then id, with the same order in JavaScript and in the database. */
export const eventName = (event: { readonly source: string; readonly id: string }): string =>
  `${event.source}\n${event.id}`;

/**
 * Compares texts by Unicode code points, which is also the order of their UTF-8 bytes in the database
 * (JavaScript compares UTF-16 units).
 */
export function isAfter(a: string, b: string): boolean {
  for (let index = 0; ; index++) {
    const [x, y] = [a.codePointAt(index), b.codePointAt(index)];
    if (x === undefined || y === undefined) return a.length > b.length;
    if (x !== y) return x > y;
  }
}

type EventPlace = Pick<MeteredEvent, 'time' | 'source' | 'id'>;

/**
 * Of two events with the same time, the one with the greater id counts as later, so the order of arrival does
 * not matter.
 */
export function isLater(a: EventPlace, b: EventPlace): boolean {
  const difference = a.time.getTime() - b.time.getTime();
  return difference === 0 ? isAfter(eventName(a), eventName(b)) : difference > 0;
}

function merge(existing: Sum, more: Sum): void {
  existing.count += more.count;
  existing.sum += more.sum;
  if (more.max > existing.max) existing.max = more.max;
  if (more.min < existing.min) existing.min = more.min;
  if (isLater(more.last, existing.last)) existing.last = more.last;
}

/**
 * Sums a stream's events per quarter of an hour: one lookup per event, since most batches span few quarters.
 */
function sumsBySlot(events: readonly MeteredEvent[]): Map<number, Sum> {
  const quarters = new Map<number, Sum>();
  for (const event of events) {
    const units = wireUnits(event.value);
    const slot = Math.floor(event.time.getTime() / slotMs);
    const existing = quarters.get(slot);
    if (!existing) {
      quarters.set(slot, { count: 1, sum: units, max: units, min: units, last: event });
      continue;
    }
    existing.count++;
    existing.sum += units;
    if (units > existing.max) existing.max = units;
    if (units < existing.min) existing.min = units;
    if (isLater(event, existing.last)) existing.last = event;
  }
  return quarters;
}

/** What events add to their hours, days and months; each list is ordered by {@link keyOf}. */
export type PeriodDeltas = {
  readonly hours: (Delta & { hour: Date })[];
  readonly days: (Delta & { day: LocalDay })[];
  readonly months: (Delta & { month: BillingMonth })[];
};

/**
 * Identifies a stream. Keys sort like the columns in the database because no part contains a character below
 * the line break.
 */
export const streamKey = ({ subscriptionId, meter, cell }: Stream): string =>
  `${subscriptionId}\n${meter}\n${cell}`;

/**
 * Computes what the events of some streams add to their hours, days and months; `zoneOf` returns a
 * subscription's time zone.
 */
export function deltasOf(
  streams: readonly StreamEvents[],
  zoneOf: (subscriptionId: string) => string,
): PeriodDeltas {
  type Place<T> = { readonly stream: Stream; readonly at: T; readonly sum: Sum };
  const [hours, days, months] = [
    new Map<string, Place<number>>(),
    new Map<string, Place<LocalDay>>(),
    new Map<string, Place<BillingMonth>>(),
  ];
  const add = <T extends string | number>(
    places: Map<string, Place<T>>,
    stream: Stream,
    name: string,
    at: T,
    sum: Sum,
  ): void => {
    const key = `${name}\n${at}`;
    const existing = places.get(key);
    if (existing) merge(existing.sum, sum);
    else places.set(key, { stream, at, sum: { ...sum } });
  };
  for (const stream of streams) {
    const zone = zoneOf(stream.subscriptionId);
    const name = streamKey(stream);
    for (const [slot, sum] of sumsBySlot(stream.events)) {
      const { hour, day, month } = slotOf(slot, zone);
      add(hours, stream, name, hour, sum);
      add(days, stream, name, day, sum);
      add(months, stream, name, month, sum);
    }
  }
  const ordered = <T, More>(places: Map<string, Place<T>>, more: (at: T) => More): (Delta & More)[] =>
    [...places].toSorted(byKey).map(
      ([
        ,
        {
          stream: { subscriptionId, meter, cell },
          at,
          sum,
        },
      ]) => ({
        subscriptionId,
        meter,
        cell,
        count: BigInt(sum.count),
        sum: unitsText(sum.sum),
        max: unitsText(sum.max),
        min: unitsText(sum.min),
        lastValue: sum.last.value,
        lastAt: sum.last.time,
        lastEvent: eventName(sum.last),
        ...more(at),
      }),
    );
  return {
    hours: ordered(hours, (hour) => ({ hour: new Date(hour) })),
    days: ordered(days, (day) => ({ day })),
    months: ordered(months, (month) => ({ month })),
  };
}
