// Notifies the owner of an account when an outside account was linked or unlinked, so that an attacker cannot
// do it unnoticed.
import type { Id } from '#kernel/ids.ts';
import { domainEvent } from '#platform/server/unit-of-work/domain-event.ts';

/** `account` is how the outside account is called. */
export type LinkChanged = {
  readonly userId: Id<'usr'>;
  readonly what: 'identity_linked' | 'identity_unlinked';
  readonly account: string;
};
export const linkChanged = domainEvent<LinkChanged>('federation.linkChanged');
