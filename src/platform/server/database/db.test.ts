import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase, unsuitable } from './db.ts';
import { createLog } from '../log.ts';
import { createTestDatabase, inRollback } from '#tests/support/database.ts';

const database = await createTestDatabase({ max: 3 });

async function value(expression: string, ...parameters: unknown[]): Promise<unknown> {
  const { rows } = await database.pool.query<{ value: unknown }>(`select ${expression} as value`, parameters);
  return rows[0]?.value;
}

test('whole numbers beyond 2^53 are read and written exactly', async () => {
  expect(await value(`9007199254740993::int8`)).toBe(9007199254740993n);
  expect(await value(`'-9223372036854775808'::int8`)).toBe(-9223372036854775808n);
  expect(await value(`$1::int8`, 9007199254740993n)).toBe(9007199254740993n);
  expect(await value(`count(*)`)).toBe(1n);
});

test('decimals keep every digit, including trailing zeros', async () => {
  expect(await value(`0.000000400000::numeric(20,12)`)).toBe('0.000000400000');
  expect(await value(`$1::numeric`, '12345678901234567890.123456789012')).toBe(
    '12345678901234567890.123456789012',
  );
});

test('a date is a day, not a point in time', async () => {
  expect(await value(`date '2026-03-29'`)).toBe('2026-03-29');
  expect(await value(`timestamp '2026-03-29 02:30:00'`)).toBe('2026-03-29 02:30:00');
  expect(await value(`timestamptz '2026-03-29 02:30:00.123+08'`)).toEqual(
    new Date('2026-03-28T18:30:00.123Z'),
  );
});

test('arrays have the types of their elements', async () => {
  expect(await value(`array[9007199254740993, null, 1]::int8[]`)).toEqual([9007199254740993n, null, 1n]);
  expect(await value(`array[[1,2],[3,4]]::int8[]`)).toEqual([
    [1n, 2n],
    [3n, 4n],
  ]);
  expect(await value(`'[0:1]={7,8}'::int8[]`)).toEqual([7n, 8n]);
  expect(await value(`array[0.100000000000, 2]::numeric[]`)).toEqual(['0.100000000000', '2']);
  expect(await value(`array[date '2026-01-31', null]`)).toEqual(['2026-01-31', null]);
  expect(await value(`array[timestamp '2026-01-31 00:00:00']`)).toEqual(['2026-01-31 00:00:00']);
  expect(await value(`'{}'::numeric[]`)).toEqual([]);
  expect(await value(`$1::int8[]`, [9007199254740993n, 2n])).toEqual([9007199254740993n, 2n]);
});

test('Kysely uses the same types', async () => {
  const { rows } = await sql<{
    amount: bigint;
    price: string;
  }>`select 9007199254740993::int8 as amount, 0.10::numeric as price`.execute(database.kysely);
  expect(rows).toEqual([{ amount: 9007199254740993n, price: '0.10' }]);
});

test('a session has a name, uses UTC and is canceled when it hangs', async () => {
  expect(await value(`current_setting('application_name')`)).toBe('skytally');
  expect(await value(`current_setting('TimeZone')`)).toBe('UTC');
  expect(await value(`current_setting('jit')`)).toBe('off');
  expect(await value(`current_setting('statement_timeout')`)).toBe('30s');
  expect(await value(`current_setting('idle_in_transaction_session_timeout')`)).toBe('30s');
});

test('closing waits until the connections have ended', async () => {
  const other = await openDatabase(database.connection, { max: 8, log: createLog({ level: 'silent' }) });
  const asked = await Promise.all(
    Array.from({ length: 8 }, () => other.pool.query<{ pid: number }>('select pg_backend_pid() as pid')),
  );
  const ended = new Set<unknown>();
  other.pool.on('remove', (client) => ended.add(client));
  await other.close();
  expect(ended.size).toBe(new Set(asked.map(({ rows }) => rows[0]?.pid)).size);
});

test('an idle connection that breaks is logged, and the next query works', async () => {
  const lines: string[] = [];
  const other = await openDatabase(database.connection, {
    max: 1,
    log: createLog({ level: 'warn', destination: { write: (line) => lines.push(line) } }),
  });
  try {
    const { rows } = await other.pool.query<{ pid: number }>('select pg_backend_pid() as pid');
    const lost = new Promise((resolve) => other.pool.once('error', resolve));
    await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await lost;
    expect(lines.join('')).toContain('an idle database connection was lost');
    expect((await other.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  } finally {
    await other.close();
  }
});

test('an older server or another encoding is rejected with advice', () => {
  expect(unsuitable(140_011, 'UTF8')).toMatch(/PostgreSQL 14; version 15 or later is needed/);
  expect(unsuitable(150_000, 'UTF8')).toBeUndefined();
  expect(unsuitable(180_004, 'UTF8')).toBeUndefined();
  expect(unsuitable(180_004, 'LATIN1')).toMatch(/UTF8 is needed/);
});

test('a password in a failing connection string is not in the message', async () => {
  const wrong = 'postgres://someone:hunter2@127.0.0.1:1/nowhere';
  const lines: string[] = [];
  const log = createLog({ level: 'warn', destination: { write: (line) => lines.push(line) } });
  const failure = await openDatabase(wrong, { max: 1, log }).catch((error: unknown) => error);
  log.error({ err: failure, url: wrong }, `cannot open ${wrong}`);
  expect(failure).toBeInstanceOf(Error);
  expect(lines.join('')).toContain('postgres://someone:***@127.0.0.1');
  expect(lines.join('')).not.toContain('hunter2');
});

test('a rollback undoes everything', async () => {
  const found = sql`select name from schema_migration where name = 'platform/only-here'`;
  await inRollback(database, async (db) => {
    await sql`insert into schema_migration (name, checksum) values ('platform/only-here', '')`.execute(db);
    expect((await found.execute(db)).rows).toHaveLength(1);
  });
  expect((await found.execute(database.kysely)).rows).toEqual([]);
});
