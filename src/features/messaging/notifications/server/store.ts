// SQL of notifications.
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { In } from '#kernel/contract.ts';
import type { Page } from '#kernel/shape.ts';
import type { TextParams } from '#kernel/text.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  allOf,
  containsPattern,
  readPage,
  rowItself,
  rowsCounted,
  searchTotalCap,
  type ListOrder,
} from '#platform/server/database/paging.ts';
import type { Category, Channel, Notification, notifications } from '../contract.ts';
import type { KindOf } from '../rules-kinds.ts';
import { folded } from '../rules-search.ts';
import { readable } from '../rules.ts';
import { categoriesOf, openKinds, personalKinds, readablePages, storedOrganization } from './readers.ts';
import { deliveriesOf } from './store-deliveries.ts';

type NoticeOf<C extends Category> = {
  kind: KindOf<C>;
  type: Notification['type'];
  category: C;
  subject: string;
  period: string;
  textKey: string;
  params: TextParams;
  link: string | null;
  /** Where it leads readers who may not open `link`: the first that they may. */
  otherLinks?: readonly string[];
};
/** A notice: `kind`, `subject` and `period` make it unique per recipient. */
export type Notice = { [C in Category]: NoticeOf<C> }[Category];
type NewRow = {
  readonly id: Id<'ntf'>;
  readonly userId: Id<'usr'>;
  readonly notice: Notice;
  /** Where it leads this reader. */
  readonly link: string | null;
  /** The reader's organization; none for an Admin. */
  readonly organizationId: Id<'org'> | null;
  readonly channels: readonly Channel[];
  readonly searchText: string;
};

/**
 * Inserts a row for each recipient who does not have the notice yet, in one statement; returns the new ones.
 */
export async function insertOnce(
  ctx: Ctx,
  notifications: readonly NewRow[],
): Promise<ReadonlySet<Id<'ntf'>>> {
  const of = <T>(pick: (each: NewRow) => T): T[] => notifications.map(pick);
  const { rows } = await sql<{
    id: Id<'ntf'>;
  }>`insert into notification (id, user_id, kind, type, category, subject, period, text_key, params, link, search_text, channels, reader_organization_id, created_at)
    select id, user_id, kind, type, category, subject, period, text_key, params::jsonb, link, search_text, string_to_array(channels, ' '), organization_id, ${ctx.now}
    from unnest(${of((each) => each.id)}::text[], ${of((each) => each.userId)}::text[], ${of((each) => each.notice.kind)}::text[], ${of((each) => each.notice.type)}::text[], ${of((each) => each.notice.category)}::text[],
      ${of((each) => each.notice.subject)}::text[], ${of((each) => each.notice.period)}::text[], ${of((each) => each.notice.textKey)}::text[], ${of((each) => JSON.stringify(each.notice.params))}::text[], ${of((each) => each.link)}::text[],
      ${of((each) => each.searchText)}::text[], ${of((each) => each.channels.join(' '))}::text[], ${of((each) => each.organizationId ?? '')}::text[])
      as n (id, user_id, kind, type, category, subject, period, text_key, params, link, search_text, channels, organization_id)
    on conflict (user_id, kind, subject, period) do nothing returning id`.execute(ctx.db);
  return new Set(rows.map((row) => row.id));
}

export type Row = {
  id: Id<'ntf'>;
  type: Notification['type'];
  category: Notification['category'];
  text_key: string;
  params: TextParams;
  link: string | null;
  is_read: boolean;
  created_at: Date;
  channels: Channel[];
};
const columns = sql<Row>`n.id, n.type, n.category, n.text_key, n.params, n.link, n.is_read, n.created_at, n.channels`;

/** Renders rows in the reader's language, with the states of their deliveries. */
export async function viewsOf<R extends Row>(ctx: Ctx, rows: readonly R[]): Promise<Notification[]> {
  const deliveries = await deliveriesOf(ctx, rows);
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    category: row.category,
    message: ctx.text(row.text_key, readable(row.params, ctx.language)),
    link: row.link,
    read: row.is_read,
    createdAt: row.created_at,
    deliveries: deliveries(row.id),
  }));
}

export type Filter = {
  readonly unread?: boolean | undefined;
  readonly category?: Category | undefined;
  readonly q?: string | undefined;
};

