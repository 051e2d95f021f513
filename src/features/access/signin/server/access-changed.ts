// What lets a person in was changed or used in a new place: they hear of it, so that nobody else does it unnoticed.
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
/** `about`: what the notice is about, for notices sent once a day only; left out, every change is notified. */
export type AccessChanged = {
  readonly userId: Id<'usr'>;
  readonly what: Change;
  readonly params: TextParams;
  readonly about?: string;
};
export const accessChanged = domainEvent<AccessChanged>('signin.accessChanged');
