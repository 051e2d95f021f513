// The events that charges price one by one, wherever they are stored.
import { domainError } from '#kernel/errors.ts';
import { hourMs } from '#kernel/durations.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { usageErrors } from '../contract.ts';
import { hourOfTime, isLater } from '../rules-deltas.ts';
import { everyArchivedEvent } from './archived-events.ts';
import { eventsLeftUntil } from './months-left.ts';
import { takenBack } from './store-archive.ts';
import { eventsOfParts, type PricedEvent, type PricedPart } from './store-charge-usage.ts';
import { eventKey } from './store-events.ts';

/**
 * Returns the events of parts in order of time, without canceled ones; `eventType` is the meter's, `ownType`
 * that of the service's own meter. The caller applies the meter's filter. Throws like `archivedEvents`.
 */
export async function pricedEvents(ctx: Ctx, parts: readonly PricedPart[]): Promise<PricedEvent[]> {
  const stored = await eventsOfParts(ctx, parts);
  const until = parts.length === 0 ? null : await eventsLeftUntil(ctx);
  const archived = until === null ? [] : await archivedOf(ctx, parts, until);
  return archived.length === 0
    ? stored
    : [...stored, ...archived].toSorted((a, b) => (isLater(a, b) ? 1 : -1));
}

/** Returns the archived events of parts that begin before `until`. */
async function archivedOf(ctx: Ctx, parts: readonly PricedPart[], until: Date): Promise<PricedEvent[]> {
  const found: PricedEvent[] = [];
  const before = Map.groupBy(
    parts.filter(({ from }) => from < until),
    ({ subscriptionId }) => subscriptionId,
  );
  for (const [subscriptionId, own] of before) {
    const start = new Date(Math.min(...own.map(({ from }) => from.getTime())));
    // The last hour of a part begins before its end.
    const end = new Date(Math.max(...own.map(({ to }) => to.getTime() + hourMs)));
    for await (const events of everyArchivedEvent(ctx, { subscriptionId, start, end })) {
      const voided = await takenBack(ctx, events);
      const counted = events.filter((event) => event.voids === null && !voided.has(eventKey(event)));
      for (const { key, meter, from, to, zone, eventType, ownType } of own)
        for (const { source, id, time, value, properties, type } of counted) {
          const hour = hourOfTime(time, zone);
          if (hour >= from && hour < to && (type ?? ownType) === eventType)
            found.push({ key, meter, source, id, time, value, properties });
        }
    }
  }
  return found;
}

/**
 * Asserts that none of the events that a period, beginning at `from`, counted is missing: what depends on single events cannot be
 * computed from sums once they were deleted.
 * @throws DomainError `usage.events_deleted`
 */
export async function assertNoneDeleted(
  ctx: Ctx,
  { found, counted }: { readonly found: number; readonly counted: bigint },
  from: Date,
): Promise<void> {
  if (BigInt(found) >= counted) return;
  const until = await eventsLeftUntil(ctx);
  // Elsewhere, the events were read a moment after their sums.
  if (until === null || from >= until) return;
  throw domainError(usageErrors, 'usage.events_deleted');
}
