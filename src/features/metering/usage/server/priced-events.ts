// The events that charges price one by one, wherever they are stored.
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { usageErrors } from '../contract.ts';
import { hourOfTime, isLater } from '../rules-deltas.ts';
import { countedArchivedEvents, type ArchivedEvent } from './archived-events.ts';
import { eventsLeftUntil } from './months-left.ts';
import { eventsOfParts, type PricedEvent, type PricedPart } from './store-priced-events.ts';

/**
 * Returns the events of parts in order of time, without canceled ones; `eventType` is the meter's, `ownType`
 * that of the service's own meter. The caller applies the meter's filter. Throws like `archivedEvents`.
 */
export async function pricedEvents(ctx: Ctx, parts: readonly PricedPart[]): Promise<PricedEvent[]> {
  const stored = await eventsOfParts(ctx, parts);
  const archived: PricedEvent[] = [];
  for (const [subscriptionId, own] of Map.groupBy(parts, (part) => part.subscriptionId)) {
    const from = new Date(Math.min(...own.map((part) => part.from.getTime())));
    const to = new Date(Math.max(...own.map((part) => part.to.getTime())));
    for await (const events of countedArchivedEvents(ctx, { subscriptionId, from, to }))
      for (const { key, meter, ...part } of own)
        for (const { source, id, time, value, properties } of eventsIn(part, events))
          archived.push({ key, meter, source, id, time, value, properties });
  }
  return archived.length === 0
    ? stored
    : [...stored, ...archived].toSorted((a, b) => (isLater(a, b) ? 1 : -1));
}

/** The archived events of a type whose hours begin in [from, to). */
export const eventsIn = (
  { from, to, zone, eventType, ownType }: Omit<PricedPart, 'key' | 'subscriptionId' | 'meter'>,
  events: readonly ArchivedEvent[],
): ArchivedEvent[] =>
  events.filter(({ time, type }) => {
    const hour = hourOfTime(time, zone);
    return hour >= from && hour < to && (type ?? ownType) === eventType;
  });

/**
 * Asserts that none of the events that a period, beginning at `from`, counted is missing: what depends on
 * single events cannot be computed from sums once they were deleted.
 * @throws DomainError `usage.events_deleted`
 */
export async function assertNoneDeleted(
  ctx: Ctx,
  { found, counted }: { readonly found: bigint; readonly counted: bigint },
  from: Date,
): Promise<void> {
  if (found >= counted) return;
  const until = await eventsLeftUntil(ctx);
  // Elsewhere, the events were read a moment after their sums.
  if (until === null || from >= until) return;
  throw domainError(usageErrors, 'usage.events_deleted');
}
