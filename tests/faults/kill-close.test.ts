// A month close that is killed, repeated and run by several consoles at once bills everybody once, to the cent, without a gap (R-BILL-05).
import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeId, type IdPrefix } from '#kernel/ids.ts';
import { findRunningPostgres } from '#platform/server/database/embedded/listen-address.ts';
import { billed, close, databaseOfProcesses, type Query } from '../support/closing.ts';
import {
  killItsDatabase,
  killProcess,
  makeDataDir,
  processApi as api,
  setUpProcess,
  signInProcess as signIn,
  startProcess,
  type ProcessConsole,
} from '../support/process.ts';

// `npm run faults` asks for many more rounds than a run that people wait for.
const rounds = Number.parseInt(process.env['FAULT_ROUNDS'] ?? '2', 10);
const organizations = 2600;
// A month closes within a round or two; then the next one is killed.
const months = Array.from(
  { length: Math.ceil(rounds / 2) },
  (_, index) => `${2010 + Math.floor(index / 12)}-${String(1 + (index % 12)).padStart(2, '0')}`,
);

/** Customers with two services each: a base fee, and usage at a price with fractions of a dollar. */
async function fill(db: Query, console: ProcessConsole, admin: string): Promise<void> {
  const ids = (prefix: IdPrefix, count: number) =>
    Array.from({ length: count }, () =>
      encodeId(prefix, Date.parse('2009-12-01T00:00:00Z'), randomBytes(10)),
    );
  const made = await Promise.all(
    [
      { model: 'per_unit', currency: 'TWD', unitPrice: '0.37' },
      { model: 'flat', currency: 'TWD', baseFee: '333.5' },
    ].map((pricing, index) =>
      api(
        console,
        'POST',
        '/admin/services',
        {
          name: `Service ${index}`,
          type: 'Test',
          category: 'Test',
          pricing,
          meter: { eventType: 'call', aggregation: 'sum', unit: 'GB' },
        },
        admin,
      ),
    ),
  );
  const services = made.map((service) => service['id'] ?? '');
  const owners = ids('org', organizations);
  await db.query(
    `insert into organization (id, name, time_zone, language, created_at) select id, 'Customer ' || id, 'Asia/Taipei', 'zhTW', '2009-12-01' from unnest($1::text[]) as id`,
    [owners],
  );
  const subscribers = owners.flatMap((owner) => services.map(() => owner));
  await db.query(
    `insert into subscription (id, organization_id, service_id, state, started_at, created_at) select *, 'active', '2009-12-01', '2009-12-01' from unnest($1::text[], $2::text[], $3::text[])`,
    [ids('sub', subscribers.length), subscribers, owners.flatMap(() => services)],
  );
  await db.query(
    `insert into subscription_phase (subscription_id, from_at, service_id, quantity, is_applied) select id, started_at, service_id, 1, true from subscription`,
  );
  await db.query(
    `insert into usage_month (subscription_id, month, event_count, sum, max, last_value, last_at) select b.id, month, 100, (('x' || substr(md5(b.id || month), 1, 6))::bit(24)::int % 100000) / 7.0, 5, 5, now() from subscription b, unnest($1::text[]) as month where b.service_id = $2`,
    [months, services[0]],
  );
}

/** What the database holds, counted apart from the console: every wrong bill, number, booking or notice is one more of something. */
async function countsOf(db: Query, month: string): Promise<Record<string, string>> {
  const { rows } = await db.query<Record<string, string>>(
    `
    with due as (select b.organization_id, sum(round(coalesce(u.sum * 0.37, 333.5))) as net from subscription b left join usage_month u on u.subscription_id = b.id and u.month = $1 group by 1),
      wrong as (select d.organization_id from due d full join (select * from bill where month = $1) b on b.organization_id = d.organization_id where b.net_minor is distinct from d.net or b.tax_minor is distinct from round(d.net * 0.05) or b.total_minor is distinct from d.net + round(d.net * 0.05)),
      numbered as (select sequence, row_number() over (order by organization_id) as place from bill where month = $1)
    select (select count(*) from bill where month = $1) as bills, (select count(*) from wrong) as wrong, (select count(*) from numbered where sequence <> place) as misplaced,
      (select last_number from bill_series where series = 'B-' || replace($1, '-', ''))::text as last_number, (select count(*) from bill_line l join bill b on b.id = l.bill_id where b.month = $1) as lines,
      (select count(*) from bill b where (select count(*) from ledger_transaction t where t.kind = 'bill' and t.reference = b.id) <> 1) as unbooked,
      (select coalesce(sum(balance_minor), 0) from ledger_account where kind = 'receivable') - (select coalesce(sum(total_minor), 0) from bill) as owed_wrong, (select coalesce(sum(amount_minor), 0) from ledger_entry) as unbalanced,
      (select count(*) from month_closed where month = $1) as closed, (select count(*) from bill_parked) as parked, (select count(*) from audit_fault()) as audit_faults`,
    [month],
  );
  return Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, value]) => [name, String(value)]));
}
const right = {
  bills: String(organizations),
  wrong: '0',
  misplaced: '0',
  last_number: String(organizations),
  lines: String(2 * organizations),
  unbooked: '0',
  owed_wrong: '0',
  unbalanced: '0',
  closed: String(organizations),
  parked: '0',
  audit_faults: '0',
};

