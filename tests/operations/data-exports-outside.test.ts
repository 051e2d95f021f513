// Nightly exports and external systems: buckets and disks that fail until somebody fixes them, and tools that
// load the files as in docs/operator/data-export.md.
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { required } from '#kernel/assert.ts';
import { money } from '#kernel/money.ts';
import {
  dataExports,
  type DataExport,
  type DataExportPlan,
} from '#features/operations/data-exports/contract.ts';

import {
  at,
  close,
  customer,
  db,
  fee,
  moveTo,
  september,
  startBilling,
  topUp,
  use,
} from '../support/corrections.ts';
import { atFileEnd } from '../support/clean-up.ts';
import { hasClickhouse, startClickhouse } from '../support/clickhouse.ts';
import { addressOf } from '../support/database.ts';
import { askDuckdb, hasDuckdb } from '../support/duckdb.ts';
import { codeOf } from '../support/documents.ts';
import { stopRepeating, unschedule } from '../support/jobs.ts';
import { endedExport, exportsRoot, saveExportPlan, startExport } from '../support/data-exports.ts';
import { startBucket } from '../support/s3.ts';

const few = ['bill', 'bill_line', 'licence', 'organization', 'payment', 'usage_event'];
const save = (plan: Parameters<typeof saveExportPlan>[0]): Promise<DataExportPlan> =>
  saveExportPlan({ tables: few, ...plan });
const run = async (): Promise<DataExport> => endedExport(await startExport());

beforeAll(async () => {
  await startBilling({ PRIVATE_HOSTS: '127.0.0.1' });
  await stopRepeating(at.console.app);
  await unschedule(at.console.app, 'data-export-due');
  const one = await customer(fee('1000'), fee('200.10', 'USD'));
  const two = await customer(fee('0.20', 'USD'));
  await moveTo('2024-09-10T02:00:00Z');
  // Floats would add these to 0.30000000000000004.
  await use(one, 'e1', '0.1', '2024-09-05T03:00:00Z');
  await use(one, 'e2', '0.2', '2024-09-06T03:00:00Z', {}, 1);
  await topUp(two, money(99_999_999_999n, 'USD'));
  await moveTo('2024-10-02T02:00:00Z');
  await close(september);
  // A name that a careless loader breaks on.
  await sql`update organization set name = ${'A, "B"\nC 世界'} where id = ${one.organizationId}`.execute(
    db(),
  );
});

describe('a bucket that rejects writes', () => {
  const refusals = { now: null as { status: number; code: string } | null };
  let bucket: Required<DataExportPlan>['bucket'];
  beforeAll(async () => {
    const real = new URL(
      required(new URL((await startBucket()).url).searchParams.get('endpoint'), 'an endpoint'),
    );
    // Lists and reads pass; writes are rejected until somebody fixes the bucket.
    const gate = createServer((asked, answer) => {
      const refusal = asked.method === 'PUT' ? refusals.now : null;
      if (refusal) {
        asked.resume();
        answer.writeHead(refusal.status, { 'content-type': 'application/xml' });
        answer.end(`<?xml version="1.0"?><Error><Code>${refusal.code}</Code><Message>no</Message></Error>`);
        return;
      }
      const passed = forward(
        {
          host: real.hostname,
          port: real.port,
          method: asked.method,
          path: asked.url,
          headers: asked.headers,
        },
        (told) => {
          answer.writeHead(told.statusCode ?? 500, told.headers);
          told.pipe(answer);
        },
      );
      asked.pipe(passed);
    }).listen(0, '127.0.0.1');
    await once(gate, 'listening');
    atFileEnd(async () => {
      gate.closeAllConnections();
      await once(gate.close(), 'close');
    });
    const address = gate.address();
    if (address === null || typeof address === 'string') throw new Error('the gate listens nowhere');
    bucket = {
      kind: 'bucket',
      bucket: 'console-files',
      prefix: 'team/',
      region: 'us-east-1',
      endpoint: `http://127.0.0.1:${address.port}`,
      accessKeyId: 'S3RVER',
    };
    await save({ bucket, secretAccessKey: 'S3RVER' });
  });

  it.each([
    [403, 'AccessDenied', 'credentials', 'AccessDenied'],
    [403, 'QuotaExceeded', 'no_space', '403 QuotaExceeded'],
    [507, 'XMinioStorageFull', 'no_space', '507 XMinioStorageFull'],
    [503, 'SlowDown', 'busy', '503 SlowDown'],
  ])(
    'T-DATAX %i %s: failed with advice, nothing looks complete, and the next export is complete',
    async (status, code, failure, detail) => {
      refusals.now = { status, code };
      const reported = { code: failure, detail };
      expect(await at.console.ok(dataExports.testDataExport, {}, { token: at.admin })).toEqual({
        failure: reported,
      });
      const failed = await run();
      expect(failed).toMatchObject({ state: 'failed', failure: reported, sizeBytes: null });
      for (const language of ['zhTW', 'enUS'] as const)
        expect(
          at.console.app.translate(language, `dataexports.failure_${failed.failure?.code ?? ''}`),
        ).not.toContain('dataexports.');
      refusals.now = null;
      expect(await at.console.ok(dataExports.testDataExport, {}, { token: at.admin })).toEqual({
        failure: null,
      });
      expect(await run()).toMatchObject({ state: 'done', failure: null });
    },
    60_000,
  );

  it('T-DATAX an error of the database is not reported as the bucket’s', async () => {
    const gate = await db().startTransaction().execute();
    await sql`lock table licence in access exclusive mode`.execute(gate);
    const startedRun = await startExport();
    await vi.waitFor(
      async () => {
        const { rows } =
          await sql`select pg_cancel_backend(pid) from pg_locks where relation = 'licence'::regclass and not granted`.execute(
            gate,
          );
        expect(rows).not.toEqual([]);
      },
      { timeout: 20_000, interval: 20 },
    );
    await gate.rollback().execute();
    expect(await endedExport(startedRun)).toMatchObject({ state: 'failed', failure: { code: 'failed' } });
    expect(await run()).toMatchObject({ state: 'done' });
  });
});

