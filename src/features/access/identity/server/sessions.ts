// The caller's own sessions.
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { identityErrors, type identity } from '../contract.ts';
import { endSessions } from './end-sessions.ts';
import { sessionsOf } from './store-sessions.ts';

export async function sessions(ctx: Ctx): Promise<Out<typeof identity.sessions>> {
  const actor = person(ctx);
  const open = await sessionsOf(ctx, actor.userId);
  return { items: open.map((each) => ({ ...each, current: each.id === actor.sessionId })) };
}

/** Ends one of the caller's own sessions. */
export async function endSession(ctx: Ctx, input: In<typeof identity.endSession>): Promise<null> {
  const ended = await endSessions(ctx, person(ctx).userId, { only: input.sessionId });
  if (ended === 0) throw domainError(identityErrors, 'identity.session_not_found');
  return null;
}
