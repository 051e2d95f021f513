// SQL of imports: matching accounts to users, storing a file's rows, and writing them in chunks.
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Language } from '#kernel/language.ts';
import type { Page } from '#kernel/shape.ts';
import type { TextParams } from '#kernel/text.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { readPage, rowItself, type ListOrder } from '#platform/server/database/paging.ts';
import type { UserImport, UserImportRow } from '../contract.ts';

export type Wanted = {
  readonly account: string;
  readonly name?: string;
  readonly phone?: string;
  readonly role?: string;
  readonly language?: string;
  readonly status?: string;
  readonly organizationId?: Id<'org'>;
};
export type StoredError = { readonly column: string; readonly code: string; readonly params: TextParams };
export type PlannedRow = {
  readonly row: number;
  readonly name: string;
  readonly account: string;
  readonly action: UserImportRow['action'];
  readonly wanted: Wanted;
  readonly errors: readonly StoredError[];
};

export type KnownUser = Required<Omit<Wanted, 'organizationId'>> & {
  readonly id: Id<'usr'>;
  readonly organizationId: Id<'org'> | null;
};

/** Returns the users of some accounts, including deleted ones. */
export async function usersOfAccounts(ctx: Ctx, accounts: readonly string[]): Promise<KnownUser[]> {
  const { rows } =
    await sql<KnownUser>`select id, account, name, phone, role, language, status, organization_id as "organizationId" from app_user where account = any(${[...accounts]}::text[])`.execute(
      ctx.db,
    );
  return rows;
}

export type NamedOrganization = { readonly named: string; readonly id: Id<'org'> };

/** Returns organizations by their reference in a file: name, id or external reference. */
export async function organizationsNamed(ctx: Ctx, names: readonly string[]): Promise<NamedOrganization[]> {
  const { rows } =
    await sql<NamedOrganization>`select distinct n.named, o.id from unnest(${[...names]}::text[]) as n (named) join organization o on (o.name = n.named or o.id = n.named or o.external_ref = n.named) and o.closed_at is null`.execute(
      ctx.db,
    );
  return rows;
}

export type ImportRow = UserImport & { readonly createdBy: Id<'usr'>; readonly sendLinks: boolean };

/** Stores a file's rows with the planned action for each. */
export async function insertImport(
  ctx: Ctx,
  fileName: string,
  createdBy: string,
  rows: readonly PlannedRow[],
): Promise<Id<'uim'>> {
  const importId = ctx.newId('uim');
  await sql`insert into user_import (id, file_name, state, created_by, created_at) values (${importId}, ${fileName}, 'ready', ${createdBy}, ${ctx.now})`.execute(
    ctx.db,
  );
  await sql`insert into user_import_row (import_id, position, name, account, action, state, wanted, errors)
    select ${importId}, "row", name, account, action, 'waiting', wanted, errors from json_to_recordset(${JSON.stringify(rows)}::json) as r ("row" integer, name text, account text, action text, wanted jsonb, errors jsonb)`.execute(
    ctx.db,
  );
  return importId;
}

/** Returns an import with its counts, locked until the transaction ends if it is about to be changed. */
export async function importById(ctx: Ctx, importId: string, lock = false): Promise<ImportRow | undefined> {
  if (lock) await sql`select from user_import where id = ${importId} for update`.execute(ctx.db);
  const { rows } =
    await sql<ImportRow>`select i.id, i.file_name as "fileName", i.state, i.send_links as "sendLinks", i.created_by as "createdBy", i.created_at as "createdAt", i.finished_at as "finishedAt", n.*
    from user_import i, lateral (select count(*)::int as total, count(*) filter (where action = 'create')::int as create, count(*) filter (where action = 'update')::int as update,
      count(*) filter (where action = 'unchanged')::int as unchanged, count(*) filter (where action = 'refused')::int as refused, count(*) filter (where state = 'written')::int as written, count(*) filter (where state = 'failed')::int as failed
      from user_import_row r where r.import_id = i.id) n where i.id = ${importId}`.execute(ctx.db);
  return rows[0];
}

/** Marks an import as running. */
export async function beginImport(ctx: Ctx, importId: string, sendLinks: boolean): Promise<void> {
  await sql`update user_import set state = 'running', send_links = ${sendLinks} where id = ${importId}`.execute(
    ctx.db,
  );
}

/** Ends an import as done or stopped. */
export async function endImport(ctx: Ctx, importId: string, state: 'done' | 'stopped'): Promise<void> {
  await sql`update user_import set state = ${state}, finished_at = ${ctx.now} where id = ${importId} and state in ('ready', 'running')`.execute(
    ctx.db,
  );
}

type Written = {
  readonly taken: number;
  readonly created: readonly {
    readonly id: Id<'usr'>;
    readonly account: string;
    readonly language: Language;
  }[];
  readonly signedOut: readonly string[];
};

