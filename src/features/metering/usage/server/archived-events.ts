// Reads the events of archived months.
import { hourMs } from '#kernel/durations.ts';
import { domainError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { monthOf, monthPeriod } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { usageErrors } from '../contract.ts';
import { isAfter } from '../rules-deltas.ts';
import { meetsFilter, type EventFilter } from '../rules-event-filter.ts';
import { otherValue } from '../rules-dimensions.ts';
import { ArchiveDamaged, EventStoreUnavailable } from './archive-errors.ts';
import { eventsLeftUntil } from './months-left.ts';
import { archiveOf } from './open-event-archive.ts';
import { archivesOf, takenBack, type ArchivedMonth, type ArchivedRow } from './store-archive.ts';
import { dimensionValues } from './store-dimensions.ts';
import type { EventRange } from './store-event-filter.ts';
import { eventKey, type ListPlace, type StoredEvent } from './store-events.ts';

const utc = 'UTC';

/** A page of an event list: the maximum number of events, and the event after which it starts. */
type EventPage = { readonly limit: number; readonly after: ListPlace | null };

/** The order of lists: newest first, then by source and id, as the database compares them. */
function isListedBefore(a: ListPlace, b: ListPlace): boolean {
  const difference = a.time.getTime() - b.time.getTime();
  if (difference !== 0) return difference > 0;
  return a.source === b.source ? isAfter(a.id, b.id) : isAfter(a.source, b.source);
}

/** Returns the first events in list order, at most `limit`. */
export const latestOf = <E extends ListPlace>(events: readonly E[], limit: number): E[] =>
  events.toSorted((a, b) => (isListedBefore(a, b) ? -1 : 1)).slice(0, limit);

/**
 * Returns the archived events of a page; none if the database's own events fill it and come first.
 * @param stored the page of events from the database
 * @throws DomainError `usage.archive_unreadable` when a file is damaged; FilesUnavailable when the file store
 * cannot be reached
 */
export async function archivedEvents(
  ctx: Ctx,
  range: EventRange,
  filter: EventFilter,
  { limit, after }: EventPage,
  stored: readonly StoredEvent[],
): Promise<StoredEvent[]> {
  const lastStored = stored.length < limit ? undefined : stored.at(-1);
  const from = latest(range.start, lastStored?.time ?? null);
  const until = earliest(range.end, after && new Date(after.time.getTime() + 1));
  let found: ArchivedEvent[] = [];
  let reading: BillingMonth | undefined;
  for (const archived of await archivesOf(ctx, { ...range, start: from, end: until })) {
    // Months before the one that fills the page come later in the list.
    if (found.length === limit && archived.month !== reading) break;
    reading = archived.month;
    const { isLatestFirst } = archiveOf(ctx.app, archived.kind);
    for await (const rows of matching(ctx, { ...range, start: from, end: until }, filter, archived)) {
      const behind = rows.filter((row) => after === null || isListedBefore(after, row));
      const last = found.at(-1);
      found = latestOf([...found, ...behind], limit);
      // No event of this portion comes before those already found.
      if (isLatestFirst && found.length === limit && last === found.at(-1)) break;
    }
  }
  const voided = await takenBack(ctx, found);
  return found.map(({ sourceId, type: _type, voidsSourceId: _voidsSourceId, ...event }) => ({
    ...event,
    voided: voided.has(eventKey({ sourceId, id: event.id })),
  }));
}

/** Counts the archived events of a list. Throws like {@link archivedEvents}. */
export async function archivedCount(ctx: Ctx, range: EventRange, filter: EventFilter): Promise<number> {
  let count = 0;
  for (const month of await archivesOf(ctx, range))
    for await (const rows of matching(ctx, range, filter, month)) count += rows.length;
  return count;
}

/**
 * Yields the archived events of a subscription in [start, end), corrections included, in portions and no
 * particular order. Throws like {@link archivedEvents}.
 */
export async function* everyArchivedEvent(
  ctx: Ctx,
  { subscriptionId, start = null, end = null }: Pick<EventRange, 'subscriptionId'> & Partial<EventRange>,
): AsyncGenerator<readonly ArchivedEvent[], void, void> {
  const range = { subscriptionId, start, end, zone: utc };
  for (const archived of await archivesOf(ctx, range))
    yield* matching(ctx, range, { group: null, types: null }, archived);
}

/**
 * Yields the archived events of a subscription that count in [from, to), or whose hour begins there, in
 * portions and no particular order: without corrections and what they canceled. Throws like {@link
 * archivedEvents}.
 */
export async function* countedArchivedEvents(
  ctx: Ctx,
  { subscriptionId, from, to }: { readonly subscriptionId: string; readonly from: Date; readonly to: Date },
): AsyncGenerator<readonly ArchivedEvent[], void, void> {
  const until = await eventsLeftUntil(ctx);
  if (until === null || from >= until) return;
  // The last hour begins before the end.
  const range = { subscriptionId, start: from, end: new Date(to.getTime() + hourMs) };
  for await (const events of everyArchivedEvent(ctx, range)) {
    const voided = await takenBack(ctx, events);
    yield events.filter((event) => event.voids === null && !voided.has(eventKey(event)));
  }
}

/** An archived event or correction; the numbers are those of sources. */
export type ArchivedEvent = Omit<StoredEvent, 'voided'> & {
  readonly sourceId: number;
  readonly type: string | null;
  readonly voidsSourceId: number | null;
};

/** Yields a month's events in the range that meet the filter, in portions. */
async function* matching(
  ctx: Ctx,
  { subscriptionId, start, end, zone }: EventRange,
  filter: EventFilter,
  archived: ArchivedMonth,
): AsyncGenerator<ArchivedEvent[], void, void> {
  const { start: from, end: to } = monthPeriod(archived.month, utc);
  const isCountedApart = await countedApart(ctx, subscriptionId, filter, [
    monthOf(from, zone),
    monthOf(new Date(to.getTime() - 1), zone),
  ]);
  try {
    for await (const rows of archiveOf(ctx.app, archived.kind).eventsOf(archived, {
      subscriptionId,
      start,
      end,
    }))
      yield rows
        .map(eventOf)
        .filter((event) =>
          meetsFilter(filter, event, (dimension, value) =>
            isCountedApart(monthOf(event.time, zone), dimension, value),
          ),
        );
  } catch (error) {
    if (!(error instanceof ArchiveDamaged || error instanceof EventStoreUnavailable)) throw error;
    ctx.app.log.error({ err: error }, 'archived events cannot be read');
    throw error instanceof ArchiveDamaged
      ? domainError(usageErrors, 'usage.archive_unreadable', { file: error.part })
      : domainError(usageErrors, 'usage.event_store_unavailable', { retryAfter: retryAfterSeconds });
  }
}

const retryAfterSeconds = 10;

/**
 * Returns which values of a property are counted separately in some months; queried only if the filter
 * selects the other values.
 */
async function countedApart(
  ctx: Ctx,
  subscriptionId: string,
  { group }: EventFilter,
  months: readonly ReturnType<typeof monthOf>[],
): Promise<(month: string, dimension: string, value: string) => boolean> {
  if (group?.by !== 'property' || group.value !== otherValue) return () => false;
  const values = await dimensionValues(
    ctx,
    [...new Set(months)].map((month) => ({ subscriptionId, month })),
  );
  const known = new Set(values.map((each) => `${each.month} ${each.dimension} ${each.value}`));
  return (month, dimension, value) => known.has(`${month} ${dimension} ${value}`);
}

const eventOf = (row: ArchivedRow): ArchivedEvent => ({
  source: row.source,
  sourceId: row.sourceId,
  id: row.id,
  // The file holds what the database held, so the casts are safe.
  subscriptionId: row.subscriptionId as Id<'sub'>,
  keyId: row.keyId as Id<'key'> | null,
  time: new Date(row.time),
  value: row.value,
  receivedAt: new Date(row.receivedAt),
  type: row.type,
  properties: row.properties === null ? null : (JSON.parse(row.properties) as Record<string, unknown>),
  voids: row.voids,
  voidsSourceId: row.voidsSourceId,
});

const latest = (a: Date | null, b: Date | null): Date | null => (a !== null && (b === null || a > b) ? a : b);
const earliest = (a: Date | null, b: Date | null): Date | null =>
  a !== null && (b === null || a < b) ? a : b;
