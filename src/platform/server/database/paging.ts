// Keyset paging: the place in a list is the last row's sort value and id, so every page costs the same.
import { sql, type RawBuilder } from 'kysely';
import { ValidationError } from '#kernel/errors.ts';

/** What may be sorted by: the name in the query → the SQL expression and how its value is written in a cursor. */
export type SortColumns = Readonly<
  Record<
    string,
    {
      readonly expression: RawBuilder<unknown>;
      readonly cast: 'text' | 'timestamptz' | 'date' | 'numeric' | 'bigint' | 'integer';
    }
  >
>;

export type PagePlan = {
  /** Condition that begins after the cursor; undefined on the first page. */
  readonly after: RawBuilder<unknown> | undefined;
  readonly orderBy: RawBuilder<unknown>;
  /** One more than the page holds, to see whether there is a next one; written into the statement, as the plan depends on it. */
  readonly limit: RawBuilder<unknown>;
  /**
   * Begins the statement of a list. As it opens (first page, usual order and length) each connection keeps its plan: planning costs
   * several times what reading 25 rows does. `words` are what it is filtered by, if each is one of a few known words that stand in the
   * statement itself, so that each has a plan of its own; null for other filters, which are planned each time.
   */
  readonly keepPlan: (list: string, words: readonly (string | undefined)[] | null) => RawBuilder<unknown>;
  readonly sortValue: RawBuilder<unknown>;
  /** Cuts the extra row off and makes the next page's cursor. */
  readonly cut: <T extends { id: string; sortValue: string | null }>(
    rows: T[],
  ) => { rows: T[]; nextCursor: string | null };
};

const defaultLimit = 25;

/**
 * Plans one page. `id` is the unique column that breaks ties; `fallback` is the sort when none is asked ("-createdAt").
 * Throws {@link Invalid} for a sort that is not offered or a cursor that is not one.
 */
export function planPage(
  input: { sort?: string | undefined; limit?: number | undefined; cursor?: string | undefined },
  columns: SortColumns,
  fallback: string,
  id: RawBuilder<unknown>,
): PagePlan {
  const sort = input.sort ?? fallback;
  const descending = sort.startsWith('-');
  const name = descending ? sort.slice(1) : sort;
  const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
  if (!column) throw new ValidationError([{ field: 'sort', code: 'platform.field_invalid' }]);
  const direction = descending ? sql`desc` : sql`asc`;
  const limit = input.limit ?? defaultLimit;
  const place = input.cursor === undefined ? undefined : readCursor(input.cursor, sort);
  const compare = descending ? sql`<` : sql`>`;
  return {
    after:
      place &&
      sql`(${column.expression}, ${id}) ${compare} (cast(${place.value} as ${sql.raw(column.cast)}), ${place.id})`,
    orderBy: sql`${column.expression} ${direction}, ${id} ${direction}`,
    limit: sql.lit(limit + 1),
    keepPlan: (list, words) =>
      words === null || place || sort !== fallback || limit !== defaultLimit
        ? sql``
        : sql.raw(`--hot ${[list, ...words.map((word) => word ?? '')].join('.')}\n`),
    sortValue: sql`(${column.expression})::text`,
    cut: (rows) => {
      const last = rows[limit - 1];
      if (rows.length <= limit || !last) return { rows, nextCursor: null };
      return { rows: rows.slice(0, limit), nextCursor: writeCursor(sort, last.sortValue ?? '', last.id) };
    },
  };
}

function writeCursor(sort: string, value: string, id: string): string {
  return Buffer.from(JSON.stringify([sort, value, id])).toString('base64url');
}

function readCursor(cursor: string, sort: string): { value: string; id: string } {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (
      Array.isArray(parsed) &&
      parsed.length === 3 &&
      parsed[0] === sort &&
      typeof parsed[1] === 'string' &&
      typeof parsed[2] === 'string'
    )
      return { value: parsed[1], id: parsed[2] };
  } catch {
    // Not a cursor of ours: the same answer as for one of another sort.
  }
  throw new ValidationError([{ field: 'cursor', code: 'platform.field_invalid' }]);
}

/**
 * The conditions that are asked for, joined with "and". What is not asked for is left out of the statement,
 * so that the planner sees only what it can answer from an index.
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

/** A search text as a LIKE pattern that finds it anywhere; the pattern's own signs are taken literally. */
export function containsPattern(search: string): string {
  return `%${search.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
}

/** Above this many matches of a free search the total is not counted further. */
export const searchTotalCap = 10_000;
