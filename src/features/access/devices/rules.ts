// Rules of signing machines in: codes that people type, and what a machine is answered. No clock, no database.
import type { Permission } from '#kernel/permissions.ts';
import type { Role } from '#kernel/roles.ts';

/** How long a machine waits for a person. */
export const deviceMinutes = 10;
/** Seconds between two questions of a machine, and what asking too soon adds (RFC 8628, 3.5). */
export const usualInterval = 5;
export const slowerBy = 5;
/** How many machines may wait at the same time: nobody is signed in who could be held responsible for more. */
export const maxWaiting = 1000;

/** Consonants: no words, no letters that look like digits or sound like each other in a phone call's alphabet (RFC 8628, 6.1). */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';
const codeLength = 8;

/** A code from random bytes, each letter as likely as the others: `WDJB-MJHT`. Undefined when too few bytes can be used. */
export function userCodeFrom(random: Uint8Array): string | undefined {
  const fair = 256 - (256 % alphabet.length);
  const letters = [...random]
    .filter((byte) => byte < fair)
    .slice(0, codeLength)
    .map((byte) => alphabet[byte % alphabet.length]);
  return letters.length < codeLength
    ? undefined
    : `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`;
}

/** A code as somebody types it, in its normal form: no dash or spaces, capitals. */
export const normalUserCode = (typed: string): string => typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

/** The same as a machine shows it. */
export function shownUserCode(typed: string): string {
  const letters = normalUserCode(typed);
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** What of that which a machine asks for a person of a role can give. */
export function possiblePermissions(role: Role, asked: readonly Permission[]): Permission[] {
  return asked.filter((one) => role !== 'ReadOnly' || one.endsWith(':read'));
}

export type DeviceState = 'waiting' | 'confirmed' | 'refused' | 'taken';
export type Polled = {
  readonly state: DeviceState;
  readonly expiresAt: Date;
  readonly intervalSeconds: number;
  readonly polledAt: Date | null;
};
export type PollAnswer =
  | 'hand_over'
  | 'authorization_pending'
  | 'slow_down'
  | 'expired_token'
  | 'access_denied';

/** What a machine's question is answered; a code is good for one answer, and for the time that it was given for. */
export function pollAnswer({ state, expiresAt, intervalSeconds, polledAt }: Polled, now: Date): PollAnswer {
  if (state === 'taken' || expiresAt <= now) return 'expired_token';
  if (state === 'refused') return 'access_denied';
  if (state === 'confirmed') return 'hand_over';
  return polledAt !== null && now.getTime() - polledAt.getTime() < intervalSeconds * 1000
    ? 'slow_down'
    : 'authorization_pending';
}
