// Types of events between the API call and the database: sender, target, and result.
import type { Id } from '#kernel/ids.ts';
import type { TextParams } from '#kernel/text.ts';
import type { usageErrors } from '../contract.ts';
import type { EventRejection, MeteredEvent } from '../rules.ts';
import type { NumberedEvent } from './store-events.ts';

/**
 * The key that sent a call. An organization's key may write to that organization's subscriptions only. Both
 * are null for an import; `organizationId` is null for a platform key.
 */
export type Origin = { readonly organizationId: Id<'org'> | null; readonly keyId: Id<'key'> | null };

/** The items of one call, parsed. */
export type ParsedCall = {
  readonly events: readonly (MeteredEvent | EventRejection)[];
  readonly origin: Origin;
};

type ItemRejection = {
  readonly outcome: 'rejected';
  readonly id: string | null;
  readonly code: keyof typeof usageErrors & string;
  readonly params?: TextParams;
};
export type ItemResult = { readonly outcome: 'accepted' } | { readonly outcome: 'duplicate' } | ItemRejection;

/** An event that its sender is allowed to send; `place` is its index among all items of the transaction. */
export type AuthorizedEvent = {
  readonly event: MeteredEvent;
  readonly origin: Origin;
  readonly place: number;
  /** The type stored with it; null if it is the type of the service's own meter. */
  readonly storedType: string | null;
  /** Why it cannot be counted; it may still be a repeat of an event that was counted before. */
  readonly rejection: EventRejection | undefined;
};
/** An event with its source number; `owner` is the organization that owns the source, '' for the platform. */
export type IncomingEvent = Pick<AuthorizedEvent, 'place' | 'rejection'> & {
  readonly event: NumberedEvent;
  readonly owner: string;
};
/** An event that cannot be counted, unless it is a repeat. */
export type UncountableEvent = IncomingEvent & { readonly rejection: EventRejection };
/** Records the response to an event. */
export type Respond = (incoming: { readonly place: number }, result: ItemResult) => void;

export const accepted: ItemResult = { outcome: 'accepted' };
export const rejected = ({ code, id, params }: EventRejection): ItemRejection => ({
  outcome: 'rejected',
  id,
  code,
  ...(params && { params }),
});

/** A correction's type is its meter's type with this suffix. */
export const voidSuffix = '.void';