/** Whether a small disk can be mounted below a folder here: on Linux, as root. */
const mount = (folder: string): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]).status === 0;
describe.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)('a full disk', () => {
  it('T-DATAX fails with the reason and leaves no draft; with space again the next export is complete', async (test) => {
    await save({ bucket: null });
    mkdirSync(exportsRoot(), { recursive: true });
    if (!mount(exportsRoot())) return test.skip('no disk can be mounted here');
    try {
      writeFileSync(join(exportsRoot(), 'filler'), Buffer.alloc(60_000));
      const failed = await run();
      expect(failed).toMatchObject({ state: 'failed', failure: { code: 'no_space' } });
      const left = (): string[] =>
        readdirSync(exportsRoot(), { recursive: true, withFileTypes: true })
          .filter((each) => each.isFile())
          .map(({ name }) => name);
      // Complete files of the failed run are removed once the failure is stored.
      await expect.poll(left).toEqual(['filler']);
      rmSync(join(exportsRoot(), 'filler'));
      const done = await run();
      expect(done).toMatchObject({ state: 'done', failure: null });
      expect(existsSync(join(exportsRoot(), 'runs', done.folder ?? '', 'manifest.json'))).toBe(true);
    } finally {
      expect(spawnSync('umount', [exportsRoot()]).status).toBe(0);
    }
  }, 60_000);
});

