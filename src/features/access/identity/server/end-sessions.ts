// Ends sessions, in the database and immediately in every tab that uses them: a user's own other sessions, or
// a user's sessions by an Admin.
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { identityErrors, type identity } from '../contract.ts';
import { userById } from './store.ts';
import { markEnded, markEndedOfMany, sessionsOf, type WhichSessions } from './store-sessions.ts';

/** Ends one session of a user or all but one, and notifies their open tabs. Returns how many ended. */
export async function endSessions(ctx: Ctx, userId: string, which: WhichSessions): Promise<number> {
  const ended = await markEnded(ctx, userId, which);
  for (const sessionId of ended)
    ctx.publish(`user/${userId}/sessions`, { kind: 'sessions', ended: sessionId });
  return ended.length;
}

/** Ends all sessions of several users. */
export async function endSessionsOfMany(ctx: Ctx, userIds: readonly string[]): Promise<void> {
  for (const { userId, sessionId } of await markEndedOfMany(ctx, userIds))
    ctx.publish(`user/${userId}/sessions`, { kind: 'sessions', ended: sessionId });
}

/** Ends all the caller's sessions except the current one. */
export async function endOtherSessions(ctx: Ctx): Promise<Out<typeof identity.endOtherSessions>> {
  const actor = person(ctx);
  const ended = await endSessions(ctx, actor.userId, { allBut: actor.sessionId });
  ctx.audit('identity.endOtherSessions', actor.userId, { ended });
  return { ended };
}

/** A user's open sessions, for an Admin. */
export async function userSessions(
  ctx: Ctx,
  input: In<typeof identity.userSessions>,
): Promise<Out<typeof identity.userSessions>> {
  if (!(await userById(ctx.db, input.userId))) throw domainError(identityErrors, 'identity.user_not_found');
  const open = await sessionsOf(ctx, input.userId);
  return { items: open.map((each) => ({ ...each, current: each.id === person(ctx).sessionId })) };
}

/** Ends one of a user's sessions, for an Admin. */
export async function endUserSession(
  ctx: Ctx,
  { userId, sessionId }: In<typeof identity.endUserSession>,
): Promise<null> {
  if ((await endSessions(ctx, userId, { only: sessionId })) === 0)
    throw domainError(identityErrors, 'identity.session_not_found');
  ctx.audit('identity.endUserSession', userId, { sessionId });
  return null;
}

/** Ends a user's sessions. Admins who end their own keep the current one. */
export async function endUserSessions(
  ctx: Ctx,
  input: In<typeof identity.endUserSessions>,
): Promise<Out<typeof identity.endUserSessions>> {
  if (!(await userById(ctx.db, input.userId))) throw domainError(identityErrors, 'identity.user_not_found');
  const ended = await endSessions(ctx, input.userId, { allBut: person(ctx).sessionId });
  ctx.audit('identity.endUserSessions', input.userId, { ended });
  return { ended };
}
