// Lets an Admin view the console as a user: with a reason, read-only, for half an hour at most, and never as
// another Admin.
import type { In, Out } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { domainError } from '#kernel/errors.ts';
import { ownSession, person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { domainEvent } from '#platform/server/unit-of-work/domain-event.ts';
import { identityErrors, longestViewMinutes, type identity } from '../contract.ts';
import { userById } from './store.ts';
import { endViewsOf, insertView } from './store-view-as.ts';
import { signViewToken } from './tokens.ts';

/** An Admin started viewing as a user, who is notified. */
export type ViewStarted = {
  readonly userId: Id<'usr'>;
  readonly adminId: Id<'usr'>;
  readonly admin: string;
  readonly reason: string;
};
export const viewStarted = domainEvent<ViewStarted>('identity.viewStarted');

/**
 * Starts a view. Its token is not a session's: it allows read calls only (admission.ts), cannot be renewed,
 * and ends with the Admin's own session.
 */
export async function startView(
  ctx: Ctx,
  { userId, reason, minutes = longestViewMinutes }: In<typeof identity.startView>,
): Promise<Out<typeof identity.startView>> {
  const admin = person(ctx);
  const sessionId = ownSession(ctx);
  const user = await userById(ctx.db, userId);
  if (!user || user.status === 'deleted') throw domainError(identityErrors, 'identity.user_not_found');
  if (user.role === 'Admin') throw domainError(identityErrors, 'identity.view_of_admin');
  if (user.status !== 'active') throw domainError(identityErrors, 'identity.view_of_inactive');
  const expiresAt = new Date(ctx.now.getTime() + minutes * 60_000);
  const viewId = await insertView(ctx, {
    adminId: admin.userId,
    sessionId,
    userId: user.id,
    reason,
    expiresAt,
  });
  ctx.audit('identity.startView', user.id, { viewId, reason, until: expiresAt.toISOString() });
  await ctx.emit(viewStarted, { userId: user.id, adminId: admin.userId, admin: admin.name, reason });
  return {
    viewId,
    user,
    token: signViewToken(ctx.app, { adminId: admin.userId, sessionId, viewId }, ctx.now, expiresAt),
    expiresAt,
  };
}

/** Ends the current view of the caller's session, if there is one. */
export async function endView(ctx: Ctx): Promise<null> {
  const ended = await endViewsOf(ctx, ownSession(ctx));
  ctx.audit('identity.endView', ended?.userId, ended && { viewId: ended.id });
  return null;
}
