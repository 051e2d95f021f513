// SQL of batches: their users, and processing a chunk in a single statement.
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Language } from '#kernel/language.ts';
import type { Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { allOf, readPage, rowItself, type ListOrder } from '#platform/server/database/paging.ts';
import { usersWhere, type UserFilter } from '#features/access/identity/server/index.ts';
import type { BatchAction, UserBatch, UserBatchRow } from '../contract.ts';

export type BatchRow = Omit<UserBatch, 'canUndo'> & {
  readonly createdBy: Id<'usr'>;
  readonly undoneBy: string | null;
};

const columns = sql`b.id, b.action, b.state, b.total, b.done, b.unchanged, b.refused, b.created_by as "createdBy", b.created_at as "createdAt", b.finished_at as "finishedAt", b.undone_by as "undoneBy"`;

/** Returns a batch, locked until the transaction ends if it is about to be changed. */
export async function batchById(ctx: Ctx, batchId: string, lock = false): Promise<BatchRow | undefined> {
  const { rows } =
    await sql<BatchRow>`select ${columns} from user_batch b where b.id = ${batchId} ${lock ? sql`for update` : sql``}`.execute(
      ctx.db,
    );
  return rows[0];
}

/** Creates a batch of users, in the order of `members`, a query that returns their ids as `user_id`. */
async function insertBatch(
  ctx: Ctx,
  action: BatchAction,
  createdBy: string,
  members: RawBuilder<unknown>,
): Promise<Id<'ubt'>> {
  const batchId = ctx.newId('ubt');
  await sql`insert into user_batch (id, action, state, created_by, created_at) values (${batchId}, ${action}, 'running', ${createdBy}, ${ctx.now})`.execute(
    ctx.db,
  );
  await sql`with added as (insert into user_batch_row (batch_id, position, user_id, state) select ${batchId}, row_number() over (), user_id, 'waiting' from (${members}) as m returning 1)
    update user_batch set total = (select count(*) from added) where id = ${batchId}`.execute(ctx.db);
  return batchId;
}

/** Creates a batch of the named users, each once. */
export function batchOfIds(
  ctx: Ctx,
  action: BatchAction,
  createdBy: string,
  ids: readonly string[],
): Promise<Id<'ubt'>> {
  return insertBatch(
    ctx,
    action,
    createdBy,
    sql`select id as user_id from unnest(${[...new Set(ids)]}::text[]) as id`,
  );
}

/**
 * Creates a batch of all users that match a filter, except the calling Admin, who cannot be changed by their
 * own batch.
 */
export function batchOfFilter(
  ctx: Ctx,
  action: BatchAction,
  createdBy: string,
  filter: UserFilter,
): Promise<Id<'ubt'>> {
  return insertBatch(
    ctx,
    action,
    createdBy,
    sql`select u.id as user_id from app_user u where ${usersWhere(filter)} and u.id <> ${createdBy} order by u.id`,
  );
}

/** Creates a batch of those users of another batch that ended in a given state. */
export function batchOfBatch(
  ctx: Ctx,
  action: BatchAction,
  createdBy: string,
  from: string,
  state: 'done' | 'refused',
): Promise<Id<'ubt'>> {
  return insertBatch(
    ctx,
    action,
    createdBy,
    sql`select user_id from user_batch_row where batch_id = ${from} and state = ${state} order by position`,
  );
}

/** Stores which batch undoes another one. */
export async function markUndone(ctx: Ctx, batchId: string, by: string): Promise<void> {
  await sql`update user_batch set undone_by = ${by} where id = ${batchId}`.execute(ctx.db);
}

/** Ends a batch as done or stopped. */
export async function endBatch(ctx: Ctx, batchId: string, state: 'done' | 'stopped'): Promise<void> {
  await sql`update user_batch set state = ${state}, finished_at = ${ctx.now} where id = ${batchId} and state = 'running'`.execute(
    ctx.db,
  );
}

const statusChange: Record<
  Exclude<BatchAction, 'resetPassword'>,
  { readonly from: RawBuilder<unknown>; readonly set: (now: Date) => RawBuilder<unknown> }
> = {
  activate: { from: sql`t.status = 'inactive'`, set: () => sql`status = 'active'` },
  deactivate: { from: sql`t.status = 'active'`, set: () => sql`status = 'inactive'` },
  delete: {
    from: sql`t.status <> 'deleted'`,
    set: (now) => sql`status_before = u.status, status = 'deleted', deleted_at = ${now}`,
  },
  restore: {
    from: sql`t.status = 'deleted'`,
    set: () => sql`status = u.status_before, status_before = null, deleted_at = null`,
  },
};

/** The reason to skip a user of a chunk, as an SQL expression: a code, or null. */
// used as: 'users.not_active', 'users.organization_closed'
const errorCodeOf = (action: BatchAction, by: string): RawBuilder<unknown> => sql`case
  when not exists (select from app_user me where me.id = ${by} and me.role = 'Admin' and me.custom_role_id is null and me.status = 'active') then 'users.no_longer_admin'
  when t.id is null then 'identity.user_not_found'
  when t.id = ${by} then 'identity.own_account'
  ${action === 'restore' ? sql`when t.erased_at is not null then 'users.erased'` : action === 'delete' ? sql`` : sql`when t.status = 'deleted' then 'identity.user_not_found'`}
  ${action === 'activate' ? sql`when t.is_closed then 'users.organization_closed'` : action === 'restore' ? sql`when t.is_closed and t.status_before = 'active' then 'users.organization_closed'` : sql``}
  ${action === 'resetPassword' ? sql`when t.status <> 'active' then 'users.not_active'` : sql``} end`;

export type Chunk = {
  readonly taken: number;
  readonly changed: readonly {
    readonly id: Id<'usr'>;
    readonly name: string;
    readonly account: string;
    readonly language: Language;
  }[];
};

/**
 * Checks and changes the next users of a batch in one statement, and stores the result for each. The caller
 * must hold the locks of the batch and of the Admins (lockAdmins), so that the acting user is still an Admin,
 * is not changed by the batch, and at least one Admin remains.
 */
export async function processChunk(
  ctx: Ctx,
  { id: batchId, action, createdBy, ...batch }: BatchRow,
  size: number,
): Promise<Chunk> {
  const change = action === 'resetPassword' ? undefined : statusChange[action];
  const changed = change
    ? sql`update app_user u set ${change.set(ctx.now)} from judged j where u.id = j.user_id and j.state = 'done' returning u.id, u.name, u.account, u.language`
    : sql`select u.id, u.name, u.account, u.language from judged j join app_user u on u.id = j.user_id where j.state = 'done'`;
  // Users are processed in order, so the waiting ones follow the processed ones.
  const judged = batch.done + batch.unchanged + batch.refused;
  const { rows } = await sql<Chunk>`
    with chunk as materialized (select position, user_id from user_batch_row where batch_id = ${batchId} and position > ${judged} and position <= ${judged + size} order by position),
      target as materialized (select u.id, u.status, u.status_before, u.erased_at, exists (select from organization o where o.id = u.organization_id and o.closed_at is not null) as is_closed from app_user u where u.id in (select user_id from chunk) order by u.id for no key update),
      coded as (select c.position, c.user_id, ${errorCodeOf(action, createdBy)} as code, ${change ? change.from : sql`true`} as moves from chunk c left join target t on t.id = c.user_id),
      judged as materialized (select position, user_id, code, case when code is not null then 'refused' when moves then 'done' else 'unchanged' end as state from coded),
      changed as (${changed}),
      marked as (update user_batch_row r set state = j.state, code = j.code from judged j where r.batch_id = ${batchId} and r.position = j.position returning r.state),
      counted as (update user_batch b set done = b.done + n.done, unchanged = b.unchanged + n.unchanged, refused = b.refused + n.refused
        from (select count(*) filter (where state = 'done') as done, count(*) filter (where state = 'unchanged') as unchanged, count(*) filter (where state = 'refused') as refused from marked) n where b.id = ${batchId} returning 1)
    select (select count(*)::int from chunk) as taken, coalesce((select json_agg(json_build_object('id', id, 'name', name, 'account', account, 'language', language) order by id) from changed), '[]'::json) as changed from counted`.execute(
    ctx.db,
  );
  return rows[0] ?? { taken: 0, changed: [] };
}

const rowOrder: ListOrder = {
  by: { position: { expression: sql`r.position`, cast: 'integer' } },
  usual: 'position',
  id: sql`r.position::text`,
};

/** Returns one page of a batch's users with their results. The caller translates the codes. */
export const pageOfBatchRows = (
  ctx: Ctx,
  {
    batchId,
    state,
    ...page
  }: {
    batchId: string;
    state?: UserBatchRow['state'] | undefined;
    limit?: number | undefined;
    cursor?: string | undefined;
  },
): Promise<Page<Omit<UserBatchRow, 'message'>>> =>
  readPage(
    ctx.db,
    page,
    {
      columns: sql<
        Omit<UserBatchRow, 'message'>
      >`r.position::text as id, r.user_id as "userId", coalesce(u.name, r.user_id) as name, coalesce(u.account, '') as account, r.state, r.code`,
      from: sql`user_batch_row r left join app_user u on u.id = r.user_id`,
      where: allOf(sql`r.batch_id = ${batchId}`, state && sql`r.state = ${state}`),
      order: rowOrder,
    },
    rowItself,
  );

/** Deletes batches and imports that ended before a moment. */
export async function forgetRuns(ctx: Ctx, before: Date): Promise<void> {
  await sql`delete from user_batch where created_at < ${before} and state <> 'running'`.execute(ctx.db);
  await sql`delete from user_import where created_at < ${before} and state <> 'running'`.execute(ctx.db);
}
