// An Admin's actions: ending a session, and unblocking sign-in attempts.
import type { In } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { endSessions } from '#features/access/identity/server/index.ts';
import { securityErrors, type security } from '../contract.ts';
import { forgetFailures, ownerOfSession } from './store.ts';

/** Ends a user's session; Admins may end their own too. */
export async function endOpenSession(
  ctx: Ctx,
  { sessionId }: In<typeof security.endOpenSession>,
): Promise<null> {
  const owner = await ownerOfSession(ctx, sessionId);
  if (owner === undefined || (await endSessions(ctx, owner, { only: sessionId })) === 0)
    throw domainError(securityErrors, 'security.session_not_found');
  ctx.audit('security.endOpenSession', owner, { session: sessionId });
  return null;
}

/**
 * Resets the counted failures, so that the next attempt need not wait; does nothing when none are counted.
 */
export async function letTryAgain(ctx: Ctx, { key }: In<typeof security.letTryAgain>): Promise<null> {
  ctx.audit('security.letTryAgain', key, { failures: await forgetFailures(ctx, key) });
  return null;
}