describe('loading as in docs/operator/data-export.md', () => {
  const document = 'docs/operator/data-export.md';
  let done: DataExport;
  beforeAll(async () => {
    await save({ bucket: null });
    done = await run();
    if (done.state !== 'done') throw new Error(done.failure?.detail ?? 'no export');
  });
  /** The document’s example, adapted to this run and another table. */
  const exampleOf = (language: string, words: string, table: string): string =>
    required(
      codeOf(document, language).find((each) => each.includes(words)),
      `the example with ${words}`,
    )
      .replaceAll('runs/20261127T180003Z-4k7m2p', join(exportsRoot(), 'runs', done.folder ?? ''))
      .replaceAll(/\bbill\b/g, table);
  /** The database’s own statistics of a table: rows, nulls, and the sum of amounts by currency. */
  const known = async (table: string, amount: string, nullable: string): Promise<object> => {
    const { rows } = await sql<{ rows: string; nulls: string }>`
      select count(*)::text as rows, count(*) filter (where ${sql.ref(nullable)} is null)::text as nulls from ${sql.table(table)}`.execute(
      db(),
    );
    const sums = await sql<{
      currency: string;
      sum: string;
    }>`select currency, trim_scale(sum(${sql.ref(`${amount}_minor`)}::numeric / case currency when 'TWD' then 1 else 100 end))::text as sum from ${sql.table(table)} group by currency order by currency`.execute(
      db(),
    );
    return { ...rows[0], sums: sums.rows };
  };
  const loaded = [
    ['bill', 'total', 'paid_at'],
    ['payment', 'amount', 'bill_id'],
  ] as const;

  it.skipIf(spawnSync('psql', ['--version']).status !== 0 || spawnSync('jq', ['--version']).status !== 0)(
    'T-DATAX PostgreSQL: counts, nulls and sums equal the console’s, to the last digit',
    async () => {
      await sql`create schema warehouse`.execute(db());
      const address = addressOf(at.console.app.database.where);
      const warehouse = `${address}${address.includes('?') ? '&' : '?'}options=-csearch_path%3Dwarehouse`;
      for (const table of ['bill', 'payment', 'organization', 'bill_line'])
        await promisify(execFile)('bash', [
          '-euo',
          'pipefail',
          '-c',
          `WAREHOUSE='${warehouse}'\n${exampleOf('sh', 'psql "$WAREHOUSE"', table)}`,
        ]);
      for (const [table, amount, nullable] of loaded) {
        const found = await sql<{ rows: string; nulls: string }>`
          select count(*)::text as rows, count(*) filter (where ${sql.ref(nullable)} is null)::text as nulls from ${sql.table(`warehouse.${table}`)}`.execute(
          db(),
        );
        const sums = await sql<{ currency: string; sum: string }>`
          select currency, trim_scale(sum(${sql.ref(amount)}))::text as sum from ${sql.table(`warehouse.${table}`)} group by currency order by currency`.execute(
          db(),
        );
        expect({ ...found.rows[0], sums: sums.rows }, table).toEqual(await known(table, amount, nullable));
      }
      // Texts with commas, quotes, line ends, and empty texts are unchanged.
      const { rows } =
        await sql`select id, name, time_zone from organization except select id, name, time_zone from warehouse.organization`.execute(
          db(),
        );
      expect(rows).toEqual([]);
    },
    60_000,
  );

  it.skipIf(!hasDuckdb)(
    'T-DATAX DuckDB: counts, nulls and sums equal the console’s, to the last digit',
    async () => {
      // The files are on this machine: reading a bucket needs an extension, which DuckDB would download from
      // its own server.
      const scriptOf = (table: string, amount: string): readonly [load: string, sum: string] => {
        const [secret = '', load = '', sum = ''] = exampleOf('sql', 'create secret', table)
          .replace("'s3://team/skytally/", "'")
          .replaceAll(/\btotal\b/g, amount)
          .split(/;\s*/);
        expect(secret).toMatch(/^create secret \(type s3,/);
        return [load, sum];
      };
      for (const [table, amount, nullable] of loaded) {
        const [load, sum] = scriptOf(table, amount);
        const [counted] = await askDuckdb(
          `${load}; select count(*)::text as rows, (count(*) filter (where ${nullable} is null))::text as nulls from ${table}`,
        );
        const sums = await askDuckdb(
          `${load}; ${sum.replace(/^select currency, (.*) from/, 'select currency, $1::text as sum from')} order by currency`,
        );
        const exact = sums.map(({ currency, sum: text }) => ({
          currency,
          sum: String(text).replace(/\.?0+$/, ''),
        }));
        expect({ ...counted, sums: exact }, table).toEqual(await known(table, amount, nullable));
      }
      // Texts with commas, quotes, line ends, and empty texts are unchanged.
      const [load] = scriptOf('organization', 'total');
      const { rows } = await sql`select id, name from organization order by id`.execute(db());
      expect(await askDuckdb(`${load}; select id, name from organization order by id`)).toEqual(rows);
    },
    60_000,
  );

  it.skipIf(!hasClickhouse)(
    'T-DATAX ClickHouse: counts, nulls and sums equal the console’s, to the last digit',
    async () => {
      const { url } = await startClickhouse();
      const { host, username, password } = new URL(url);
      const ask = async (query: string): Promise<string> => {
        const answer = await fetch(`http://${host}/`, {
          method: 'POST',
          headers: {
            authorization: `Basic ${Buffer.from(`${username}:${decodeURIComponent(password)}`).toString('base64')}`,
          },
          body: query,
        });
        const text = await answer.text();
        if (!answer.ok) throw new Error(text);
        return text;
      };
      const lines = (text: string): object[] =>
        text
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as object);
      for (const [table, amount, nullable] of loaded) {
        const [load = '', sum = ''] = exampleOf('sql', 'MergeTree', table)
          .replace(/s3\('[^']*(?=\/tables)/, `s3('${join(exportsRoot(), 'runs', done.folder ?? '')}`)
          .replace(/s3\(('[^']*'), 'KEY', 'SECRET', /, 'file($1, ')
          .replaceAll(/\btotal\b/g, amount)
          .split(/;\n/);
        await ask(load);
        const [counted] = lines(
          await ask(
            `select toString(count(*)) as rows, toString(countIf(${nullable} is null)) as nulls from ${table} FORMAT JSONEachRow`,
          ),
        );
        const sums = lines(
          await ask(
            `${sum.replace(/;?\s*$/, '').replace(/^select currency, (.*) from/, 'select currency, toString($1) as sum from')} order by currency FORMAT JSONEachRow`,
          ),
        );
        expect({ ...counted, sums }, table).toEqual(await known(table, amount, nullable));
      }
    },
    60_000,
  );
});
