// The events that a bill counted, wherever they are stored.
import { hourMs } from '#kernel/durations.ts';
import { dayOf, dayPeriod, monthPeriod } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { hourOfTime, isLater } from '../rules-deltas.ts';
import { everyArchivedEvent, type ArchivedEvent } from './archived-events.ts';
import { eventsLeftUntil } from './months-left.ts';
import { archivesOf } from './store-archive.ts';
import { countEvents, eventKey } from './store-events.ts';
import {
  lastStoredEventBefore,
  storedEventsOfBill,
  type BilledEvent,
  type EarlierEvent,
  type EventsPlace,
  type TypedPlace,
} from './store-events-of-bill.ts';
import { sourcesOf } from './store-sources.ts';

/** A subscription's events, or why they cannot be given. */
export type EventsOfBill =
  | { readonly events: readonly BilledEvent[] }
  | { readonly missing: 'too_many' | 'deleted' };

/**
 * Returns the events of a subscription whose hours begin in [from, to) and that were stored by a given time,
 * including corrections, in order of time; at most `most`. Throws like `archivedEvents`.
 */
export async function eventsOfBill(
  ctx: Ctx,
  place: EventsPlace,
  until: Date,
  most: number,
): Promise<EventsOfBill> {
  const left = await eventsLeftUntil(ctx);
  if (left === null || place.from >= left) {
    const events = await storedEventsOfBill(ctx, place, until, most + 1);
    return events.length > most ? { missing: 'too_many' } : { events };
  }
  // Counted before the events are read, so that none that arrives meanwhile seems to be missing.
  const counted = await countEvents(ctx, place.subscriptionId, place.from, place.to);
  const stored = await storedEventsOfBill(ctx, place, ctx.now, most + 1);
  const archived: ArchivedEvent[] = [];
  const end = new Date(place.to.getTime() + hourMs);
  for await (const events of everyArchivedEvent(ctx, { ...place, start: place.from, end })) {
    archived.push(...events.filter(({ time }) => isIn(place, time)));
    if (stored.length + archived.length > most) return { missing: 'too_many' };
  }
  if (stored.length + archived.length < counted) return { missing: 'deleted' };
  return {
    events: [...stored, ...(await billed(ctx, archived, place.zone))]
      .filter(({ receivedAt }) => receivedAt <= until)
      .toSorted((a, b) => (isLater(a, b) ? 1 : -1)),
  };
}

function isIn({ from, to, zone }: EventsPlace, time: Date): boolean {
  const hour = hourOfTime(time, zone);
  return hour >= from && hour < to;
}

async function billed(ctx: Ctx, events: readonly ArchivedEvent[], zone: string): Promise<BilledEvent[]> {
  const sources = await sourcesOf(
    ctx.db,
    events.flatMap(({ voidsSourceId }) => voidsSourceId ?? []),
  );
  return events.map(({ source, id, time, receivedAt, value, type, properties, voids, voidsSourceId }) => ({
    source,
    id,
    time,
    receivedAt,
    hour: hourOfTime(time, zone),
    day: dayPeriod(dayOf(time, zone), zone).start,
    value,
    type,
    properties,
    cancelsSource: voidsSourceId === null ? null : (sources.get(voidsSourceId) ?? null),
    cancelsId: voids,
  }));
}

/**
 * Returns the last event of a type before a place that was stored, and not canceled, by a given time. Throws
 * like `archivedEvents`.
 */
export async function lastEventBefore(
  ctx: Ctx,
  place: TypedPlace,
  until: Date,
): Promise<EarlierEvent | undefined> {
  const stored = await lastStoredEventBefore(ctx, place, until);
  if ((await eventsLeftUntil(ctx)) === null) return stored;
  const { subscriptionId, from } = place;
  const after = stored?.time ?? null;
  const archives = await archivesOf(ctx, { subscriptionId, start: after, end: from });
  // Latest month first.
  for (const month of new Set(archives.map((archived) => archived.month))) {
    const { start, end } = monthPeriod(month, 'UTC');
    const events: ArchivedEvent[] = [];
    const range = { subscriptionId, start, end: end < from ? end : from };
    for await (const some of everyArchivedEvent(ctx, range)) events.push(...some);
    const last = lastOf(events, place, until);
    if (last) return stored && isLater(stored, last) ? stored : last;
  }
  return stored;
}

/** The last event of a month that was stored, and not canceled, by a given time. */
function lastOf(
  events: readonly ArchivedEvent[],
  { type: { type, isOwn } }: TypedPlace,
  until: Date,
): ArchivedEvent | undefined {
  const known = events.filter(({ receivedAt }) => receivedAt <= until);
  // A correction is stored at the time of the event that it cancels, so both are in the same month.
  const canceled = new Set(
    known.flatMap(({ voids, voidsSourceId }) =>
      voids === null || voidsSourceId === null ? [] : [eventKey({ sourceId: voidsSourceId, id: voids })],
    ),
  );
  return known
    .filter(
      (event) =>
        event.voids === null &&
        (event.type === null ? isOwn : event.type === type) &&
        !canceled.has(eventKey(event)),
    )
    .reduce<ArchivedEvent | undefined>(
      (last, event) => (last && isLater(last, event) ? last : event),
      undefined,
    );
}