/** Some moment of the close that issues the next bills: now before its first commit, now after one. */
async function someMoment(db: Query, month: string, round: number): Promise<void> {
  const before = await billed(db, month);
  while (round % 2 === 1 && before < organizations && (await billed(db, month)) === before) await pause(5);
  await pause(randomInt(400));
}

describe('F1, F12: consoles on one database', () => {
  let url: string;
  let db: Query;
  beforeAll(async () => {
    ({ db, url } = await databaseOfProcesses());
  });

  it(
    'closing the same month while one after the other is killed come to the same bills as one that nobody disturbs',
    async () => {
      const dataDir = makeDataDir();
      const first = await startProcess(dataDir, url);
      await fill(db, first, await setUpProcess(first));
      await killProcess(first);
      const seen: string[] = [];
      for (const [index, month] of months.entries()) {
        for (let round = 0; round < 2; round++) {
          const [one, other] = await Promise.all([startProcess(dataDir, url), startProcess(dataDir, url)]);
          const tokens = [await signIn(one), await signIn(other)];
          const closing = [one, other].map((console, place) => close(console, tokens[place] ?? '', month));
          await someMoment(db, month, round);
          await Promise.all(
            (index + round) % 3 === 2 ? [killProcess(one)] : [killProcess(one), killProcess(other)],
          );
          await Promise.all(closing);
          await killProcess(other);
          seen.push(`${month}: ${await billed(db, month)}`);
          // Whatever is there is whole: bills come by chunks, each with its lines, its booking and its number.
          expect(await countsOf(db, month)).toMatchObject({
            misplaced: '0',
            unbooked: '0',
            owed_wrong: '0',
            unbalanced: '0',
            parked: '0',
          });
        }
      }
      const last = await startProcess(dataDir, url);
      const token = await signIn(last);
      for (const month of months) {
        await close(last, token, month);
        expect(await countsOf(db, month), `bills after each kill: ${seen.join(', ')}`).toEqual(right);
        expect(await close(last, token, month)).toMatchObject({ issued: 0, parked: 0 });
      }
    },
    180_000 + rounds * 8000,
  );
});

describe('F1: the console with its own database', () => {
  it(
    'has after a kill of either what was acknowledged, and goes on from there',
    async () => {
      const dataDir = makeDataDir();
      let console = await startProcess(dataDir);
      const admin = await setUpProcess(console);
      await withDatabase(dataDir, (db) => fill(db, console, admin));
      for (const [index, month] of months.entries()) {
        const closing = close(console, await signIn(console), month);
        await withDatabase(dataDir, (db) => someMoment(db, month, index + 1));
        await (index % 2 === 0 ? killItsDatabase : killProcess)(console);
        await closing;
        console = await startProcess(dataDir);
      }
      const token = await signIn(console);
      for (const month of months) {
        await close(console, token, month);
        expect(await withDatabase(dataDir, (db) => countsOf(db, month))).toEqual(right);
      }
    },
    180_000 + rounds * 8000,
  );
});

async function withDatabase<T>(dataDir: string, run: (db: Query) => Promise<T>): Promise<T> {
  const running = await findRunningPostgres(dataDir);
  if (!running) throw new Error('the database is not running');
  const client = new pg.Client(running.connection);
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
    await running.release();
  }
}
