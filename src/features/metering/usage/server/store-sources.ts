// SQL of event sources.
import { sql, type Kysely } from 'kysely';

/** A source and its owner; '' owns the sources of the platform's own keys and of imports. */
export type OwnedSource = { readonly owner: string; readonly source: string };
export type NumberedSource = OwnedSource & { readonly number: number };

const columnsOf = (sources: readonly OwnedSource[]) =>
  sql`${sources.map((each) => each.owner)}::text[], ${sources.map((each) => each.source)}::text[]`;

/** Returns the numbers of those sources that already have one. */
export async function sourceNumbers(
  db: Kysely<unknown>,
  sources: readonly OwnedSource[],
): Promise<NumberedSource[]> {
  const { rows } = await sql<NumberedSource>`select s.organization_id as owner, s.source, s.id as number
    from unnest(${columnsOf(sources)}) as w (owner, source) join usage_source s on s.organization_id = w.owner and s.source = w.source`.execute(
    db,
  );
  return rows;
}

/** Numbers sources, unless another transaction just did, and returns the numbers. */
export async function numberSources(
  db: Kysely<unknown>,
  sources: readonly OwnedSource[],
): Promise<NumberedSource[]> {
  // Inserted in a fixed order, so that two concurrent transactions wait for each other instead of
  // deadlocking.
  await sql`insert into usage_source (organization_id, source) select * from unnest(${columnsOf(sources)}) as w (owner, source) order by 1, 2 on conflict do nothing`.execute(
    db,
  );
  return sourceNumbers(db, sources);
}

/** Returns sources by their numbers. */
export async function sourcesOf(
  db: Kysely<unknown>,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (numbers.length === 0) return new Map();
  const { rows } = await sql<{
    id: number;
    source: string;
  }>`select id, source from usage_source where id = any(${[...new Set(numbers)]}::int[])`.execute(db);
  return new Map(rows.map(({ id, source }) => [id, source]));
}
