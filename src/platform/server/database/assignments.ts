// UPDATE statements of whichever columns have changed.
import { sql, type RawBuilder } from 'kysely';

/**
 * The assignments of an UPDATE: a column for each key that has a value; undefined when there is none. Keys are
 * names of columns, and never come from a request.
 */
export function assignments(change: Readonly<Record<string, unknown>>): RawBuilder<unknown> | undefined {
  const changed = Object.entries(change).filter(([, value]) => value !== undefined);
  if (changed.length === 0) return undefined;
  return sql.join(changed.map(([column, value]) => sql`${sql.ref(column)} = ${value}`));
}
