// Nightly exports: the files add up to the database, contain no secret, show one moment, and an interrupted
// run leaves nothing that looks complete.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { parse } from 'csv-parse/sync';
import { sql, type RawBuilder } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { required } from '#kernel/assert.ts';
import { armFailPoints } from '#platform/server/fail-point.ts';
import {
  dataExports,
  type DataExport,
  type DataExportPlan,
} from '#features/operations/data-exports/contract.ts';
import { exportableTables, initialPlan } from '#features/operations/data-exports/rules.ts';
import { shownColumns, tableRules, withheldColumns } from '#features/operations/personal-data/rules.ts';
import {
  at,
  close,
  credit,
  billOf,
  customer,
  db,
  fee,
  moveTo,
  net,
  pay,
  startBilling,
  topUp,
  twd,
  use,
  type Customer,
} from '../support/corrections.ts';
import { runCli } from '../support/cli.ts';
import { withClient } from '#platform/server/database/other-database.ts';
import { asSuperuser } from '../support/database.ts';
import { runFeatureJob, stopRepeating, unschedule } from '../support/jobs.ts';
import { endedExport, exportsRoot, saveExportPlan, startExport } from '../support/data-exports.ts';
import { startBucket } from '../support/s3.ts';

type Manifest = {
  snapshotAt: string;
  readFrom: string;
  tables: {
    table: string;
    columns: { name: string; type: string }[];
    files: { file: string; rows: number; bytes: number; sha256: string }[];
  }[];
};
type Rows = Record<string, string>[];

let one: Customer;
const fileBytes = (name: string): Buffer => readFileSync(join(exportsRoot(), name));
const rowsOf = (name: string): Rows => parse(gunzipSync(fileBytes(name)), { columns: true });
const manifestOf = ({ folder }: DataExport): Manifest =>
  JSON.parse(fileBytes(`runs/${folder}/manifest.json`).toString()) as Manifest;
const tableOf = ({ folder }: DataExport, table: string): Rows =>
  rowsOf(`runs/${folder}/tables/${table}.csv.gz`);
const filesBelow = (folder: string): string[] =>
  existsSync(join(exportsRoot(), folder))
    ? readdirSync(join(exportsRoot(), folder), { recursive: true, withFileTypes: true })
        .filter((each) => each.isFile())
        .map((each) => join(each.parentPath, each.name).slice(exportsRoot().length + 1))
        .toSorted()
    : [];
const count = async (query: RawBuilder<{ figure: string | bigint }>): Promise<string> =>
  String(required((await query.execute(db())).rows[0], 'a figure').figure);

const made = async (): Promise<DataExport> => {
  const run = await endedExport(await startExport());
  expect(run).toMatchObject({ state: 'done', failure: null });
  return run;
};

beforeAll(async () => {
  await startBilling({ PRIVATE_HOSTS: '127.0.0.1' });
  await stopRepeating(at.console.app);
  await unschedule(at.console.app, 'data-export-due');
  one = await customer(fee('1000'), fee('200', 'USD'));
  await moveTo('2024-09-10T02:00:00Z');
  await use(one, 'e1', '12', '2024-09-05T03:00:00Z');
  await use(one, 'e2', '7', '2024-09-06T03:00:00Z', {}, 1);
  await moveTo('2024-10-02T02:00:00Z');
  await close('2024-09' as never);
  await topUp(one, twd(3000));
  await pay(one, await billOf(one));
  await credit(await billOf(one), net(10));
});

