// Users' actions on their notifications. When a notification is read or deleted in the console, its waiting
// deliveries are canceled.
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { notificationsErrors, type Notification, type notifications } from '../contract.ts';
import {
  deleteRows,
  pageOfDeleted,
  pageOfNotifications,
  restoreRows,
  setAllRead,
  setRead,
  viewsOf,
} from './store.ts';
import { withdrawWaiting } from './store-deliveries.ts';

/** Updates the user's other open tabs. */
function publishInbox(ctx: Ctx): void {
  ctx.publish(`user/${person(ctx).userId}/notifications`, { kind: 'read' });
}

export async function listNotifications(
  ctx: Ctx,
  input: In<typeof notifications.listNotifications>,
): Promise<Out<typeof notifications.listNotifications>> {
  return pageOfNotifications(ctx, person(ctx).userId, input);
}

/** Marks a notification as read or unread. */
export async function markNotification(
  ctx: Ctx,
  input: In<typeof notifications.markNotification>,
): Promise<Notification> {
  const marked = await setRead(ctx, person(ctx).userId, input.notificationId, input.read);
  if (!marked) throw domainError(notificationsErrors, 'notifications.not_found');
  if (input.read) await withdrawWaiting(ctx, [marked.id]);
  publishInbox(ctx);
  return required((await viewsOf(ctx, [marked]))[0], 'the notification that was just marked');
}

export async function readAll(
  ctx: Ctx,
  input: In<typeof notifications.readAll>,
): Promise<Out<typeof notifications.readAll>> {
  const changed = await setAllRead(ctx, person(ctx).userId, input);
  await withdrawWaiting(ctx, changed);
  publishInbox(ctx);
  return { changed: changed.length };
}

/** Deletes a notification; it can be restored for a day. */
export async function deleteNotification(
  ctx: Ctx,
  input: In<typeof notifications.deleteNotification>,
): Promise<null> {
  const deleted = await deleteRows(ctx, person(ctx).userId, { id: input.notificationId }, ctx.newId('ndl'));
  if (deleted.length === 0) throw domainError(notificationsErrors, 'notifications.not_found');
  await withdrawWaiting(ctx, deleted);
  publishInbox(ctx);
  return null;
}

export async function deleteAll(
  ctx: Ctx,
  input: In<typeof notifications.deleteAll>,
): Promise<Out<typeof notifications.deleteAll>> {
  const deletionId = ctx.newId('ndl');
  const deleted = await deleteRows(ctx, person(ctx).userId, input, deletionId);
  await withdrawWaiting(ctx, deleted);
  publishInbox(ctx);
  return { deleted: deleted.length, deletionId };
}

export async function restoreNotification(
  ctx: Ctx,
  input: In<typeof notifications.restoreNotification>,
): Promise<Notification> {
  const [back] = await restoreRows(ctx, person(ctx).userId, { id: input.notificationId });
  if (!back) throw domainError(notificationsErrors, 'notifications.not_found');
  publishInbox(ctx);
  return required((await viewsOf(ctx, [back]))[0], 'the notification that was just brought back');
}

/** Restores what one deletion removed; a repeat does nothing. */
export async function restoreDeletion(
  ctx: Ctx,
  input: In<typeof notifications.restoreDeletion>,
): Promise<Out<typeof notifications.restoreDeletion>> {
  const back = await restoreRows(ctx, person(ctx).userId, { deletionId: input.deletionId });
  publishInbox(ctx);
  return { restored: back.length };
}

export async function listDeleted(
  ctx: Ctx,
  input: In<typeof notifications.listDeleted>,
): Promise<Out<typeof notifications.listDeleted>> {
  return pageOfDeleted(ctx, person(ctx).userId, input);
}
