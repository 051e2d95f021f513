// SQL that finds, deletes and replaces texts that identify people, in every table of the database.
import { sql, type RawBuilder } from 'kysely';
import { required } from '#kernel/assert.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { allOf } from '#platform/server/database/paging.ts';
import { belongingsOf, tableRules } from '../rules.ts';
import { frozenFields, isUnique, patternOf, type Term } from '../rules-erasure.ts';
import { belongsTo } from './store-rows.ts';

/** Whose rows are erased: those of all people of an organization, or of one person. */
export type Erased = { readonly organizationId: string | null; readonly userId: string | null };

/** A field of a table that can contain text: strings, lists of strings, JSON. */
export type TextField = { readonly table: string; readonly column: string; readonly type: string };

/** Returns every field of the database that can contain text. */
export async function textFields(ctx: Ctx): Promise<TextField[]> {
  const { rows } =
    await sql<TextField>`select c.table_name as table, c.column_name as column, c.udt_name as type from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.udt_name in ('text', 'varchar', 'bpchar', 'jsonb', 'json', '_text', 'citext') and c.is_generated = 'NEVER'
      and not exists (select from pg_inherits where inhrelid = format('%I', c.table_name)::regclass) order by 1, 2`.execute(
      ctx.db,
    );
  return rows;
}

/**
 * A condition for the rows of a table about the erased subject. Undefined when the table's rows belong to
 * nobody.
 */
export function isOf(table: string, { organizationId, userId }: Erased): RawBuilder<boolean> | undefined {
  const rule = required(tableRules[table], `the rule of ${table}`);
  const ofPerson = ['user_id', 'created_by', 'actor_id', 'subject'];
  if (userId === null)
    return 'of' in rule && organizationId !== null ? belongsTo(table, organizationId) : undefined;
  if (table === 'app_user') return sql<boolean>`app_user.id = ${userId}`;
  if (!('of' in rule)) return undefined;
  const own = belongingsOf(rule.of).filter(
    ({ column, in: parent }) => ofPerson.includes(column) && (parent === null || parent.table === 'app_user'),
  );
  if (own.length > 0)
    return sql<boolean>`(${sql.join(
      own.map(({ column }) => sql`${sql.ref(`${table}.${column}`)} = ${userId}`),
      sql` or `,
    )})`;
  // What the organization's rows contain about the person.
  return organizationId === null ? undefined : belongsTo(table, organizationId);
}

const jsonOf = (text: string): string => JSON.stringify(text).slice(1, -1);
const forType = (term: Term, type: string): Term =>
  type.startsWith('json') ? { ...term, text: jsonOf(term.text) } : term;
const asText = (field: TextField): RawBuilder<unknown> =>
  sql`${sql.ref(`${field.table}.${field.column}`)}::text`;

/** Whether a field contains one of the terms. */
export function holds(field: TextField, terms: readonly Term[]): RawBuilder<boolean> {
  const pattern = terms.map((term) => patternOf(forType(term, field.type))).join('|');
  return sql<boolean>`${asText(field)} ~* ${pattern}`;
}

function replaced(field: TextField, terms: readonly Term[]): RawBuilder<unknown> {
  const within = (value: RawBuilder<unknown>): RawBuilder<unknown> =>
    terms.reduce(
      (inner, term) =>
        sql`regexp_replace(${inner}, ${patternOf(forType(term, field.type))}, ${term.instead}, 'gi')`,
      value,
    );
  if (field.type === '_text')
    return sql`array(select ${within(sql`each.word`)} from unnest(${sql.ref(`${field.table}.${field.column}`)}) with ordinality as each (word, place) order by place)`;
  return field.type.startsWith('json')
    ? sql`(${within(asText(field))})::${sql.raw(field.type)}`
    : within(asText(field));
}

/**
 * The rows of a field to search and for which terms: the erased subject's rows for all terms, or all rows for
 * unique terms. Undefined when there is nothing to search for.
 */
function reach(
  field: TextField,
  erased: Erased,
  terms: readonly Term[],
): { readonly where: RawBuilder<unknown>; readonly terms: readonly Term[] } | undefined {
  const own = isOf(field.table, erased);
  if (own) return { where: own, terms };
  const unique = terms.filter(isUnique);
  return unique.length === 0 ? undefined : { where: sql`true`, terms: unique };
}

