// What an Admin does about it: ends a session, lets somebody try again.
import type { In } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { endSessions } from '#features/access/identity/server/index.ts';
import { securityErrors, type security } from '../contract.ts';
import { forgetFailures, ownerOfSession } from './store.ts';

/** Ends somebody's session, one's own included. */
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

/** Forgets what was counted, so that the next attempt needs no waiting; where nothing is counted any more, that holds already. */
export async function letTryAgain(ctx: Ctx, { key }: In<typeof security.letTryAgain>): Promise<null> {
  ctx.audit('security.letTryAgain', key, { failures: await forgetFailures(ctx, key) });
  return null;
}
