// Notifies people when their ways to sign in change or are used in a new place, so that nobody does it
// unnoticed.
import type { Id } from '#kernel/ids.ts';
import type { TextParams } from '#kernel/text.ts';
import { domainEvent } from '#platform/server/unit-of-work/domain-event.ts';

export type Change =
  | 'password_changed'
  | 'authenticator_on'
  | 'authenticator_off'
  | 'codes_renewed'
  | 'recovery_code_used'
  | 'passkey_added'
  | 'passkey_removed'
  | 'factors_removed'
  | 'new_device';
/** `about`: the subject of a notice that is sent only once a day; without it, every change is notified. */
export type AccessChanged = {
  readonly userId: Id<'usr'>;
  readonly what: Change;
  readonly params: TextParams;
  readonly about?: string;
};
export const accessChanged = domainEvent<AccessChanged>('signin.accessChanged');
