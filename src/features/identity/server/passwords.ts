// Password hashes: argon2id, few at a time and with a bounded queue, so that sign-ins cannot starve the rest.
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { refuse } from '#kernel/refusal.ts';
import { identityErrors } from '../contract.ts';
import { normalPassword } from '../rules.ts';

// OWASP's first choice: 19 MiB, two passes, one lane; the library's default algorithm is argon2id.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const atOnce = 2;
const longestQueue = 16;
const turn = pLimit(atOnce);

async function queued<T>(run: () => Promise<T>): Promise<T> {
  if (turn.pendingCount >= longestQueue) throw refuse(identityErrors, 'identity.busy', { retryAfter: 2 });
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
