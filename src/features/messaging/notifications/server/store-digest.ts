// SQL of the entries that wait for the daily e-mail.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { TextParams } from '#kernel/text.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { NotificationKind } from '../rules-kinds.ts';
import { readAheadSeconds } from '../rules-delivery.ts';

/** Queues notifications for their readers' next daily e-mail. */
export async function insertDigests(
  ctx: Ctx,
  waiting: readonly { notificationId: string; userId: string; dueAt: Date }[],
): Promise<void> {
  if (waiting.length === 0) return;
  await sql`insert into notification_digest (notification_id, user_id, due_at) select * from unnest(${waiting.map((each) => each.notificationId)}::text[], ${waiting.map((each) => each.userId)}::text[], ${waiting.map((each) => each.dueAt)}::timestamptz[])`.execute(
    ctx.db,
  );
}

export type DigestItem = {
  readonly userId: Id<'usr'>;
  readonly dueAt: Date;
  readonly id: string;
  readonly textKey: string;
  readonly params: TextParams;
  readonly kind: NotificationKind;
  readonly link: string | null;
  /** The organization whose notice it is; '' for the platform's, null for one from before this was stored. */
  readonly organizationId: string | null;
  readonly createdAt: Date;
};

/** Takes the due digest entries of some readers, newest first. `isRead`: the notification was read early enough. */
export async function takeDue(
  ctx: Ctx,
  readers: number,
): Promise<readonly (DigestItem & { readonly isRead: boolean })[]> {
  const { rows } = await sql<
    DigestItem & { isRead: boolean }
  >`with due as (select user_id, min(due_at) as due_at from notification_digest where mail_key is null and due_at <= ${ctx.now} group by user_id order by 2 limit ${readers}),
      claimed as (update notification_digest d set mail_key = 'digest ' || d.user_id || ' ' || to_char(d.due_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI') where d.mail_key is null and d.due_at <= ${ctx.now} and d.user_id in (select user_id from due) returning d.notification_id, d.user_id, d.due_at)
    select k.user_id as "userId", k.due_at as "dueAt", n.id, n.text_key as "textKey", n.params, n.kind, n.link, n.reader_organization_id as "organizationId", n.created_at as "createdAt", coalesce(n.read_at < k.due_at - make_interval(secs => ${readAheadSeconds}), false) as "isRead"
    from claimed k join notification n on n.id = k.notification_id order by n.created_at desc, n.id desc`.execute(
    ctx.db,
  );
  return rows;
}

/** Removes the entries of notifications that their daily e-mail leaves out. */
export async function dropDigests(ctx: Ctx, notificationIds: readonly string[]): Promise<void> {
  if (notificationIds.length === 0) return;
  await sql`delete from notification_digest where notification_id = any(${notificationIds}::text[])`.execute(
    ctx.db,
  );
}
