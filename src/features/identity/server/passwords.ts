// Passwords in the form they are stored, and the comparison that takes the same time for everybody.
import { refuse } from '#kernel/refusal.ts';
import { HashingBusy, hashText, verifyText } from '#platform/server/hashing.ts';
import { identityErrors } from '../contract.ts';
import { normalPassword } from '../rules.ts';

/** Too many people sign in at once: a refusal (503), not a fault. */
const busyOr = (error: unknown): unknown => (error instanceof HashingBusy ? refuse(identityErrors, 'identity.busy', { retryAfter: 2 }) : error);

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
