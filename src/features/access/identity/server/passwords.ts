// Passwords: rules for new ones, hashing, and a comparison whose duration does not depend on whether the
// account exists.
import { randomInt } from 'node:crypto';
import { ValidationError, domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { identityErrors } from '../contract.ts';
import {
  isMadeOfKnownWords,
  isPasswordCommon,
  isPasswordLongEnough,
  normalPassword,
  shortestPassword,
} from '../rules.ts';
import { hashingHasRoom, HashingBusy, hashText, verifyText } from './hashing.ts';
import { minimumPasswordLength } from './settings.ts';

const minWaitSeconds = 1;
const longestWaitSeconds = 8;
/** The retry delay is random: clients that were rejected together would otherwise all retry together. */
const busy = () =>
  domainError(identityErrors, 'identity.busy', {
    retryAfter: randomInt(minWaitSeconds, longestWaitSeconds + 1),
  });
/** Too many concurrent sign-ins are an expected error (503), not a server error. */
const busyOr = (error: unknown): unknown => (error instanceof HashingBusy ? busy() : error);

/** Throws a 503 when the hashing queue is full. Call it before any other work for the request. */
export function assertHashingHasRoom(): void {
  if (!hashingHasRoom()) throw busy();
}

/** Hashes a password for storage. Throws a 503 when the hashing queue is full. */
export async function hashPassword(password: string): Promise<string> {
  try {
    return await hashText(normalPassword(password));
  } catch (error) {
    throw busyOr(error);
  }
}

let dummy: Promise<string> | undefined;

/** A hash that no user has, computed once; recomputed after a failure. */
function dummyHash(): Promise<string> {
  dummy ??= hashText('nobody has this password').catch((error: unknown) => {
    dummy = undefined;
    throw error;
  });
  return dummy;
}

/**
 * Whether a password matches `stored`. Without a stored hash it compares with a dummy hash of the same cost,
 * so that the duration does not reveal whether the account exists.
 */
export async function isPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  try {
    const matches = await verifyText(stored ?? (await dummyHash()), normalPassword(password));
    return matches && stored !== null && stored !== undefined;
  } catch (error) {
    throw busyOr(error);
  }
}

/** The future owner of a password, whose name and account must not be the password. */
export type PasswordOwner = {
  readonly account?: string;
  readonly name?: string;
  readonly organization?: string | null;
  readonly twoFactor?: boolean;
  /** The input's field that holds the password. */
  readonly field?: string;
};

let listed: Promise<ReadonlySet<string>> | undefined;

/** The passwords that attackers try first; loaded on first use, because most requests never need them. */
async function commonPasswords(): Promise<ReadonlySet<string>> {
  listed ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  );
  return listed;
}

/** Throws a field error for a password that is too short, common, or made of words about its owner. */
export async function checkPassword(ctx: Ctx, password: string, owner: PasswordOwner = {}): Promise<void> {
  const refused = (code: string, params = {}): ValidationError =>
    new ValidationError([{ field: owner.field ?? 'password', code, params }]);
  const minimum = shortestPassword(await ctx.setting(minimumPasswordLength), owner.twoFactor ?? false);
  if (!isPasswordLongEnough(password, minimum)) throw refused('identity.password_too_short', { minimum });
  const common = await commonPasswords();
  if (isPasswordCommon(password, (text) => common.has(text))) throw refused('identity.password_common');
  // Many users share the e-mail domain, so only the part before it is personal.
  const known = ['skytally', owner.account?.split('@')[0], owner.name, owner.organization].filter(
    (text) => typeof text === 'string',
  );
  if (isMadeOfKnownWords(password, known)) throw refused('identity.password_guessable');
}
