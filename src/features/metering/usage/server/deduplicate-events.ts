// Step "deduplicate": an event, identified by source and id, counts exactly once; the same id with different
// content is a conflict.
import { trimDecimal } from '#kernel/decimal.ts';
import { withSortedKeys } from '#kernel/order.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  accepted,
  rejected,
  type IncomingEvent,
  type ItemResult,
  type UncountableEvent,
  type Respond,
} from './incoming-events.ts';
import {
  eventKey,
  knownEvents,
  insertKnownEvents,
  type KnownEvents,
  type NumberedEvent,
} from './store-events.ts';

/** An event with the same source and id as an earlier event of the same transaction. */
export type Repeat<E extends IncomingEvent = IncomingEvent> = { readonly repeat: E; readonly of: E };

/** Splits events into the first of each source and id, and the repeats of those. */
export function splitRepeats<E extends IncomingEvent>(
  incoming: readonly E[],
): { first: E[]; repeats: Repeat<E>[] } {
  const first = new Map<string, E>();
  const repeats: Repeat<E>[] = [];
  for (const each of incoming) {
    const key = eventKey(each.event);
    const of = first.get(key);
    if (of) repeats.push({ repeat: each, of });
    else first.set(key, each);
  }
  return { first: [...first.values()], repeats };
}

/**
 * Responds to events that cannot be counted: as repeats if they were counted before, otherwise with the
 * reason for the rejection.
 */
export async function rejectUnlessKnown(
  ctx: Ctx,
  uncountable: readonly UncountableEvent[],
  respond: Respond,
): Promise<void> {
  if (uncountable.length === 0) return;
  const { first, repeats } = splitRepeats(uncountable);
  const known = await knownEvents(ctx, eventsOf(first));
  const answer = (incoming: UncountableEvent, whenKnown: ItemResult): void =>
    respond(incoming, known.has(eventKey(incoming.event)) ? whenKnown : rejected(incoming.rejection));
  for (const each of first) answer(each, resultOf(each.event, known));
  for (const { repeat, of } of repeats)
    answer(repeat, isSameContent(repeat, of) ? resultOf(of.event, known) : conflict(repeat));
}

/** Records events as known in the database. Responds to those already known, and returns the new ones. */
export async function claimNewEvents(
  ctx: Ctx,
  incoming: readonly IncomingEvent[],
  respond: Respond,
): Promise<IncomingEvent[]> {
  if (incoming.length === 0) return [];
  const claimed = await insertKnownEvents(ctx, eventsOf(incoming));
  const isNew = ({ event }: IncomingEvent): boolean => claimed.has(eventKey(event));
  await answerKnown(
    ctx,
    incoming.filter((each) => !isNew(each)),
    respond,
  );
  return incoming.filter(isNew);
}

/** Responds to events that are already known, and returns the rest. */
export async function answerKnown(
  ctx: Ctx,
  incoming: readonly IncomingEvent[],
  respond: Respond,
): Promise<IncomingEvent[]> {
  if (incoming.length === 0) return [];
  const known = await knownEvents(ctx, eventsOf(incoming));
  return incoming.filter((each) => {
    if (!known.has(eventKey(each.event))) return true;
    respond(each, resultOf(each.event, known));
    return false;
  });
}

/**
 * Responds to repeats within a transaction: they get the result of the first one, and none of them counts.
 */
export function answerRepeats(
  repeats: readonly Repeat[],
  resultAt: (place: number) => ItemResult,
  respond: Respond,
): void {
  for (const { repeat, of } of repeats) {
    const result = resultAt(of.place);
    if (!isSameContent(repeat, of)) respond(repeat, conflict(repeat));
    else respond(repeat, result.outcome === 'rejected' ? result : { outcome: 'duplicate' });
  }
}

const eventsOf = (incoming: readonly IncomingEvent[]): NumberedEvent[] => incoming.map(({ event }) => event);
const conflict = ({ event }: IncomingEvent): ItemResult => rejected({ code: 'usage.conflict', id: event.id });

/** An unknown event is accepted; a known one is a repeat, or a conflict if its content differs. */
function resultOf(event: NumberedEvent, known: KnownEvents): ItemResult {
  const before = known.get(eventKey(event));
  if (!before) return accepted;
  return before.differs ? rejected({ code: 'usage.conflict', id: event.id }) : { outcome: 'duplicate' };
}

const isSameContent = (a: IncomingEvent, b: IncomingEvent): boolean =>
  contentOf(a.event) === contentOf(b.event);

/**
 * The content that a repeat must share: equal values compare as equal however they are written, and
 * properties in any order.
 */
const contentOf = (event: NumberedEvent): string =>
  JSON.stringify(
    [
      event.subscriptionId,
      event.isTimed ? event.time.getTime() : null,
      trimDecimal(event.value),
      event.properties,
      event.storedType,
    ],
    (_name, value: unknown) => withSortedKeys(value),
  );
