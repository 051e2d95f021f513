// Passwords: which may be chosen, the form in which they are stored, and the comparison that takes the same time for everybody.
import { randomInt } from 'node:crypto';
import { ValidationError, domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { hashingHasRoom, HashingBusy, hashText, verifyText } from '#platform/server/security/hashing.ts';
import { identityErrors } from '../contract.ts';
import {
  isMadeOf,
  isPasswordCommon,
  isPasswordLongEnough,
  normalPassword,
  shortestPassword,
} from '../rules.ts';
import { minimumPasswordLength } from './settings.ts';

const leastWaitSeconds = 1;
const longestWaitSeconds = 8;
/** Whoever is sent away comes back at a moment of their own: all at once they would only meet again. */
const busy = () =>
  domainError(identityErrors, 'identity.busy', {
    retryAfter: randomInt(leastWaitSeconds, longestWaitSeconds + 1),
  });
/** Too many people sign in at once: a refusal (503), not a fault. */
const busyOr = (error: unknown): unknown => (error instanceof HashingBusy ? busy() : error);

/** Refuses with 503 when no further password could be hashed now: before anything else is done for the request. */
export function mustHaveRoom(): void {
  if (!hashingHasRoom()) throw busy();
}

/** Hashes a password for storage. Refuses with 503 when too many wait. */
export async function hashPassword(password: string): Promise<string> {
  try {
    return await hashText(normalPassword(password));
  } catch (error) {
    throw busyOr(error);
  }
}

let nobody: Promise<string> | undefined;

/** A hash that belongs to no password anybody has; made once, and again when making it failed. */
function hashOfNobody(): Promise<string> {
  nobody ??= hashText('nobody has this password').catch((error: unknown) => {
    nobody = undefined;
    throw error;
  });
  return nobody;
}

/**
 * Whether a password is the one of `stored`. Without a stored hash it works as long on another one,
 * so that the time says nothing about whether an account exists.
 */
export async function isPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  try {
    const matches = await verifyText(stored ?? (await hashOfNobody()), normalPassword(password));
    return matches && stored !== null && stored !== undefined;
  } catch (error) {
    throw busyOr(error);
  }
}

/** Whose password it will be: words about them make a poor one. */
export type PasswordOwner = {
  readonly account?: string;
  readonly name?: string;
  readonly organization?: string | null;
  readonly twoFactor?: boolean;
  /** The input's field that holds the password. */
  readonly field?: string;
};

let listed: Promise<ReadonlySet<string>> | undefined;

/** The passwords that attackers try first, read when somebody chooses one: most requests never need them. */
async function commonPasswords(): Promise<ReadonlySet<string>> {
  listed ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  );
  return listed;
}

/** Refuses a password that may not be chosen, at its field: too short, among the common ones, or made of words about its owner. */
export async function checkPassword(ctx: Ctx, password: string, owner: PasswordOwner = {}): Promise<void> {
  const refused = (code: string, params = {}): ValidationError =>
    new ValidationError([{ field: owner.field ?? 'password', code, params }]);
  const minimum = shortestPassword(await ctx.setting(minimumPasswordLength), owner.twoFactor ?? false);
  if (!isPasswordLongEnough(password, minimum)) throw refused('identity.password_too_short', { minimum });
  const common = await commonPasswords();
  if (isPasswordCommon(password, (text) => common.has(text))) throw refused('identity.password_common');
  // The domain is said by many, the part before it only by its owner.
  const known = ['skytally', owner.account?.split('@')[0], owner.name, owner.organization].filter(
    (text) => typeof text === 'string',
  );
  if (isMadeOf(password, known)) throw refused('identity.password_guessable');
}