/** The condition for the notifications whose pages the caller may read. */
function readableBy(ctx: Ctx): RawBuilder<unknown> | false {
  const pages = readablePages(ctx);
  return (
    pages !== undefined &&
    sql`(n.kind = any(${[...openKinds]}::text[]) or split_part(split_part(n.link, '?', 1), '#', 1) = any(${pages}::text[]))`
  );
}

/**
 * The condition for the notifications of an organization that the caller has left, without those about their own
 * account. Two ranges, of which an index finds the few or none there are.
 */
function ofFormerOrganization(ctx: Ctx): RawBuilder<unknown> {
  const organizationId = storedOrganization(person(ctx).organizationId);
  return sql`((n.reader_organization_id < ${organizationId} or n.reader_organization_id > ${organizationId}) and n.kind <> all(${[...personalKinds]}::text[]))`;
}
/** The condition for the notifications that the caller's role reads. */
function ofRole(ctx: Ctx): RawBuilder<unknown> | undefined {
  const categories = categoriesOf(person(ctx).role);
  return (
    categories &&
    sql`(n.category = any(${[...categories]}::text[]) or n.kind = any(${[...personalKinds]}::text[]))`
  );
}

/** The condition for a filter of the notifications that the caller has and may read. */
const filterOf = (ctx: Ctx, userId: string, { unread, category, q }: Filter): RawBuilder<unknown> =>
  allOf(
    sql`n.user_id = ${userId}`,
    readableBy(ctx),
    ofRole(ctx),
    sql`${ofFormerOrganization(ctx)} is not true`,
    unread !== undefined && sql`n.is_read = ${!unread}`,
    category && sql`n.category = ${category}`,
    q && sql`n.search_text like ${containsPattern(folded(q))}`,
  );

const notificationOrder: ListOrder = {
  by: { createdAt: { expression: sql`n.created_at`, cast: 'timestamptz' } },
  usual: '-createdAt',
  id: sql`n.id`,
};

/**
 * The number of notifications that the caller has and may read: the counter's, less those of organizations that they
 * have left. Where a role excludes more, the rows are counted.
 */
function countOfInbox(ctx: Ctx, userId: string, unread: boolean | undefined): RawBuilder<bigint> {
  const { role } = person(ctx);
  if (readablePages(ctx) || categoriesOf(role))
    return sql`(select count(*) from notification n where ${filterOf(ctx, userId, { unread })})`;
  const excluded = allOf(
    sql`n.user_id = ${userId}`,
    ofFormerOrganization(ctx),
    unread !== undefined && sql`n.is_read = ${!unread}`,
  );
  return sql`(${rowsCounted('notification', sql`${userId}`, unread === undefined ? '' : String(!unread))} - (select count(*) from notification n where ${excluded}))`;
}

/** Returns one page of a user's notifications with total (capped for searches) and unread count. */
export async function pageOfNotifications(
  ctx: Ctx,
  userId: string,
  input: In<typeof notifications.listNotifications>,
): Promise<Page<Notification> & { unread: number }> {
  const { unread, category, q } = input;
  const unreadCount = sql<{ count: bigint }>`select ${countOfInbox(ctx, userId, true)} as count`;
  const page = await readPage(
    ctx.db,
    input,
    {
      columns: sql<Row & { unread: bigint }>`${columns}, (${unreadCount}) as unread`,
      from: sql`notification n`,
      where: filterOf(ctx, userId, input),
      order: notificationOrder,
      counter: q || category ? undefined : countOfInbox(ctx, userId, unread),
      cap: q ? searchTotalCap : undefined,
    },
    rowItself,
  );
  return {
    ...page,
    items: await viewsOf(ctx, page.items),
    // A page without rows carries no count.
    unread: Number(page.items[0]?.unread ?? (await unreadCount.execute(ctx.db)).rows[0]?.count ?? 0n),
  };
}

/**
 * Marks one of a user's notifications as read or unread; undefined when the user has no such notification.
 * The time of the first reading is kept.
 */
export async function setRead(ctx: Ctx, userId: string, id: string, read: boolean): Promise<Row | undefined> {
  const { rows } =
    await sql<Row>`update notification n set read_at = ${read ? sql`coalesce(n.read_at, ${ctx.now})` : null} where ${allOf(sql`n.id = ${id}`, filterOf(ctx, userId, {}))} returning ${columns}`.execute(
      ctx.db,
    );
  return rows[0];
}

