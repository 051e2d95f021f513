// Keyset pagination: a position in a list is the last row's sort value and id, so every page costs the same.
import { sql, type CompiledQuery, type Kysely, type RawBuilder } from 'kysely';
import * as z from 'zod/mini';
import { ValidationError } from '#kernel/errors.ts';
import type { Page } from '#kernel/shape.ts';
import { parseJson } from '#kernel/parse-json.ts';

/** The orders in which a list can be sorted. */
export type ListOrder = {
  /** The name in the query → the SQL expression, which is never null, and how its value is encoded in a cursor. */
  readonly by: Readonly<
    Record<
      string,
      {
        readonly expression: RawBuilder<unknown>;
        readonly cast: 'text' | 'timestamptz' | 'date' | 'numeric' | 'bigint' | 'integer';
      }
    >
  >;
  /** The default order, for example "-createdAt". */
  readonly usual: string;
  /** The unique column that breaks ties. */
  readonly id: RawBuilder<unknown>;
};

/** What a list reads, and from which tables. */
export type List<Row extends { id: string }> = {
  readonly columns: RawBuilder<Row>;
  readonly from: RawBuilder<unknown>;
  readonly where: RawBuilder<unknown>;
  readonly order: ListOrder;
  /** The total from a counter, if there is one; otherwise the matching rows are counted. */
  readonly counter?: RawBuilder<unknown> | undefined;
  /** Counting stops at this number of rows. */
  readonly cap?: number | undefined;
  /** Joins further tables to the rows of a page, for columns that are neither filtered nor sorted by. */
  readonly join?: (page: RawBuilder<unknown>) => RawBuilder<unknown>;
};

export type PageInput = {
  sort?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
};
/** The input of a searchable list. */
export type SearchInput = PageInput & { q?: string | undefined };
/** Columns that each row carries for its page. */
type ForPage = { sortValue: string; listTotal: bigint };

const defaultLimit = 25;

/**
 * Reads one page of a list with its total, in one statement. `toItem` converts a row to an item, or is {@link
 * rowItself}.
 * @throws ValidationError for an unsupported sort or an invalid cursor.
 */
export async function readPage<Row extends { id: string }, Item>(
  db: Kysely<unknown>,
  input: PageInput,
  list: List<Row>,
  toItem: (row: Row & ForPage) => Item,
): Promise<Page<Item>> {
  const { order, columns, from, where, join } = list;
  const { sort, expression, cast, isDescending } = sortOf(order, input.sort);
  const limit = input.limit ?? defaultLimit;
  const place = input.cursor === undefined ? undefined : readCursor(input.cursor, sort);
  const after =
    place &&
    sql`(${expression}, ${order.id}) ${isDescending ? sql`<` : sql`>`} (cast(${place.value} as ${sql.raw(cast)}), ${place.id})`;
  const orderBy = orderOf(order, input.sort);
  const total = list.counter ?? countOf(list);
  // One more than the page size, to see whether there is a next page.
  const page = sql`${from} where ${allOf(where, after)} order by ${orderBy} limit ${sql.lit(limit + 1)}`;
  const rowsOfPage = join ? sql`${join(sql`(select * from ${page})`)} order by ${orderBy}` : page;
  const statement = sql<
    Row & ForPage
  >`select ${columns}, (${expression})::text as "sortValue", (select ${total}) as "listTotal" from ${rowsOfPage}`;
  const isUsual = sort === order.usual && limit === defaultLimit;
  const { rows } = await db.executeQuery(withCachedPlan(statement.compile(db), isUsual));
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    items: rows.slice(0, limit).map(toItem),
    nextCursor: last ? encodeCursor([sort, last.sortValue, last.id]) : null,
    total: Number(rows[0]?.listTotal ?? (place ? await readTotal(db, list) : 0)),
  };
}

const planNames = new Map<string, string>();
const maxPlans = 1000;

/**
 * Lets connections cache the plan of a list in its default order and page size, if all its filters are
 * constants in the statement's text (`sql.lit`): planning costs several times as much as reading 25 rows.
 * Statements with parameters are planned each time, because their best plan depends on the values.
 */
function withCachedPlan<T>(query: CompiledQuery<T>, isUsual: boolean): CompiledQuery<T> {
  if (!isUsual || query.parameters.length > 0) return query;
  const name = planNames.get(query.sql) ?? `list-${planNames.size + 1}`;
  if (planNames.size < maxPlans) planNames.set(query.sql, name);
  return planNames.has(query.sql) ? { ...query, sql: `--hot ${name}\n${query.sql}` } : query;
}

