// Step "deduplicate": an event counts once forever by its source and id; the same id with different content
// is a conflict.
import { trimDecimal } from '#kernel/decimal.ts';
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

/** An event whose source and id an earlier event of the same transaction has. */
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

/** Answers events that cannot be counted: with why they are rejected, or as repeats when they were counted before. */
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

/**
 * Records events as known in the database. Answers those that were known before, and returns the new ones.
 */
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

/** Answers events that were known before, and returns the rest. */
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

/** Answers repeats within a transaction: they get the first one's result, and none of them counts. */
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

/** An unknown event is accepted; a known one is a repeat, or a conflict when its content differs. */
function resultOf(event: NumberedEvent, known: KnownEvents): ItemResult {
  const before = known.get(eventKey(event));
  if (!before) return accepted;
  return before.differs ? rejected({ code: 'usage.conflict', id: event.id }) : { outcome: 'duplicate' };
}

const isSameContent = (a: IncomingEvent, b: IncomingEvent): boolean =>
  contentOf(a.event) === contentOf(b.event);

/**
 * The content that a repeat must share: equal values count as equal however they are written, and properties
 * in any order.
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
    inOrder,
  );
const inOrder = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;
