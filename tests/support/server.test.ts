import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isAlive, killConsole } from './fixtures/console-processes.ts';
import { createTestDatabase } from './database.ts';
import { connectionTo } from '#platform/server/database/other-database.ts';
import { startTestServer } from './server.ts';

const one = await createTestDatabase({ max: 1 });
const other = await createTestDatabase({ max: 1 });

test('each database is migrated, and a stranger to the others', async () => {
  await one.pool.query('create table only_here (id int)');
  expect(
    (
      await other.pool.query(
        `select to_regclass('only_here') as found, to_regclass('schema_migration')::text as migrated`,
      )
    ).rows,
  ).toEqual([{ found: null, migrated: 'schema_migration' }]);
});

test('a run that ends in order leaves nothing behind', async () => {
  const { process: run, dataDir, postgresPid } = await startRun();
  const ended = once(run, 'exit');
  run.stdin?.write('end\n');
  expect(await ended).toEqual([0, null]);
  expect(existsSync(dataDir)).toBe(false);
  expect(isAlive(postgresPid)).toBe(false);
});

test('what a killed run leaves behind is removed by the next one, also when it was killed very early', async () => {
  const { process: run, dataDir, postgresPid } = await startRun();
  await killConsole({ process: run });
  const early = join(dirname(dataDir), `skytally-test-${run.pid}-early`);
  await mkdir(early);
  expect(isAlive(postgresPid)).toBe(true);

  const next = await startTestServer([], undefined);
  expect(existsSync(dataDir)).toBe(false);
  expect(existsSync(early)).toBe(false);
  expect(isAlive(postgresPid)).toBe(false);
  await next.stop();
});

test('another database of the same server keeps everything else of its address', () => {
  expect(connectionTo('postgres://me:pw@db.example:6432/postgres?sslmode=require', 'mine')).toBe(
    'postgres://me:pw@db.example:6432/mine?sslmode=require',
  );
  expect(connectionTo({ host: '/run', port: 5432, user: 'me', database: 'postgres' }, 'mine')).toEqual({
    host: '/run',
    port: 5432,
    user: 'me',
    database: 'mine',
  });
});

async function startRun(): Promise<{ process: ChildProcess; dataDir: string; postgresPid: number }> {
  const program = fileURLToPath(new URL('fixtures/test-run-process.ts', import.meta.url));
  const run = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [clusterDir] = await once(createInterface({ input: run.stdout }), 'line');
  const postgresPid = Number.parseInt(await readFile(join(String(clusterDir), 'postmaster.pid'), 'utf8'), 10);
  return { process: run, dataDir: dirname(String(clusterDir)), postgresPid };
}
