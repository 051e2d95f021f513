// F21: an upgrade that is killed leaves the old schema or the new one, nothing in between; it makes a backup
// first, and a downgrade is refused.
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig } from '#platform/server/config.ts';
import { movableClock } from '#platform/server/clock.ts';
import { openDatabase } from '#platform/server/database/db.ts';
import { openFiles } from '#platform/server/files/store/open-files.ts';
import { openSecrets } from '#platform/server/security/secrets.ts';
import { silentLog } from '#platform/server/log.ts';
import { migrate, missingMigrations } from '#platform/server/database/migrate.ts';
import {
  readMigrations,
  migrationSources,
  type MigrationSource,
} from '#platform/server/database/migration-files.ts';
import { withClient } from '#platform/server/database/other-database.ts';
import { findRunningPostgres } from '#platform/server/database/embedded/listen-address.ts';
import { createTestDatabase } from '../support/database.ts';
import { backupBeforeUpgrade } from '#features/operations/backups/server/index.ts';
import { featureOrder } from '#app/feature-order.ts';
import { isLong, roundsOr } from '../support/fault-rounds.ts';
import {
  killProcess,
  makeDataDir,
  processApi,
  setUpProcess,
  signInProcess,
  startProcess,
  type ProcessConsole,
} from '../support/process.ts';

