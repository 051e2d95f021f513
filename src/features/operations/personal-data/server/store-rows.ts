// SQL of the rows that belong to an organization, table by table, as defined by the rules (rules-table.ts).
import { sql, type RawBuilder } from 'kysely';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import type { ContentLanguage } from '#kernel/language.ts';
import { figure, type CsvCell } from '#platform/server/files/csv.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { allOf } from '#platform/server/database/paging.ts';
import { belongingsOf, shownColumns, tableRules, type NamedTable } from '../rules.ts';
import type { TableRule } from '../rules-table.ts';

/** The PostgreSQL type of each column (`int8`, `_text` for an array), by table and column. */
export type ColumnTypes = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The columns of every table. */
export async function columnTypes(ctx: Ctx): Promise<ColumnTypes> {
  const { rows } = await sql<{
    table: string;
    column: string;
    type: string;
  }>`select table_name as table, column_name as column, udt_name as type from information_schema.columns where table_schema = 'public'`.execute(
    ctx.db,
  );
  return new Map(
    [...Map.groupBy(rows, (row) => row.table)].map(([table, columns]) => [
      table,
      new Map(columns.map(({ column, type }) => [column, type])),
    ]),
  );
}

/**
 * Whether a row of `table` belongs to the organization. Columns are qualified by the table's name, so that a
 * way may lead through another table.
 */
export function belongsTo(table: string, organizationId: string): RawBuilder<boolean> {
  const rule = required<TableRule>(tableRules[table], `the rule of ${table}`);
  if (!('of' in rule)) throw new Error(`no row of ${table} belongs to an organization`);
  return belongsBy(table, rule.of, organizationId);
}

/** Whether a row of `table` belongs to the organization in one of the ways `of`. */
function belongsBy(table: string, of: string, organizationId: string): RawBuilder<boolean> {
  const ways = belongingsOf(of).map(({ column, in: parent }) => {
    const own = sql.ref(`${table}.${column}`);
    return parent === null
      ? sql`${own} = ${organizationId}`
      : sql`${own} in (select ${sql.ref(`${parent.table}.${parent.key}`)} from ${sql.table(parent.table)} where ${belongsTo(parent.table, organizationId)})`;
  });
  return sql<boolean>`(${sql.join(ways, sql` or `)})`;
}

/** Formats a value as text: times in UTC, bytes in hexadecimal, lists as JSON. */
export function textOf(column: RawBuilder<unknown>, type: string): RawBuilder<string | null> {
  if (type === 'timestamptz')
    return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
  if (type === 'bytea') return sql`encode(${column}, 'hex')`;
  return type.startsWith('_') ? sql`to_jsonb(${column})::text` : sql`${column}::text`;
}

const exactNumbers = new Set(['int2', 'int4', 'int8', 'numeric']);

type CellRow = { readonly cells: readonly (string | null)[] };
/** A table's rows as CSV: its header, its query, and the format of a row. */
export type RowsAsCsv = {
  readonly header: readonly string[];
  readonly query: RawBuilder<CellRow>;
  readonly cells: (row: CellRow) => readonly CsvCell[];
};

/** The exportable columns of the rows of a table that meet a condition; `valueOf` reads a column. */
export function rowsAsCsv(
  valueOf: (column: string) => RawBuilder<unknown>,
  types: ColumnTypes,
  table: string,
  rule: TableRule,
  where: RawBuilder<unknown>,
): RowsAsCsv {
  const known = required(types.get(table), `the columns of ${table}`);
  const columns = shownColumns(rule).map((name) => ({
    name,
    type: required(known.get(name), `the type of ${table}.${name}`),
  }));
  const texts = columns.map(({ name, type }) => textOf(valueOf(name), type));
  return {
    header: columns.map(({ name }) => name),
    query: sql<CellRow>`select array[${sql.join(texts)}]::text[] as cells from ${sql.table(table)} where ${where}`,
    cells: ({ cells }) =>
      columns.map(({ type }, place) => {
        const text = cells[place] ?? null;
        if (text === null) return '';
        return exactNumbers.has(type) ? figure(text) : text;
      }),
  };
}

/** Reads a column as the organization may see it. */
const valueFor =
  ({ name, hidden }: NamedTable, organizationId: string) =>
  (column: string): RawBuilder<unknown> =>
    column === hidden?.column
      ? sql`case when ${belongsBy(name, hidden.unlessOf, organizationId)} then ${sql.ref(`${name}.${column}`)} end`
      : sql.ref(`${name}.${column}`);

/** The rows of a table that belong to the organization, as CSV. */
export function ownRows(types: ColumnTypes, table: NamedTable, organizationId: string): RowsAsCsv {
  return rowsAsCsv(
    valueFor(table, organizationId),
    types,
    table.name,
    table,
    allOf(
      belongsTo(table.name, organizationId),
      table.only && sql`${sql.ref(`${table.name}.${table.only[0]}`)} = ${table.only[1]}`,
      table.isOfPayer &&
        sql`not exists (select from resold_organization r where r.organization_id = ${organizationId} and r.reseller_id is not null)`,
    ),
  );
}

/** Returns the organization's documents, by number. */
export async function documentsOf(
  ctx: Ctx,
  organizationId: string,
): Promise<{ bills: Id<'bil'>[]; notes: Id<'crn'>[] }> {
  const { rows: bills } = await sql<{
    id: Id<'bil'>;
  }>`select id from bill where organization_id = ${organizationId} order by number`.execute(ctx.db);
  const { rows: notes } = await sql<{
    id: Id<'crn'>;
  }>`select id from credit_note where organization_id = ${organizationId} order by number`.execute(ctx.db);
  return { bills: bills.map(({ id }) => id), notes: notes.map(({ id }) => id) };
}

/** Returns the people of the organization who have a picture. */
export async function picturedPeople(ctx: Ctx, organizationId: string): Promise<string[]> {
  const { rows } = await sql<{
    userId: string;
  }>`select user_id as "userId" from avatar where ${belongsTo('avatar', organizationId)} order by user_id`.execute(
    ctx.db,
  );
  return rows.map((row) => row.userId);
}

/** Returns the picture of a person, as WebP. */
export async function pictureOf(ctx: Ctx, userId: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{
    picture: Buffer;
  }>`select picture from avatar where user_id = ${userId}`.execute(ctx.db);
  return rows[0]?.picture;
}

/** Returns the subscriptions of the organization. */
export async function subscriptionsOf(ctx: Ctx, organizationId: string): Promise<Id<'sub'>[]> {
  const { rows } = await sql<{
    id: Id<'sub'>;
  }>`select id from subscription where organization_id = ${organizationId} order by id`.execute(ctx.db);
  return rows.map((row) => row.id);
}

/** Returns the name and the language of an organization; undefined when it does not exist. */
export async function exportedOrganization(
  ctx: Ctx,
  organizationId: string,
): Promise<{ id: Id<'org'>; name: string; language: ContentLanguage } | undefined> {
  const { rows } = await sql<{
    id: Id<'org'>;
    name: string;
    language: ContentLanguage;
  }>`select id, name, language from organization where id = ${organizationId}`.execute(ctx.db);
  return rows[0];
}