/** Returns the next rows to write. */
export async function waitingRows(
  ctx: Ctx,
  importId: string,
  size: number,
): Promise<{ position: number; action: 'create' | 'update'; wanted: Wanted }[]> {
  const { rows } = await sql<{
    position: number;
    action: 'create' | 'update';
    wanted: Wanted;
  }>`select position, action, wanted from user_import_row
    where import_id = ${importId} and state = 'waiting' and action in ('create', 'update') order by position limit ${size}`.execute(
    ctx.db,
  );
  return rows;
}

/**
 * Writes rows: new users without a password, and the file's values for existing users. A row that no longer
 * fits is marked as failed. The caller must hold the locks of the import and of the Admins, and must have
 * checked that `by` is an Admin.
 */
export async function writeRows(
  ctx: Ctx,
  { id: importId, createdBy: by }: ImportRow,
  rows: Awaited<ReturnType<typeof waitingRows>>,
  fallback: Language,
): Promise<Written> {
  const given = JSON.stringify(
    rows.map(({ position, action, wanted }) => ({ position, action, id: ctx.newId('usr'), ...wanted })),
  );
  const {
    rows: [written],
  } = await sql<Written>`
    with given as materialized (select * from json_to_recordset(${given}::json) as g (position integer, action text, id text, account text, name text, phone text, role text, language text, status text, "organizationId" text)),
      target as materialized (select u.id, u.account, u.role, u.status, u.organization_id from app_user u where u.account in (select account from given where action = 'update') and u.status <> 'deleted' order by u.id for no key update),
      made as (insert into app_user (id, account, name, phone, role, status, organization_id, language, created_at)
        select id, account, name, coalesce(phone, ''), coalesce(role, 'User'), coalesce(status, 'active'), "organizationId", coalesce(language, ${fallback}), ${ctx.now} from given where action = 'create' order by account
        on conflict (account) do nothing returning id, account, language),
      changed as (update app_user u set name = coalesce(g.name, u.name), phone = coalesce(g.phone, u.phone), role = coalesce(g.role, u.role), language = coalesce(g.language, u.language), status = coalesce(g.status, u.status),
          organization_id = case when coalesce(g.role, u.role) = 'Admin' then null else coalesce(g."organizationId", u.organization_id) end
        from target t, given g where u.id = t.id and g.action = 'update' and g.account = t.account
          and (u.id <> ${by} or (coalesce(g.role, t.role) = t.role and coalesce(g.status, t.status) = t.status)) and (coalesce(g.role, t.role) = 'Admin' or coalesce(g."organizationId", t.organization_id) is not null)
        returning u.id, u.account, u.role is distinct from t.role or u.status is distinct from t.status or u.organization_id is distinct from t.organization_id as moved),
      marked as (update user_import_row r set state = case when m.account is null and c.account is null then 'failed' else 'written' end,
          errors = case when m.account is null and c.account is null then jsonb_build_array(jsonb_build_object('column', '', 'code', 'users.row_overtaken', 'params', '{}'::jsonb)) else r.errors end
        from given g left join made m on m.account = g.account left join changed c on c.account = g.account where r.import_id = ${importId} and r.position = g.position returning 1)
    select (select count(*)::int from marked) as taken, coalesce((select json_agg(json_build_object('id', id, 'account', account, 'language', language) order by id) from made), '[]'::json) as created,
      coalesce((select json_agg(id) from changed where moved), '[]'::json) as "signedOut"`.execute(ctx.db);
  return written ?? { taken: 0, created: [], signedOut: [] };
}

export type StoredRow = {
  readonly id: string;
  readonly row: number;
  readonly name: string;
  readonly account: string;
  readonly action: UserImportRow['action'];
  readonly state: 'waiting' | 'written' | 'failed';
  readonly errors: readonly StoredError[];
};
const rowColumns = sql<StoredRow>`r.position::text as id, r.position as row, r.name, r.account, r.action, r.state, r.errors`;

const rowOrder: ListOrder = {
  by: {
    bad: {
      expression: sql`(case when r.errors = '[]'::jsonb then 1 else 0 end)::bigint * 10000000 + r.position`,
      cast: 'bigint',
    },
  },
  usual: 'bad',
  id: sql`r.position::text`,
};

/** Returns one page of an import's rows: those with errors first, each part in the file's order. */
export const pageOfImportRows = (
  ctx: Ctx,
  { importId, ...page }: { importId: string; limit?: number | undefined; cursor?: string | undefined },
): Promise<Page<StoredRow>> =>
  readPage(
    ctx.db,
    page,
    {
      columns: rowColumns,
      from: sql`user_import_row r`,
      where: sql`r.import_id = ${importId}`,
      order: rowOrder,
    },
    rowItself,
  );

/**
 * The statement for all rows of an import in the file's order, or only for those that were not written
 * because of an error.
 */
export function allImportRows(importId: string, onlyBad: boolean): RawBuilder<StoredRow> {
  return sql<StoredRow>`select ${rowColumns} from user_import_row r where r.import_id = ${importId} ${onlyBad ? sql`and r.errors <> '[]'::jsonb` : sql``} order by r.position`;
}
