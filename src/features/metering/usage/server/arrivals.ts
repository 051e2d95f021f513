// Events on their way in: where they come from, what they are for, and what became of each.
import type { Id } from '#kernel/ids.ts';
import type { TextParams } from '#kernel/text.ts';
import type { Service } from '#features/selling/catalogue/contract.ts';
import type { SubscriptionRow } from '#features/selling/subscriptions/server/index.ts';
import type { usageErrors } from '../contract.ts';
import type { EventRefusal, MeteredEvent } from '../rules.ts';
import { eventKey, type NumberedEvent } from './store-events.ts';

/** By whose key events come, and whose subscriptions it may write to. Both null: an import; no organization: the platform's own key. */
export type Via = { readonly organizationId: Id<'org'> | null; readonly keyId: Id<'key'> | null };
export type Batch = { readonly read: readonly (MeteredEvent | EventRefusal)[]; readonly via: Via };

export type ItemRefusal = {
  readonly outcome: 'rejected';
  readonly id: string | null;
  readonly code: keyof typeof usageErrors & string;
  readonly params?: TextParams;
};
export type ItemResult = { readonly outcome: 'accepted' } | { readonly outcome: 'duplicate' } | ItemRefusal;

/** What an event is recorded for. */
export type MeteredTarget = { readonly subscription: SubscriptionRow; readonly service: Service };
export type Targets = ReadonlyMap<string, MeteredTarget>;

/** What events are judged by, as it was read: what they are for, and the moment before which events are no longer kept (null: all are). */
export type Basis = { readonly targets: Targets; readonly keptSince: Date | null };

/**
 * What is expected of events. Nearly none is ever known: 'new' takes them in at once and fails with a unique violation when one is known
 * after all, which costs the whole unit of work; 'alone' does so without a transaction, and fails with NotAlone, having done nothing, when
 * something else is to be written; 'mostly new' costs a savepoint, so that the unit goes on; 'some known' looks first.
 */
export type Expected = 'alone' | 'new' | 'mostly new' | 'some known';

/** An event on its way: `owner` is whose source it comes from ('' is the platform), `place` where it stood among all of its unit of work. */
export type Arrival = { readonly event: NumberedEvent; readonly owner: string; readonly place: number };
/** Says what became of an event. */
export type Settle = (arrival: Arrival, result: ItemResult) => void;

/** A correction's type is its meter's with this at its end. */
export const voidSuffix = '.void';

/** An event that was not known is accepted; a known one is a repeat, or another event with the same id. */
export function outcomeOf(
  event: NumberedEvent,
  known: ReadonlyMap<string, { differs: boolean }>,
): ItemResult {
  const there = known.get(eventKey(event));
  if (!there) return { outcome: 'accepted' };
  return there.differs
    ? { outcome: 'rejected', id: event.id, code: 'usage.conflict' }
    : { outcome: 'duplicate' };
}