/** Uses a row itself as the item. */
export function rowItself<Row extends ForPage>({
  sortValue: _sortValue,
  listTotal: _listTotal,
  ...row
}: Row): Omit<Row, keyof ForPage> {
  return row;
}

/** The total of a list: from its counter, or counted up to its cap. */
export async function readTotal(
  db: Kysely<unknown>,
  list: Pick<List<{ id: string }>, 'from' | 'where' | 'counter' | 'cap'>,
): Promise<number> {
  const { rows } = await sql<{ total: bigint }>`select ${list.counter ?? countOf(list)} as total`.execute(db);
  return Number(rows[0]?.total ?? 0n);
}

function countOf({
  from,
  where,
  cap,
}: Pick<List<{ id: string }>, 'from' | 'where' | 'cap'>): RawBuilder<unknown> {
  return cap === undefined
    ? sql`(select count(*) from ${from} where ${where})`
    : sql`(select count(*) from (select 1 from ${from} where ${where} limit ${sql.lit(cap)}) as found)`;
}

/** A value that a counter counts rows by; '' counts rows with any value. */
type CountedBy = string | RawBuilder<unknown>;

/**
 * The total of a list from its counters (the table `row_count`): the rows with `key1` and one of `keys2`. It is
 * part of the list's own statement and plan; the function rows_counted() would be planned as a second statement,
 * by PostgreSQL 15 to 17 at each call.
 */
export function rowsCounted(
  relation: string,
  key1: CountedBy = '',
  ...keys2: readonly CountedBy[]
): RawBuilder<bigint> {
  const key = (value: CountedBy): RawBuilder<unknown> => (typeof value === 'string' ? sql.lit(value) : value);
  const second = keys2.length > 0 ? keys2 : [''];
  return sql<bigint>`(select coalesce(sum(count), 0)::bigint from row_count where relation = ${sql.lit(relation)} and key1 = ${key(key1)} and key2 in (${sql.join(second.map(key))}))`;
}

/** The ORDER BY expression of a list that is read as a whole. */
export function orderOf(order: ListOrder, sort: string | undefined): RawBuilder<unknown> {
  const { expression, isDescending } = sortOf(order, sort);
  const direction = isDescending ? sql`desc` : sql`asc`;
  return sql`${expression} ${direction}, ${order.id} ${direction}`;
}

function sortOf(
  { by, usual }: ListOrder,
  sort = usual,
): ListOrder['by'][string] & { sort: string; isDescending: boolean } {
  const isDescending = sort.startsWith('-');
  const name = isDescending ? sort.slice(1) : sort;
  const column = Object.hasOwn(by, name) ? by[name] : undefined;
  if (!column) throw new ValidationError([{ field: 'sort', code: 'platform.field_invalid' }]);
  return { ...column, sort, isDescending };
}

const cursorParts = z.readonly(z.tuple([z.string(), z.string(), z.string()]));

/** A position in a list as one opaque text, for the next call. */
export const encodeCursor = (parts: z.output<typeof cursorParts>): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

/** The parts of {@link encodeCursor}; undefined when the text is no cursor. */
export const decodeCursor = (cursor: string): z.output<typeof cursorParts> | undefined =>
  z.safeParse(cursorParts, parseJson(Buffer.from(cursor, 'base64url').toString('utf8'))).data;

function readCursor(cursor: string, sort: string): { value: string; id: string } {
  const [sortOfCursor, value = '', id = ''] = decodeCursor(cursor) ?? [];
  if (sortOfCursor !== sort) throw new ValidationError([{ field: 'cursor', code: 'platform.field_invalid' }]);
  return { value, id };
}

/**
 * Joins the given conditions with "and". Absent conditions are left out of the statement, so that the planner
 * sees only what an index can answer.
 */
export function allOf(
  ...conditions: readonly (RawBuilder<unknown> | undefined | null | false | '')[]
): RawBuilder<unknown> {
  const asked = conditions.filter(
    (condition): condition is RawBuilder<unknown> =>
      condition !== undefined && condition !== null && condition !== false && condition !== '',
  );
  return asked.length === 0 ? sql`true` : sql`(${sql.join(asked, sql` and `)})`;
}

/** A LIKE pattern that finds a search text anywhere; wildcards in the text are escaped. */
export function containsPattern(search: string): string {
  return `%${search.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
}

/** The cap on the total of free-text searches. */
export const searchTotalCap = 10_000;
