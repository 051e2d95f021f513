// What notifications ask the database.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { TextParams } from '#kernel/text.ts';
import type { In } from '#kernel/contract.ts';
import type { Ctx } from '#platform/server/ctx.ts';
import { allOf, planPage } from '#platform/server/paging.ts';
import type { Notification, notifications } from '../contract.ts';
import { readable } from '../rules.ts';

/** What is to be told: `kind`, `subject` and `period` make it happen once for each recipient. */
export type Notice = { kind: string; type: Notification['type']; category: Notification['category']; subject: string; period: string; textKey: string; params: TextParams; link: string | null };

/** One row for each recipient that has not been told yet, in one statement; answers whom it is new to. */
export async function insertOnce(ctx: Ctx, told: readonly { userId: Id<'usr'>; notice: Notice }[]): Promise<Id<'usr'>[]> {
  const of = <T>(pick: (each: (typeof told)[number]) => T): T[] => told.map(pick);
  const { rows } = await sql<{ user_id: Id<'usr'> }>`insert into notification (id, user_id, kind, type, category, subject, period, text_key, params, link, created_at)
    select id, user_id, kind, type, category, subject, period, text_key, params::jsonb, link, ${ctx.now}
    from unnest(${of(() => ctx.newId('ntf'))}::text[], ${of((each) => each.userId)}::text[], ${of((each) => each.notice.kind)}::text[], ${of((each) => each.notice.type)}::text[], ${of((each) => each.notice.category)}::text[],
      ${of((each) => each.notice.subject)}::text[], ${of((each) => each.notice.period)}::text[], ${of((each) => each.notice.textKey)}::text[], ${of((each) => JSON.stringify(each.notice.params))}::text[], ${of((each) => each.notice.link)}::text[])
      as n (id, user_id, kind, type, category, subject, period, text_key, params, link)
    on conflict (user_id, kind, subject, period) do nothing returning user_id`.execute(ctx.db);
  return rows.map((row) => row.user_id);
}

type Row = { id: Id<'ntf'>; type: Notification['type']; category: Notification['category']; text_key: string; params: TextParams; link: string | null; is_read: boolean; created_at: Date; sortValue: string | null };
const columns = sql`n.id, n.type, n.category, n.text_key, n.params, n.link, n.is_read, n.created_at`;

/** Renders a row in the reader's language. */
const view = (ctx: Ctx, row: Row): Notification => ({ id: row.id, type: row.type, category: row.category, message: ctx.text(row.text_key, readable(row.params, ctx.language)), link: row.link, read: row.is_read, createdAt: row.created_at });

/** One page of a user's notifications with total and unread count. */
export async function pageOfNotifications(ctx: Ctx, userId: string, input: In<typeof notifications.listNotifications>): Promise<{ items: Notification[]; nextCursor: string | null; total: number; unread: number }> {
  const plan = planPage(input, { createdAt: { expression: sql`n.created_at`, cast: 'timestamptz' } }, '-createdAt', sql`n.id`);
  const where = allOf(sql`n.user_id = ${userId}`, input.unread !== undefined && sql`n.is_read = ${!input.unread}`, input.category && sql`n.category = ${input.category}`);
  const { rows } = await sql<Row>`select ${columns}, ${plan.sortValue} as "sortValue" from notification n where ${allOf(where, plan.after)} order by ${plan.orderBy} limit ${plan.limit}`.execute(ctx.db);
  const counted = await sql<{ total: bigint; unread: bigint; matching: bigint | null }>`select rows_counted('notification', ${userId}, ${input.unread === undefined ? '' : String(!input.unread)}) as total, rows_counted('notification', ${userId}, 'false') as unread,
    case when ${input.category ?? null}::text is not null then (select count(*) from notification n where ${where}) end as matching`.execute(ctx.db);
  const page = plan.cut(rows);
  return { items: page.rows.map((row) => view(ctx, row)), nextCursor: page.nextCursor, total: Number(counted.rows[0]?.matching ?? counted.rows[0]?.total ?? 0n), unread: Number(counted.rows[0]?.unread ?? 0n) };
}

/** Marks one of a user's notifications; undefined when it is not theirs. */
export async function setRead(ctx: Ctx, userId: string, id: string, read: boolean): Promise<Notification | undefined> {
  const { rows } = await sql<Row>`update notification n set read_at = ${read ? ctx.now : null} where n.id = ${id} and n.user_id = ${userId} returning ${columns}, null as "sortValue"`.execute(ctx.db);
  return rows[0] && view(ctx, rows[0]);
}

/** Marks all of a user's as read; answers how many changed. */
export async function setAllRead(ctx: Ctx, userId: string): Promise<number> {
  const { rows } = await sql`update notification set read_at = ${ctx.now} where user_id = ${userId} and read_at is null returning id`.execute(ctx.db);
  return rows.length;
}

/** Deletes one of a user's; false when it is not theirs. */
export async function deleteOne(ctx: Ctx, userId: string, id: string): Promise<boolean> {
  const { rows } = await sql`delete from notification where id = ${id} and user_id = ${userId} returning id`.execute(ctx.db);
  return rows.length > 0;
}
