// Telling people things once, and what they do with it.
import type { In, Out } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { refuse } from '#kernel/refusal.ts';
import { person, type Ctx } from '#platform/server/ctx.ts';
import { signal } from '#platform/server/sockets.ts';
import { activeAdmins, membersOfMany } from '#features/identity/server/index.ts';
import { notificationsErrors, type Notification, type notifications } from '../contract.ts';
import { deleteOne, insertOnce, pageOfNotifications, setAllRead, setRead, type Notice } from './store.ts';

/** What an organization is told, for whoever passes it on; it may have been told before. */
export type ToldNotice = { readonly organizationId: Id<'org'>; readonly notice: Notice };
export const noticesTold = signal<readonly ToldNotice[]>('notifications.noticesTold');

async function post(ctx: Ctx, told: readonly { userId: Id<'usr'>; notice: Notice }[]): Promise<void> {
  if (told.length === 0) return;
  const fresh = new Set(await insertOnce(ctx, told));
  for (const userId of fresh) ctx.touch(`user/${userId}/notifications`, { kind: 'new' });
}

/** Tells every active member of organizations, ReadOnly ones only about billing; each of them once. */
export async function postToOrganizations(ctx: Ctx, notices: readonly { organizationId: Id<'org'>; notice: Notice }[]): Promise<void> {
  const members = Map.groupBy(await membersOfMany(ctx, [...new Set(notices.map((each) => each.organizationId))]), (member) => member.organizationId);
  await post(ctx, notices.flatMap(({ organizationId, notice }) => (members.get(organizationId) ?? []).filter((member) => member.role === 'User' || notice.category === 'billing').map((member) => ({ userId: member.id, notice }))));
  await ctx.announce(noticesTold, notices);
}

/** Tells some people, each of them once. */
export async function postToUsers(ctx: Ctx, userIds: readonly Id<'usr'>[], notice: Notice): Promise<void> {
  await post(ctx, userIds.map((userId) => ({ userId, notice })));
}

/** Tells every active Admin, each of them once. */
export async function postToAdmins(ctx: Ctx, notice: Notice): Promise<void> {
  await post(ctx, (await activeAdmins(ctx)).map((userId) => ({ userId, notice })));
}

export async function listNotifications(ctx: Ctx, input: In<typeof notifications.listNotifications>): Promise<Out<typeof notifications.listNotifications>> {
  return pageOfNotifications(ctx, person(ctx).userId, input);
}

/** Marks one as read or unread; other open tabs follow. */
export async function markNotification(ctx: Ctx, input: In<typeof notifications.markNotification>): Promise<Notification> {
  const { userId } = person(ctx);
  const marked = await setRead(ctx, userId, input.notificationId, input.read);
  if (!marked) throw refuse(notificationsErrors, 'notifications.not_found');
  ctx.touch(`user/${userId}/notifications`, { kind: 'read' });
  return marked;
}

export async function deleteNotification(ctx: Ctx, input: In<typeof notifications.deleteNotification>): Promise<null> {
  const { userId } = person(ctx);
  if (!(await deleteOne(ctx, userId, input.notificationId))) throw refuse(notificationsErrors, 'notifications.not_found');
  ctx.touch(`user/${userId}/notifications`, { kind: 'read' });
  return null;
}

export async function readAll(ctx: Ctx): Promise<Out<typeof notifications.readAll>> {
  const { userId } = person(ctx);
  const changed = await setAllRead(ctx, userId);
  ctx.touch(`user/${userId}/notifications`, { kind: 'read' });
  return { changed };
}
