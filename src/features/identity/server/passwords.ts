// Password hashes: argon2id, few at a time and with a bounded queue, so that sign-ins cannot starve the rest.
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { Invalid, refuse } from '#kernel/refusal.ts';
import type { Ctx } from '#platform/server/ctx.ts';
import { identityErrors } from '../contract.ts';
import { isMadeOf, isPasswordCommon, isPasswordLongEnough, normalPassword, shortestPassword } from '../rules.ts';
import { minimumPasswordLength } from './settings.ts';

// OWASP's first choice: 19 MiB, two passes, one lane; the library's default algorithm is argon2id.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const atOnce = 2;
const longestQueue = 16;
const turn = pLimit(atOnce);

/** Refuses with 503 when no further password could be hashed now: before anything else is done for the request. */
export function mustHaveRoom(): void {
  if (turn.pendingCount >= longestQueue) throw refuse(identityErrors, 'identity.busy', { retryAfter: 2 });
}

async function queued<T>(run: () => Promise<T>): Promise<T> {
  mustHaveRoom();
  return turn(run);
}

/** Hashes a password for storage. Refuses with 503 when too many wait. */
export async function hashPassword(password: string): Promise<string> {
  return queued(() => hash(normalPassword(password), parameters));
}

let nobody: Promise<string> | undefined;

/**
 * Whether a password is the one of `stored`. Without a stored hash it works as long on another one,
 * so that the time says nothing about whether an account exists.
 */
export async function isPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  nobody ??= hash('nobody has this password', parameters);
  const against = stored ?? (await nobody);
  const matches = await queued(() => verify(against, normalPassword(password)));
  return matches && stored !== null && stored !== undefined;
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
  listed ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => new Set(dictionary['passwords-common']));
  return listed;
}

/** Refuses a password that may not be chosen, at its field: too short, among the common ones, or made of words about its owner. */
export async function checkPassword(ctx: Ctx, password: string, owner: PasswordOwner = {}): Promise<void> {
  const refused = (code: string, params = {}): Invalid => new Invalid([{ field: owner.field ?? 'password', code, params }]);
  const minimum = shortestPassword(await ctx.setting(minimumPasswordLength), owner.twoFactor ?? false);
  if (!isPasswordLongEnough(password, minimum)) throw refused('identity.password_too_short', { minimum });
  const common = await commonPasswords();
  if (isPasswordCommon(password, (text) => common.has(text))) throw refused('identity.password_common');
  // The domain is said by many, the part before it only by its owner.
  const known = ['skytally', owner.account?.split('@')[0], owner.name, owner.organization].filter((text) => typeof text === 'string');
  if (isMadeOf(password, known)) throw refused('identity.password_guessable');
}