describe('T-DATAX an export', () => {
  let run: DataExport;
  beforeAll(async () => {
    run = await made();
  });

  it('contains every table that may leave, as described by the manifest of each file', () => {
    const { tables, snapshotAt, readFrom } = manifestOf(run);
    expect({ snapshotAt, readFrom }).toEqual({
      snapshotAt: run.snapshotAt?.toISOString(),
      readFrom: 'primary',
    });
    expect(tables.map(({ table }) => table).toSorted()).toEqual(exportableTables);
    for (const { table, columns, files } of tables) {
      expect(new Set(columns.map(({ name }) => name)).size, table).toBe(columns.length);
      for (const { file, rows, bytes, sha256 } of files) {
        const packed = fileBytes(file);
        expect([packed.length, createHash('sha256').update(packed).digest('hex')], file).toEqual([
          bytes,
          sha256,
        ]);
        const [header, ...lines] = parse(gunzipSync(packed)) as string[][];
        expect(header, file).toEqual(columns.map(({ name }) => name));
        expect(lines.length, file).toBe(rows);
      }
    }
    expect(JSON.parse(fileBytes('latest.json').toString())).toMatchObject({
      manifest: `runs/${run.folder}/manifest.json`,
    });
    expect(run.sizeBytes).toBe(
      tables.flatMap(({ files }) => files).reduce((sum, { bytes }) => sum + bytes, 0),
    );
  });

  it('classifies every table of the database: exported, short-lived, or secret', async () => {
    const { rows } = await sql<{
      table: string;
    }>`select table_name as table from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' and table_name !~ '^usage_event_\\d+$' order by 1`.execute(
      db(),
    );
    for (const { table } of rows) {
      const rule = required(tableRules[table], `the rule of ${table}`);
      const isLeftOut = 'why' in rule && (rule.why === 'working' || shownColumns(rule).length === 0);
      expect(exportableTables.includes(table), table).toBe(!isLeftOut);
    }
  });

  it('adds up: the ledger, bills and their lines, by currency and to the last digit', async () => {
    const sums = (rows: Rows, column: string): Record<string, string> =>
      Object.fromEntries(
        [...Map.groupBy(rows, (row) => row.currency ?? '')]
          .map(([currency, own]): [string, string] => {
            // Cents as integers: money is never added as floating-point numbers, not even here.
            const cents = own.reduce((sum, row) => {
              const [whole = '', part = ''] = (row[column] ?? '').split('.');
              return sum + BigInt(whole + part.padEnd(2, '0'));
            }, 0n);
            return [currency, String(cents)];
          })
          .toSorted(),
      );
    const bySql = async (of: RawBuilder<unknown>): Promise<Record<string, string>> => {
      const { rows } = await sql<{
        currency: string;
        cents: string | bigint;
      }>`select currency, (sum(minor) * case currency when 'TWD' then 100 else 1 end)::text as cents from (${of}) as f (currency, minor) group by currency order by 1`.execute(
        db(),
      );
      return Object.fromEntries(rows.map(({ currency, cents }) => [currency, String(cents)]));
    };
    const bills = tableOf(run, 'bill');
    for (const column of ['net', 'tax', 'total', 'paid', 'credited'])
      expect(sums(bills, column), column).toEqual(
        await bySql(sql`select currency, ${sql.ref(`${column}_minor`)} from bill`),
      );
    expect(Object.keys(sums(bills, 'total'))).toEqual(['TWD', 'USD']);
    expect(sums(tableOf(run, 'bill_line'), 'amount')).toEqual(
      await bySql(sql`select b.currency, l.amount_minor from bill_line l join bill b on b.id = l.bill_id`),
    );
    const accounts = new Map(tableOf(run, 'ledger_account').map((row) => [row.id, row.balance]));
    const entries = tableOf(run, 'ledger_entry');
    expect(sums(entries, 'amount')).toEqual(
      await bySql(sql`select currency, amount_minor from ledger_entry`),
    );
    for (const [id, balance] of accounts) {
      const own = entries.filter((row) => row.account_id === id);
      if (own.length > 0)
        expect(Object.values(sums(own, 'amount'))[0]).toBe(
          Object.values(sums([{ currency: 'x', balance: balance ?? '' }], 'balance'))[0],
        );
    }
  });

  it('contains no secret: no withheld value is in any byte', async () => {
    const bytes = filesBelow('')
      .filter((name) => name.endsWith('.gz'))
      .map((name) => gunzipSync(fileBytes(name)).toString('latin1'))
      .join('\n');
    expect(bytes.length).toBeGreaterThan(10_000);
    let looked = 0;
    for (const [table, rule] of Object.entries(tableRules))
      for (const column of withheldColumns(rule)) {
        const { rows } = await sql<{
          secret: string;
        }>`select distinct case when pg_typeof(x)::text = 'bytea' then encode(x::text::bytea, 'escape') else x::text end as secret from (select ${sql.ref(column)} as x from ${sql.table(table)} where ${sql.ref(column)} is not null limit 50) as s`.execute(
          db(),
        );
        for (const { secret } of rows) {
          const plain = secret.replace(/^\\+x/, '');
          if (!/(hash|secret|token|key$|sealed|password)/.test(column) || plain.length < 20) continue;
          looked += 1;
          expect(bytes.includes(plain), `${table}.${column}`).toBe(false);
        }
      }
    expect(looked).toBeGreaterThan(5);
    expect(bytes).not.toMatch(/\$argon2/);
  });
});