/** Marks the notifications of a user that match a filter as read; returns the changed ones. */
export async function setAllRead(ctx: Ctx, userId: string, filter: Filter): Promise<string[]> {
  const { rows } = await sql<{
    id: string;
  }>`update notification n set read_at = ${ctx.now} where ${filterOf(ctx, userId, filter)} and n.read_at is null returning n.id`.execute(
    ctx.db,
  );
  return rows.map((row) => row.id);
}

const notificationColumns = sql.raw(
  'id, user_id, kind, type, category, subject, period, text_key, params, link, created_at, read_at, search_text, channels, reader_organization_id',
);

/**
 * Moves one notification of a user, or all that match a filter, to the deleted ones, from which they can be
 * restored for a day; returns which.
 */
export async function deleteRows(
  ctx: Ctx,
  userId: string,
  which: Filter | { readonly id: string },
  deletionId: Id<'ndl'>,
): Promise<string[]> {
  const where =
    'id' in which ? allOf(sql`n.id = ${which.id}`, filterOf(ctx, userId, {})) : filterOf(ctx, userId, which);
  const { rows } = await sql<{
    id: string;
  }>`with gone as (delete from notification n where ${where} returning n.*)
    insert into notification_deleted (${notificationColumns}, deletion_id, deleted_at) select ${notificationColumns}, ${deletionId}, ${ctx.now} from gone on conflict (id) do nothing returning id`.execute(
    ctx.db,
  );
  return rows.map((row) => row.id);
}

/**
 * Restores what one deletion removed, or one notification; notices that were posted again in the meantime are
 * kept. Returns the restored ones.
 */
export async function restoreRows(
  ctx: Ctx,
  userId: string,
  which: { readonly id: string } | { readonly deletionId: string },
): Promise<Row[]> {
  const { rows } =
    await sql<Row>`with back as (delete from notification_deleted n where ${allOf('id' in which ? sql`n.id = ${which.id}` : sql`n.deletion_id = ${which.deletionId}`, filterOf(ctx, userId, {}))} returning n.*)
    insert into notification as n (${notificationColumns}) select ${notificationColumns} from back on conflict do nothing returning ${columns}`.execute(
      ctx.db,
    );
  return rows;
}

const deletedOrder: ListOrder = {
  by: { deletedAt: { expression: sql`n.deleted_at`, cast: 'timestamptz' } },
  usual: '-deletedAt',
  id: sql`n.id`,
};

/** Returns one page of a user's recently deleted notifications. */
export async function pageOfDeleted(
  ctx: Ctx,
  userId: string,
  input: In<typeof notifications.listDeleted>,
): Promise<Page<Notification & { deletedAt: Date }>> {
  const page = await readPage(
    ctx.db,
    input,
    {
      columns: sql<
        Row & { deleted_at: Date }
      >`n.id, n.type, n.category, n.text_key, n.params, n.link, n.read_at is not null as is_read, n.created_at, n.channels, n.deleted_at`,
      from: sql`notification_deleted n`,
      where: filterOf(ctx, userId, {}),
      order: deletedOrder,
    },
    rowItself,
  );
  const views = await viewsOf(ctx, page.items);
  return {
    ...page,
    items: page.items.flatMap((row, index) =>
      views[index] ? [{ ...views[index], deletedAt: row.deleted_at }] : [],
    ),
  };
}

/** Permanently deletes what was deleted before a moment. */
export async function forgetDeleted(ctx: Ctx, before: Date): Promise<void> {
  await sql`delete from notification_deleted where deleted_at < ${before}`.execute(ctx.db);
}

/** Returns notifications from before search texts were introduced. */
export async function withoutSearchText(
  ctx: Ctx,
  limit: number,
): Promise<{ id: string; textKey: string; params: TextParams }[]> {
  const { rows } = await sql<{
    id: string;
    textKey: string;
    params: TextParams;
  }>`select id, text_key as "textKey", params from notification where search_text is null order by id limit ${limit} for update skip locked`.execute(
    ctx.db,
  );
  return rows;
}

/** Stores search texts. */
export async function putSearchTexts(
  ctx: Ctx,
  texts: readonly { id: string; searchText: string }[],
): Promise<void> {
  await sql`update notification n set search_text = t.search_text from unnest(${texts.map((each) => each.id)}::text[], ${texts.map((each) => each.searchText)}::text[]) as t (id, search_text) where n.id = t.id`.execute(
    ctx.db,
  );
}
