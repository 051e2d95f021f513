// Notifies the owner of an account when an external account is linked or unlinked, so that an attacker cannot
// do it unnoticed.
import type { Id } from '#kernel/ids.ts';
import { domainEvent } from '#platform/server/unit-of-work/domain-event.ts';

/** `account` is the display name of the external account. */
export type LinkChanged = {
  readonly userId: Id<'usr'>;
  readonly what: 'identity_linked' | 'identity_unlinked';
  readonly account: string;
};
export const linkChanged = domainEvent<LinkChanged>('federation.linkChanged');