// The following tests need only a few files.
const few = ['bill', 'ledger_entry', 'licence', 'payment', 'usage_event'];

describe('exported usage events', () => {
  beforeAll(() => saveExportPlan({ tables: few }));
  it('are exported once per day; late ones in a separate file, which a repeated run writes again', async () => {
    const day = (name: string): string => `events/usage_event/day=${name}`;
    expect(filesBelow('events')).toEqual([
      `${day('2024-09-05')}/all.csv.gz`,
      `${day('2024-09-06')}/all.csv.gz`,
    ]);
    const before = filesBelow('events').map((name) => fileBytes(name).toString('hex'));
    await use(one, 'e3', '5', '2024-10-01T01:00:00Z');
    await moveTo('2024-10-03T02:00:00Z');
    await use(one, 'e4', '4', '2024-10-01T09:00:00Z');
    await made();
    // Events of the last ten minutes are left to the next run.
    await moveTo('2024-10-04T02:00:00Z');
    armFailPoints(at.console.app, (point) => {
      if (point === 'data-export: manifest') throw new Error('killed');
    });
    expect(await endedExport(await startExport())).toMatchObject({
      state: 'failed',
      failure: { code: 'failed' },
    });
    armFailPoints(at.console.app, undefined);
    await made();
    const files = filesBelow('events');
    expect(files.filter((name) => name.includes('2024-10-01'))).toEqual([
      `${day('2024-10-01')}/late-20241002T015000Z.csv.gz`,
      `${day('2024-10-01')}/late-20241003T015000Z.csv.gz`,
    ]);
    expect(files.slice(0, 2).map((name) => fileBytes(name).toString('hex'))).toEqual(before);
    const events = files.flatMap((name) => rowsOf(name));
    expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(events.length);
    expect(String(events.length)).toBe(await count(sql`select count(*) as figure from usage_event`));
    expect(events.reduce((sum, row) => sum + Number(row.value), 0)).toBe(12 + 7 + 5 + 4);
  });
});

describe('a running export', () => {
  it('shows one moment: rows written while it reads are in none of its files', async () => {
    const before = {
      payments: await count(sql`select count(*) as figure from payment`),
      entries: await count(sql`select count(*) as figure from ledger_entry`),
    };
    // It pauses between the ledger and payments.
    const gate = await db().startTransaction().execute();
    await sql`lock table licence in access exclusive mode`.execute(gate);
    const startedRun = await startExport();
    await vi.waitFor(
      async () =>
        expect(
          await count(
            sql`select count(*) as figure from pg_locks where relation = 'licence'::regclass and not granted`,
          ),
        ).not.toBe('0'),
      { timeout: 20_000, interval: 20 },
    );
    await topUp(one, twd(500));
    await gate.rollback().execute();
    const run = await endedExport(startedRun);
    expect(run.state).toBe('done');
    expect({
      payments: String(tableOf(run, 'payment').length),
      entries: String(tableOf(run, 'ledger_entry').length),
    }).toEqual(before);
    expect(await count(sql`select count(*) as figure from payment`)).not.toBe(before.payments);
  });

  it('that crashed leaves nothing that looks complete; the next one continues, and removes the remains', async () => {
    const latest = fileBytes('latest.json').toString();
    const folder = '20241004T000000Z-killed';
    mkdirSync(join(exportsRoot(), 'runs', folder, 'tables'), { recursive: true });
    writeFileSync(join(exportsRoot(), 'runs', folder, 'tables/bill.csv.gz'), 'half');
    writeFileSync(join(exportsRoot(), 'runs', folder, 'tables/payment.csv.gz.0a0b0c0d.draft'), 'half');
    const killed = at.console.app.clock.now();
    await sql`insert into data_export (id, state, cause, attempt, asked_at, asked_by, heard_at, begun_at, place, folder)
      values ('dxp_01jbz2m8000000000000000000', 'running', 'schedule', 1, ${killed}, 'schedule', ${killed}, ${killed}, ${exportsRoot()}, ${folder})`.execute(
      db(),
    );
    // While it may be alive no second one starts.
    expect((await startExport()).id).toBe('dxp_01jbz2m8000000000000000000');
    await moveTo('2024-10-04T02:30:00Z');
    expect(fileBytes('latest.json').toString()).toBe(latest);
    const run = await made();
    // Old files are deleted after the run has ended.
    await expect.poll(() => filesBelow(`runs/${folder}`)).toEqual([]);
    const { items } = await at.console.ok(dataExports.listDataExports, {}, { token: at.admin });
    expect(items.find(({ folder: own }) => own === folder)).toMatchObject({
      state: 'failed',
      failure: { code: 'interrupted' },
    });
    expect(manifestOf(run).tables.map(({ table }) => table)).toContain('bill');
  });

  it('can be stopped by an Admin, without a manifest', async () => {
    const gate = await db().startTransaction().execute();
    await sql`lock table licence in access exclusive mode`.execute(gate);
    const stoppedRun = await startExport();
    await vi.waitFor(
      async () => {
        const { running } = await at.console.ok(dataExports.dataExportOverview, {}, { token: at.admin });
        expect(running?.filesDone).toBe(2);
      },
      { timeout: 20_000, interval: 50 },
    );
    await at.console.ok(dataExports.stopDataExport, { exportId: stoppedRun.id }, { token: at.admin });
    await gate.rollback().execute();
    const run = await endedExport(stoppedRun);
    expect(run).toMatchObject({ state: 'stopped', failure: null });
    await expect.poll(() => filesBelow(`runs/${run.folder}`)).toEqual([]);
    expect(
      await at.console.call(dataExports.stopDataExport, { exportId: stoppedRun.id }, { token: at.admin }),
    ).toMatchObject({ status: 409 });
  });

  it('is deleted after the configured days; events and the newest one stay', async () => {
    const events = filesBelow('events');
    await moveTo('2024-10-25T02:00:00Z');
    const run = await made();
    await expect
      .poll(() => [...new Set(filesBelow('runs').map((name) => name.split('/')[1]))])
      .toEqual([run.folder]);
    expect(filesBelow('events')).toEqual(expect.arrayContaining(events));
    await expect
      .poll(async () => {
        const { items } = await at.console.ok(
          dataExports.listDataExports,
          { limit: 100 },
          { token: at.admin },
        );
        return items
          .filter(({ state, removedAt }) => state === 'done' && removedAt === null)
          .map(({ folder }) => folder);
      })
      .toEqual([run.folder]);
  });
});

