// Describes a database from its system catalogs: tables and their columns, partitions, sequences and foreign
// keys.
import type pg from 'pg';
import type {
  BackupDifference,
  BackupManifest,
  BackupTable,
  BackupTotal,
  OnProgress,
} from './backup-manifest.ts';

/** A figure from the books that a backup records: a query `select unit, value`, run only if all its tables exist. */
export type TotalQuery = {
  readonly name: string;
  readonly tables: readonly string[];
  readonly query: string;
};

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const columnList = (columns: readonly string[]): string => columns.map(quoted).join(', ');
export const tableName = (name: string): string => `public.${quoted(name)}`;

/** All tables that hold rows, themselves or in their partitions, with their writable columns. */
export async function tablesOf(client: pg.ClientBase): Promise<{ name: string; columns: string[] }[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(`
    select c.relname as name, coalesce(array_agg(a.attname::text order by a.attnum) filter (where a.attname is not null), '{}') as columns
    from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    group by c.oid, c.relname order by c.relname collate "C"`);
  return rows;
}

/** The partitions of partitioned tables. */
export async function partitionsOf(client: pg.ClientBase): Promise<BackupManifest['partitions']> {
  const { rows } = await client.query<{ name: string; parent: string; bound: string }>(`
    select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
    where c.relispartition and c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace order by c.relname collate "C"`);
  return rows;
}

/** The positions of sequences. They may be ahead of what a snapshot sees, never behind. */
export async function sequencesOf(client: pg.ClientBase): Promise<BackupManifest['sequences']> {
  const { rows } = await client.query<{ name: string; value: string; isCalled: boolean }>(`
    select s.sequencename as name, coalesce(s.last_value, s.start_value)::text as value, s.last_value is not null as "isCalled"
    from pg_sequences s where s.schemaname = 'public' order by s.sequencename collate "C"`);
  return rows;
}

/** The row count and digest of each table. Reads every table in full. */
export async function measure(
  client: pg.ClientBase,
  tables: readonly { name: string; columns: readonly string[] }[],
  onTable: (rows: number) => void,
): Promise<BackupTable[]> {
  const measured: BackupTable[] = [];
  for (const { name, columns } of tables) {
    const row = columns.length === 0 ? `''` : `row(${columnList(columns)})::text`;
    const { rows } = await client.query<{ rows: string; digest: string }>(
      `select count(*)::text as rows, coalesce(sum(hashtextextended(${row} collate "C", 0)), 0)::text as digest from ${tableName(name)}`,
    );
    const counted = Number(rows[0]?.rows ?? 0);
    measured.push({ name, columns: [...columns], rows: counted, digest: rows[0]?.digest ?? '0' });
    onTable(counted);
  }
  return measured;
}

/** The book totals that this schema supports. */
export async function totalsOf(client: pg.ClientBase, wanted: readonly TotalQuery[]): Promise<BackupTotal[]> {
  const totals: BackupTotal[] = [];
  for (const { name, tables, query } of wanted) {
    const {
      rows: [there],
    } = await client.query<{ all: boolean }>(
      'select bool_and(to_regclass(t) is not null) as all from unnest($1::text[]) as t',
      [tables],
    );
    if (!there?.all) continue;
    const { rows } = await client.query<{ unit: string; value: string }>(query);
    totals.push(...rows.map(({ unit, value }) => ({ name, unit, value })));
  }
  return totals;
}

/** Compares a database with a manifest. Empty when they are identical, to the last row. */
export async function differences(
  client: pg.ClientBase,
  manifest: BackupManifest,
  wanted: readonly TotalQuery[],
  onProgress: OnProgress,
): Promise<BackupDifference[]> {
  const found: BackupDifference[] = [];
  const compare = (what: string, expected: string | undefined, actual: string | undefined): void => {
    if (expected !== actual) found.push({ what, expected: expected ?? '–', found: actual ?? '–' });
  };
  const total = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  let done = 0;
  const tables = await measure(client, manifest.tables, (rows) =>
    onProgress({ phase: 'comparing', done: (done += rows), total }),
  );
  for (const [place, table] of manifest.tables.entries()) {
    compare(`${table.name}: rows`, String(table.rows), String(tables[place]?.rows));
    compare(`${table.name}: content`, table.digest, tables[place]?.digest);
  }
  const keyOf = ({ name, unit }: BackupTotal): string => (unit === '' ? name : `${name} ${unit}`);
  const totals = new Map((await totalsOf(client, wanted)).map((each) => [keyOf(each), each.value]));
  for (const each of manifest.totals) compare(keyOf(each), each.value, totals.get(keyOf(each)));
  const sequences = new Map((await sequencesOf(client)).map((each) => [each.name, each]));
  for (const { name, value } of manifest.sequences)
    compare(`${name}: value`, value, sequences.get(name)?.value);
  return found;
}
