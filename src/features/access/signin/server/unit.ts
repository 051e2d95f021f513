// Transactions of calls that hash, sign or count between them.
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { accountDigest } from './attempts.ts';

/** Runs a transaction for the same caller as `ctx`. */
export function unit<T>(
  ctx: Ctx,
  run: (own: Ctx) => Promise<T>,
  mode: 'write' | 'one' = 'write',
): Promise<T> {
  return unitOfWork(
    ctx.app,
    { actor: ctx.actor, language: ctx.language, requestId: ctx.requestId, mode },
    run,
  );
}

/**
 * A failed sign-in attempt: of a person, of an account that does not exist (only its digest is stored), or of
 * an unknown passkey.
 */
export type FailedAttempt = {
  readonly way: string;
  readonly reason: string;
  readonly userId?: string | undefined;
  readonly account?: string;
  readonly address?: string | undefined;
  readonly waitUntil?: Date | undefined;
};

/**
 * Writes the audit row of a failed attempt in its own transaction, with the same work for known and unknown
 * accounts.
 */
export async function recordFailedAttempt(
  ctx: Ctx,
  { way, reason, userId, account, address, waitUntil }: FailedAttempt,
): Promise<void> {
  await unit(
    ctx,
    async (own) => {
      const subject = userId ?? (account === undefined ? undefined : `account:${accountDigest(account)}`);
      own.audit('signin.refused', subject, {
        way,
        reason,
        ...(address !== undefined && { address }),
        ...(waitUntil && { waitUntil: waitUntil.toISOString() }),
      });
    },
    'one',
  );
}