// `npm run faults` runs many more rounds.
const rounds = roundsOr(1);
/** The number of statements at which a migration is killed. */
const step = isLong ? 1 : 24;
const folder = mkdtempSync(join(tmpdir(), 'skytally-upgrade-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * The ends of the statements of a migration: semicolons outside of strings, comments and function bodies.
 */
function statementEnds(sql: string): number[] {
  const tokens = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|(\$\w*\$)[\s\S]*?\1|;/g;
  const ends = [...sql.matchAll(tokens)].filter((match) => match[0] === ';').map((match) => match.index + 1);
  // The body of a procedure in standard SQL contains semicolons.
  return ends.filter((end) => !/\bbegin\s+atomic\b(?![\s\S]*\bend;)/i.test(sql.slice(0, end)));
}

const schemaOf = async (pool: pg.Pool): Promise<unknown> =>
  (
    await pool.query(`select
  (select md5(string_agg(c.relname::text || c.relkind::text || coalesce(a.attname::text, '') || coalesce(a.atttypid::regtype::text, '') || coalesce(a.attnotnull::text, ''), ',' order by c.relname, a.attnum)) from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 where c.relnamespace = 'public'::regnamespace) as relations,
  (select md5(string_agg(conname::text || pg_get_constraintdef(oid), ',' order by conname, oid)) from pg_constraint where connamespace = 'public'::regnamespace) as constraints,
  (select md5(string_agg(proname::text || md5(prosrc), ',' order by proname, md5(prosrc))) from pg_proc where pronamespace = 'public'::regnamespace) as functions,
  (select md5(string_agg(tgname::text || tgrelid::regclass::text, ',' order by tgname, tgrelid::regclass::text)) from pg_trigger where not tgisinternal) as triggers`)
  ).rows[0];

describe('F21: a migration that is killed at a statement', () => {
  it('leaves the schema as it was; then it is applied completely', async () => {
    const database = await createTestDatabase({ isEmpty: true });
    const all = migrationSources(featureOrder);
    const names = (await readMigrations(all)).map(({ name }) => name);
    const sqlOf = new Map(
      all.flatMap(({ feature, directory }) =>
        names
          .filter((name) => name.startsWith(`${feature}/`))
          .map((name) => [name, join(directory, basename(name))] as const),
      ),
    );
    const sources: MigrationSource[] = [...new Set(names.map((name) => name.split('/')[0] ?? ''))].map(
      (feature) => ({ feature, directory: join(folder, 'steps', feature) }),
    );
    for (const { directory } of sources) mkdirSync(directory, { recursive: true });
    // Migrations that are not killed are applied together.
    const waiting: string[] = [];
    const applyWaiting = async (): Promise<void> => {
      expect(await migrate(database.pool, sources, silentLog())).toEqual(waiting);
      waiting.length = 0;
    };
    let kills = 0;
    let statements = 0;
    for (const name of names) {
      const path = sqlOf.get(name) ?? '';
      const target = join(folder, 'steps', name);
      const sql = readFileSync(path, 'utf8');
      const ends = [0, ...statementEnds(sql)].filter(() => statements++ % step === 0);
      if (ends.length > 0) await applyWaiting();
      const before = ends.length > 0 ? await schemaOf(database.pool) : undefined;
      for (const end of ends) {
        // The server ends this session between two statements, as when the console and its connection are
        // killed.
        writeFileSync(
          target,
          `${sql.slice(0, end)}\nselect pg_terminate_backend(pg_backend_pid());\n${sql.slice(end)}`,
        );
        await expect(migrate(database.pool, sources, silentLog()), `${name} at ${end}`).rejects.toThrow(
          /terminat/i,
        );
        kills++;
      }
      if (before !== undefined) expect(await schemaOf(database.pool), name).toEqual(before);
      copyFileSync(path, target);
      waiting.push(name);
      if (ends.length > 0) await applyWaiting();
    }
    await applyWaiting();
    expect(await missingMigrations(database.pool, all)).toEqual([]);
    // At least the statements that existed when this was written.
    expect(statements).toBeGreaterThanOrEqual(451);
    expect(kills).toBe(Math.ceil(statements / step));
  }, 300_000);
});

/**
 * Removes the newest column’s table and the record of its migration: the database of the previous release.
 */
const undoNewest = (client: pg.Client): Promise<unknown> =>
  client.query(`drop table backup; delete from schema_migration where name like 'backups/%'`);
const withEmbedded = async <T>(
  console: ProcessConsole,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  const running = await findRunningPostgres(console.dataDir);
  if (!running) throw new Error('the database is not running');
  try {
    return await withClient(running.connection, use);
  } finally {
    await running.release();
  }
};

describe('F21: a console that upgrades', () => {
  it(
    'first makes a verified backup and lists it, and continues after a kill at any moment',
    async () => {
      const dataDir = makeDataDir();
      let console = await startProcess(dataDir);
      await setUpProcess(console);
      for (let round = 0; round < rounds; round++) {
        await withEmbedded(console, undoNewest);
        await killProcess(console);
        // It is killed while it starts its database, backs up, migrates, or after all of that.
        const half = spawn(process.execPath, ['src/app/cli/start.ts', 'start'], {
          env: { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' },
          stdio: 'ignore',
        });
        const exited = once(half, 'exit');
        await pause(randomInt(500, 4000));
        half.kill('SIGKILL');
        await exited;
        console = await startProcess(dataDir);
        const token = await signInProcess(console);
        const { items } = await processApi<{ items: { cause: string; proof: string; fileName: string }[] }>(
          console,
          'GET',
          '/admin/backups?limit=5',
          undefined,
          token,
        );
        expect(items[0]).toMatchObject({ cause: 'upgrade', proof: 'proven' });
        expect(readdirSync(join(dataDir, 'backups'))).toContain(items[0]?.fileName);
      }
    },
    120_000 + rounds * 20_000,
  );

  it('does not touch the database when the backup fails, unless it is told to', async () => {
    const { pool, connection } = await createTestDatabase();
    await pool.query(
      `insert into app_user (id, account, name, role, language, created_at) values ('usr_00000000000000000000000000', 'a@b.example', 'A', 'Admin', 'zhTW', now())`,
    );
    await withClient(connection, undoNewest);
    const database = await openDatabase(connection, { max: 2, log: silentLog() });
    const sources = migrationSources(featureOrder);
    writeFileSync(join(folder, 'no-folder'), '');
    const configOf = (more: Record<string, string>) =>
      readConfig({ DATA_DIR: join(folder, 'data'), BACKUP_DIR: join(folder, 'no-folder'), ...more });
    const now = new Date('2026-11-22T00:00:00Z');
    const made = async (more: Record<string, string> = {}) => {
      const config = configOf(more);
      return backupBeforeUpgrade(config, database, {
        sources,
        clock: movableClock(now),
        log: silentLog(),
        secrets: await openSecrets(database.pool, config, { now, isFilled: async () => true }),
        files: await openFiles(config.files),
        backupFiles: await openFiles(config.backupFiles),
      });
    };
    const before = await schemaOf(pool);
    await expect(made()).rejects.toThrow(
      /could not be made[\s\S]*Nothing was changed[\s\S]*BACKUP_BEFORE_UPGRADE=skip/,
    );
    expect(await schemaOf(pool)).toEqual(before);
    expect(await made({ BACKUP_BEFORE_UPGRADE: 'skip' })).toBeUndefined();
    expect(await made({ BACKUP_DIR: join(folder, 'kept') })).toMatchObject({ proof: { outcome: 'proven' } });
    await migrate(database.pool, sources, silentLog());
    expect(await made()).toBeUndefined();
    await database.close();
  });

  it('of an older release does not start on a newer database (downgrade)', async () => {
    const { pool } = await createTestDatabase();
    const older = migrationSources(featureOrder.filter((name) => name !== 'operations/backups'));
    const before = await schemaOf(pool);
    await expect(migrate(pool, older, silentLog())).rejects.toThrow(
      'A newer console has changed this database',
    );
    expect(await schemaOf(pool)).toEqual(before);
  });
});