/** Counts the rows of the erased subject in a table. */
export async function countOf(ctx: Ctx, table: string, erased: Erased): Promise<number> {
  const own = isOf(table, erased);
  if (!own) return 0;
  const { rows } = await sql<{
    count: bigint;
  }>`select count(*) from ${sql.table(table)} where ${own}`.execute(ctx.db);
  return Number(rows[0]?.count ?? 0n);
}

/** Deletes the rows of the erased subject in a table; returns how many. */
export async function deleteOf(ctx: Ctx, table: string, erased: Erased): Promise<number> {
  const own = isOf(table, erased);
  if (!own) return 0;
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${own}`.execute(ctx.db);
  return Number(numAffectedRows ?? 0n);
}

/** Counts the rows in which each field of a table contains a term; fields without any are omitted. */
async function countsIn(
  ctx: Ctx,
  fields: readonly TextField[],
  where: RawBuilder<unknown>,
  terms: readonly Term[],
): Promise<{ field: TextField; rows: number }[]> {
  const [first] = fields;
  if (!first || terms.length === 0) return [];
  const counts = fields.map((field) => sql`count(*) filter (where ${holds(field, terms)})`);
  const { rows } = await sql<{
    counts: string[];
  }>`select array[${sql.join(counts)}]::text[] as counts from ${sql.table(first.table)} where ${where}`.execute(
    ctx.db,
  );
  return fields.flatMap((field, place) => {
    const count = Number(rows[0]?.counts[place] ?? '0');
    return count === 0 ? [] : [{ field, rows: count }];
  });
}

/**
 * Counts the rows in which the fields of a table contain a term of an erasure; fields without any are
 * omitted.
 */
export async function countHolding(
  ctx: Ctx,
  fields: readonly TextField[],
  erased: Erased,
  terms: readonly Term[],
): Promise<{ field: TextField; rows: number }[]> {
  const [first] = fields;
  const scope = first && reach(first, erased, terms);
  return scope ? countsIn(ctx, fields, scope.where, scope.terms) : [];
}

/** Whether a field is left unchanged because it is a document of the books. */
export const isFrozen = ({ table, column }: TextField): boolean => frozenFields.has(`${table}.${column}`);

/**
 * Replaces the terms in the fields of a table; returns how many rows were changed. The table's triggers that
 * forbid changes are disabled within the transaction: they protect the books, which this does not change.
 */
export async function replaceIn(
  ctx: Ctx,
  fields: readonly TextField[],
  erased: Erased,
  terms: readonly Term[],
): Promise<number> {
  let changed = 0;
  const holding = await countHolding(
    ctx,
    fields.filter((field) => !isFrozen(field)),
    erased,
    terms,
  );
  for (const { field } of holding) {
    const scope = required(reach(field, erased, terms), 'rows that hold a term');
    const table = sql.table(field.table);
    await sql`alter table ${table} disable trigger user`.execute(ctx.db);
    const { numAffectedRows } =
      await sql`update ${table} set ${sql.ref(field.column)} = ${replaced(field, scope.terms)} where ${allOf(scope.where, holds(field, scope.terms))}`.execute(
        ctx.db,
      );
    await sql`alter table ${table} enable trigger user`.execute(ctx.db);
    changed += Number(numAffectedRows ?? 0n);
  }
  return changed;
}

/**
 * Deletes the rows of a table of one-time proofs or unsent messages that contain a unique term; returns how
 * many.
 */
export async function deleteHolding(
  ctx: Ctx,
  fields: readonly TextField[],
  terms: readonly Term[],
): Promise<number> {
  const unique = terms.filter(isUnique);
  const [first] = fields;
  if (!first || unique.length === 0) return 0;
  const any = sql.join(
    fields.map((field) => sql`coalesce(${holds(field, unique)}, false)`),
    sql` or `,
  );
  const { numAffectedRows } = await sql`delete from ${sql.table(first.table)} where ${any}`.execute(ctx.db);
  return Number(numAffectedRows ?? 0n);
}

/**
 * Counts where a term is still found in a table: every term in rows of the erased subject, and in all rows
 * those that two people hardly share.
 */
export async function stillHolding(
  ctx: Ctx,
  fields: readonly TextField[],
  erased: Erased,
  terms: readonly Term[],
): Promise<{ field: string; rows: number }[]> {
  const [first] = fields;
  if (!first) return [];
  const own = isOf(first.table, erased);
  const anywhere = await countsIn(ctx, fields, sql`true`, terms.filter(isUnique));
  const theirs = own ? await countsIn(ctx, fields, own, terms) : [];
  const most = new Map<string, number>();
  for (const { field, rows } of [...anywhere, ...theirs]) {
    const name = `${field.table}.${field.column}`;
    most.set(name, Math.max(most.get(name) ?? 0, rows));
  }
  return [...most].map(([field, rows]) => ({ field, rows }));
}

/** Returns those ids that belong to rows of an organization, in tables that can be looked up by id. */
export async function idsOf(
  ctx: Ctx,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows: keyed } = await sql<{
    table: string;
  }>`select distinct c.relname as table from pg_index i join pg_class c on c.oid = i.indrelid join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
    where c.relnamespace = 'public'::regnamespace and a.attname = 'id' and a.atttypid = 'text'::regtype order by 1`.execute(
    ctx.db,
  );
  const wanted = [...ids];
  const looks = keyed.flatMap(({ table }) =>
    table in tableRules && 'of' in required(tableRules[table], table)
      ? [
          sql`select id from ${sql.table(table)} where id = any(${wanted}::text[]) and ${belongsTo(table, organizationId)}`,
        ]
      : [],
  );
  if (wanted.length === 0 || looks.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`${sql.join(looks, sql` union all `)}`.execute(ctx.db);
  return new Set(rows.map(({ id }) => id));
}

/** Deletes notifications about these subjects; returns how many. */
export async function deleteNotificationsAbout(ctx: Ctx, ids: readonly string[]): Promise<number> {
  const { numAffectedRows } =
    await sql`delete from notification where subject = any(${[...ids]}::text[])`.execute(ctx.db);
  return Number(numAffectedRows ?? 0n);
}

/**
 * An older entry about a request for approval, which contains names instead of ids. Once the request's
 * contents are deleted, by age or by another erasure, the owner of the names is unknown: a match counts as
 * the erased subject's.
 */
const isOldRequest = sql<boolean>`(audit_log.action = 'approvals.request' and audit_log.detail ? 'subject'
  and not exists (select from approval a where a.id = audit_log.subject and a.sealed_call is not null))`;

/**
 * Replaces the terms in audit entries. Each keeps its hash; returns the hashes and new contents, for the
 * entry that makes the change part of the chain.
 */
export async function redactAudit(
  ctx: Ctx,
  erasureId: string,
  erased: Erased,
  terms: readonly Term[],
): Promise<{ seq: number; hash: string; content: string }[]> {
  const detail: TextField = { table: 'audit_log', column: 'detail', type: 'jsonb' };
  const subject: TextField = { table: 'audit_log', column: 'subject', type: 'text' };
  const own = sql`(${required(isOf('audit_log', erased), 'entries of the erased')} or ${isOldRequest})`;
  const unique = terms.filter(isUnique);
  const matches = sql`(${own} and (${holds(detail, terms)} or coalesce(${holds(subject, terms)}, false))${unique.length === 0 ? sql`` : sql` or ${holds(detail, unique)} or coalesce(${holds(subject, unique)}, false)`})`;
  const { rows: found } = await sql<{
    seq: bigint;
  }>`select seq from audit_log where ${matches} and action <> 'personaldata.redact'`.execute(ctx.db);
  if (found.length === 0) return [];
  const seqs = found.map(({ seq }) => seq);
  await sql`alter table audit_log disable trigger audit_log_fixed`.execute(ctx.db);
  await sql`update audit_log set detail = ${replaced(detail, terms)}, subject = ${replaced(subject, terms)} where seq = any(${seqs}::bigint[])`.execute(
    ctx.db,
  );
  await sql`alter table audit_log enable trigger audit_log_fixed`.execute(ctx.db);
  await sql`insert into audit_redaction (seq, erasure_id) select seq, ${erasureId} from unnest(${seqs}::bigint[]) as s (seq) on conflict (seq) do update set erasure_id = excluded.erasure_id`.execute(
    ctx.db,
  );
  const { rows } = await sql<{
    seq: number;
    hash: string;
    content: string;
  }>`select seq::float8 as seq, encode(hash, 'hex') as hash, audit_content(seq, id, at, actor_kind, actor_id, action, subject, detail, request_id) as content from audit_log where seq = any(${seqs}::bigint[]) order by seq`.execute(
    ctx.db,
  );
  return rows;
}
