// Rules of device authorization: user codes, and the answers to a machine that polls. No clock, no database.
import type { Permission } from '#kernel/permissions.ts';
import type { Role } from '#kernel/roles.ts';

/** How long a machine waits for a person, in minutes. */
export const deviceMinutes = 10;
/** Seconds between two polls of a machine, and how much polling too early adds (RFC 8628, 3.5). */
export const usualInterval = 5;
export const slowerBy = 5;
/** How many machines can wait at the same time. They are anonymous, so a limit per user is not possible. */
export const maxWaiting = 1000;

/**
 * Consonants only: codes form no words, and no letter looks like a digit or sounds like another one on the
 * phone (RFC 8628, 6.1).
 */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';
const codeLength = 8;

/**
 * Makes a code such as `WDJB-MJHT` from random bytes, each letter equally likely; undefined when too few
 * bytes are usable.
 */
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

/** Normalizes a code as typed: capitals, without dash or spaces. */
export const normalUserCode = (typed: string): string => typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

/** Formats a code as a machine shows it. */
export function shownUserCode(typed: string): string {
  const letters = normalUserCode(typed);
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** Returns the requested permissions that a person of this role can grant. */
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

/** The answer to a machine's poll. A code yields one key, and only until it expires. */
export function pollAnswer({ state, expiresAt, intervalSeconds, polledAt }: Polled, now: Date): PollAnswer {
  if (state === 'taken' || expiresAt <= now) return 'expired_token';
  if (state === 'refused') return 'access_denied';
  if (state === 'confirmed') return 'hand_over';
  return polledAt !== null && now.getTime() - polledAt.getTime() < intervalSeconds * 1000
    ? 'slow_down'
    : 'authorization_pending';
}