describe('schedule and destination of exports', () => {
  it('with a denied bucket: failed with the reason, notified, retried, and complete once it is fixed', async () => {
    const endpoint = required(new URL((await startBucket()).url).searchParams.get('endpoint'), 'an endpoint');
    const bucket = {
      kind: 'bucket',
      bucket: 'not-there',
      prefix: 'team/',
      region: 'us-east-1',
      endpoint,
      accessKeyId: 'S3RVER',
    } as const;
    const refused = await at.console.call(
      dataExports.saveDataExportPlan,
      { ...initialPlan, bucket },
      { token: at.admin },
    );
    expect(refused).toMatchObject({ status: 400, envelope: { errors: [{ field: 'secretAccessKey' }] } });
    await saveExportPlan({ isOn: true, hour: 2, tables: few, bucket, secretAccessKey: 'S3RVER' });
    expect(await at.console.ok(dataExports.testDataExport, {}, { token: at.admin })).toMatchObject({
      failure: { code: 'not_found' },
    });
    const due = (): Promise<void> => runFeatureJob(at.console.app, 'data-export-due');
    const newest = async (): Promise<DataExport> =>
      required(
        (await at.console.ok(dataExports.listDataExports, {}, { token: at.admin })).items[0],
        'the newest export',
      );
    const noted = await newest();
    await due();
    expect((await newest()).id, 'no night before the schedule was switched on').toBe(noted.id);
    await moveTo('2024-10-25T18:01:00Z');
    await due();
    const failed = await endedExport(await newest());
    expect(failed).toMatchObject({
      state: 'failed',
      cause: 'schedule',
      attempt: 1,
      failure: { code: 'not_found' },
    });
    expect(
      await count(
        sql`select count(*) as figure from notification where text_key = 'dataexports.notice_failed'`,
      ),
    ).not.toBe('0');
    expect(at.console.app.translate('zhTW', 'dataexports.notice_failed')).toMatch(/每夜匯出失敗/);
    await due();
    expect((await newest()).id, 'not at once').toBe(failed.id);
    await saveExportPlan({
      isOn: true,
      hour: 2,
      tables: few,
      bucket: { ...bucket, bucket: 'console-files' },
      secretAccessKey: 'S3RVER',
    });
    expect(await at.console.ok(dataExports.testDataExport, {}, { token: at.admin })).toEqual({
      failure: null,
    });
    await moveTo('2024-10-25T18:17:00Z');
    await due();
    const run = await endedExport(await newest());
    expect(run).toMatchObject({ state: 'done', attempt: 2, cause: 'schedule' });
    await due();
    expect((await newest()).id).toBe(run.id);
    const client = new S3Client({
      region: 'us-east-1',
      endpoint,
      forcePathStyle: true,
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    });
    const text = async (name: string): Promise<Buffer> => {
      const { Body } = await client.send(
        new GetObjectCommand({ Bucket: 'console-files', Key: `team/${name}` }),
      );
      return Buffer.from(await required(Body, 'the object').transformToByteArray());
    };
    const { manifest } = JSON.parse((await text('latest.json')).toString()) as { manifest: string };
    const { tables } = JSON.parse((await text(manifest)).toString()) as Manifest;
    for (const { file, sha256 } of tables
      .filter(({ table }) => /^(bill|usage_event)$/.test(table))
      .flatMap(({ files }) => files))
      expect(
        createHash('sha256')
          .update(await text(file))
          .digest('hex'),
        file,
      ).toBe(sha256);
    // The new destination has no events yet, so all days are exported again.
    const listed = await client.send(
      new ListObjectsV2Command({ Bucket: 'console-files', Prefix: 'team/events/' }),
    );
    expect(listed.Contents?.map(({ Key }) => Key)).toContain(
      'team/events/usage_event/day=2024-09-05/all.csv.gz',
    );
    // The secret is only in the settings, encrypted.
    const kept = await count(
      sql`select string_agg(value::text, ' ') || (select string_agg(detail::text, ' ') from audit_log where action like 'dataexports.%') as figure from setting`,
    );
    expect(kept).not.toMatch(/"secretAccessKey"|S3RVER[^"]*S3RVER/);
  });

  it('reject unknown tables and internal addresses, each at its field', async () => {
    const call = (plan: Partial<DataExportPlan>) =>
      at.console.call(
        dataExports.saveDataExportPlan,
        { ...initialPlan, ...plan, secretAccessKey: 'x' },
        { token: at.admin },
      );
    expect(await call({ tables: ['bill', 'session_used_token'] })).toMatchObject({
      status: 400,
      envelope: { errors: [{ field: 'tables', code: 'dataexports.table_unknown' }] },
    });
    const bucket = { kind: 'bucket', bucket: 'abc', prefix: '', region: 'a', accessKeyId: 'k' } as const;
    expect(await call({ bucket: { ...bucket, endpoint: 'https://169.254.169.254' } })).toMatchObject({
      status: 400,
      envelope: { errors: [{ field: 'bucket.endpoint' }] },
    });
    await saveExportPlan({ tables: ['bill', 'organization'] });
    expect(manifestOf(await made()).tables.map(({ table }) => table)).toEqual(['bill', 'organization']);
  });
});

it('T-GRANTS the role of replica-grants reads bills, reads no secret and writes nothing', async () => {
  const role = `analysts_${Date.now().toString(36)}`;
  const { code, out } = await runCli(at.console, 'replica-grants', '--role', role);
  expect(code).toBe(0);
  await withClient(asSuperuser(at.console.app.database.where), async (owner) => {
    await owner.query(out);
    try {
      await owner.query(`set role ${role}`);
      const { rows } = await owner.query('select count(total_minor) as bills from bill');
      expect(String(rows[0]?.bills)).not.toBe('0');
      for (const statement of [
        'select password_hash from app_user',
        'select * from app_user',
        'select secret_hash from api_key',
        'select value from setting',
        'select * from session_used_token',
        'select sealed from installation_secrets',
        `update bill set state = 'paid'`,
        'delete from bill',
        `insert into setting (key, value) values ('a', '1')`,
        'create table own (id int)',
      ])
        await expect(owner.query(statement), statement).rejects.toThrow(/permission denied/);
      for (const table of exportableTables) {
        const rule = required(tableRules[table], table);
        await owner.query(`select ${shownColumns(rule).join(', ')} from ${table} limit 1`);
      }
    } finally {
      await owner.query(`reset role; drop owned by ${role}; drop role ${role}`);
    }
  });
  expect((await runCli(at.console, 'replica-grants', '--role', 'a"; drop')).code).toBe(2);
});
