// Writes src/platform/server/database/tables.ts from a freshly migrated database; with --check, reports
// whether it is up to date.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { featureOrder } from '../src/app/feature-order.ts';
import { openDatabase } from '../src/platform/server/database/db.ts';
import { silentLog } from '../src/platform/server/log.ts';
import { migrationSources } from '../src/platform/server/database/migration-files.ts';
import { connectionTo } from '../src/platform/server/database/other-database.ts';
import { startTestServer } from '../tests/support/server.ts';

/** The file with the types. */
export const target = fileURLToPath(new URL('../src/platform/server/database/tables.ts', import.meta.url));

export const fixHint =
  'src/platform/server/database/tables.ts does not match the migrations: run `npm run tables` and commit the result.';

/**
 * The TypeScript type for each SQL type, as parsed by the pool (pool.ts). A type that is missing here stops
 * the tool, because somebody must decide.
 */
const readAs: Record<string, string> = {
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  int8: 'bigint',
  float4: 'number',
  float8: 'number',
  numeric: 'string',
  text: 'string',
  varchar: 'string',
  bpchar: 'string',
  char: 'string',
  citext: 'string',
  uuid: 'string',
  inet: 'string',
  cidr: 'string',
  date: 'string',
  timestamp: 'string',
  time: 'string',
  timestamptz: 'Date',
  bytea: 'Buffer',
  json: 'unknown',
  jsonb: 'unknown',
  tsvector: 'string',
  xid8: 'string',
};

type Column = {
  table: string;
  name: string;
  type: string;
  isArray: boolean;
  isNullable: boolean;
  isGenerated: boolean;
  isAlwaysGenerated: boolean;
  values: string[] | null;
};

/** The text of tables.ts for the database behind `pool`. */
export async function tablesText(pool: pg.Pool): Promise<string> {
  return write(await readColumns(pool));
}

/** The text of tables.ts for our migrations, on a temporary server (or the one at `outsideUrl`). */
async function freshText(outsideUrl: string | undefined): Promise<string> {
  const server = await startTestServer(migrationSources(featureOrder), outsideUrl);
  try {
    const database = await openDatabase(connectionTo(server.server, server.template), {
      max: 1,
      log: silentLog(),
    });
    try {
      return await tablesText(database.pool);
    } finally {
      await database.close();
    }
  } finally {
    await server.stop();
  }
}

/**
 * Tables, partitioned tables (their partitions are not listed) and views of the schema public, without those
 * of extensions.
 */
async function readColumns(pool: pg.Pool): Promise<Column[]> {
  const { rows } = await pool.query<Column>(`
    select c.relname as "table", a.attname as name,
           coalesce(base.typname, element.typname, t.typname) as type,
           t.typcategory = 'A' as "isArray",
           not (a.attnotnull or t.typnotnull) as "isNullable",
           a.atthasdef or a.attidentity <> '' as "isGenerated",
           a.attgenerated <> '' or a.attidentity = 'a' as "isAlwaysGenerated",
           (select array_agg(e.enumlabel::text order by e.enumsortorder) from pg_enum e
             where e.enumtypid = coalesce(element.oid, t.oid)) as values
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      join pg_type t on t.oid = a.atttypid
      left join pg_type element on element.oid = t.typelem and t.typcategory = 'A'
      left join pg_type base on base.oid = t.typbasetype and t.typtype = 'd'
     where c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition
       and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
     order by c.relname collate "C", a.attname collate "C"`);
  return rows;
}

function write(found: Column[]): string {
  const tables = [...new Set(found.map(({ table }) => table))];
  const bodies = tables.map((table) => {
    const lines = found
      .filter((column) => column.table === table)
      .map((column) => `    ${column.name}: ${typeOf(column)};\n`);
    return `  ${table}: {\n${lines.join('')}  };\n`;
  });
  const used = ['Generated', 'GeneratedAlways'].filter((word) =>
    bodies.some((body) => body.includes(`: ${word}<`)),
  );
  return [
    '// The tables of the migrated database, as Kysely knows them. Written by `npm run tables`; never by hand.\n',
    used.length > 0 ? `import type { ${used.join(', ')} } from 'kysely';\n` : '',
    '\n/** Every table of the console, by its name. */\n',
    `export type Tables = {\n${bodies.join('')}};\n`,
  ].join('');
}

function typeOf(column: Column): string {
  const type = valueType(column);
  const nullable = column.isNullable && type !== 'unknown' ? `${type} | null` : type;
  if (column.isAlwaysGenerated) return `GeneratedAlways<${nullable}>`;
  return column.isGenerated ? `Generated<${nullable}>` : nullable;
}

function valueType({ table, name, type, isArray, values }: Column): string {
  const one = values === null ? readAs[type] : values.map((value) => `'${value}'`).join(' | ');
  if (one === undefined)
    throw new Error(`${table}.${name} is of type ${type}; say in tools/tables.ts how it is read.`);
  if (!isArray) return one;
  return one.includes(' ') ? `(${one})[]` : `${one}[]`;
}

if (import.meta.main) {
  const fresh = await freshText(process.env['TEST_DATABASE_URL']);
  if (!process.argv.includes('--check')) await writeFile(target, fresh);
  else if (fresh !== (await readFile(target, 'utf8'))) {
    console.error(fixHint);
    process.exitCode = 1;
  }
}
