// P8: what usage figures cost the database with 1 million and with 100 million events, generated directly in
// the rollups.
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { encodeId, type IdPrefix } from '../src/kernel/ids.ts';
import { benchByDimension } from './by-dimension.ts';
import {
  api,
  openDatabaseOf,
  removeData,
  setUpBench,
  startBenchConsole,
  type BenchConsole,
} from './console.ts';
import { median, print } from './figures.ts';

const meters = 10;
const days = 184;
const others = 20;
const rounds = 5;
const callsARound = 40;
/** How much longer figures may take with a hundred times as many events. */
const maxRatio = 1.3;
const first = '2024-03-31T16:00:00Z';
const id = (prefix: IdPrefix): string =>
  encodeId(prefix, Date.parse('2024-03-01T00:00:00Z'), randomBytes(10));

const figures = [
  ['statistics of a month', '/usage/statistics?month=2024-09'],
  ['days of a month', '/usage/daily?from=2024-09-01&to=2024-09-30'],
  ['explored, 3 months by service', '/usage/explore?from=2024-07-01&to=2024-09-30&compare=true'],
  ['explored, a month by a property', '/usage/explore?from=2024-09-01&to=2024-09-30&groupBy=property%3Azone'],
  ['explored, 14 days by hour', '/usage/explore?from=2024-09-17&to=2024-09-30&grain=hour'],
  ['unusual days of a month', '/usage/unusual-days?from=2024-09-01&to=2024-09-30'],
  ['quotas', '/usage/quotas'],
] as const;

/**
 * Fills the hours of subscriptions over half a year, `events` in total, with their dimensions; then their
 * months.
 */
async function generate(pool: pg.Pool, subscriptions: readonly string[], events: number): Promise<void> {
  const inHour = Math.round(events / (subscriptions.length * days * 24));
  const hours = `unnest($1::text[]) as s (id) cross join generate_series($2::timestamptz, $2::timestamptz + make_interval(hours => $3 - 1), interval '1 hour') as h (hour)`;
  const given = [subscriptions, first, days * 24];
  const seed = `abs(hashtext(s.id || h.hour)) % 100`;
  await pool.query(
    `insert into usage_hour (subscription_id, hour, event_count, sum, max, last_value, last_at) select s.id, h.hour, ${inHour}, ${inHour} * (1 + ${seed} / 100.0), 5, 3, h.hour from ${hours} on conflict (subscription_id, meter, hour, cell) do update set event_count = excluded.event_count, sum = excluded.sum`,
    given,
  );
  await pool.query(
    `insert into usage_dimension_hour (subscription_id, hour, dimension, value, event_count, sum, max, last_value, last_at)
    select s.id, h.hour, 'data.zone', v.value, ${inHour} / 2, ${inHour} * (1 + ${seed} / 100.0) / 2, 5, 3, h.hour from ${hours} cross join (values ('"tpe"'), ('"khh"')) as v (value)
    on conflict (subscription_id, dimension, hour, value) do update set event_count = excluded.event_count, sum = excluded.sum`,
    given,
  );
  await pool.query(
    `insert into usage_day (subscription_id, day, event_count, sum, max, last_value, last_at, last_event) select subscription_id, (hour at time zone 'Asia/Taipei')::date, sum(event_count), sum(sum), 5, 3, max(last_at), ''
    from usage_hour where subscription_id = any($1) group by 1, 2 on conflict (subscription_id, meter, day, cell) do update set event_count = excluded.event_count, sum = excluded.sum`,
    [subscriptions],
  );
  await pool.query(
    `insert into usage_month (subscription_id, month, event_count, sum, max, last_value, last_at) select subscription_id, to_char(hour at time zone 'Asia/Taipei', 'YYYY-MM'), sum(event_count), sum(sum), max(max), max(last_value), max(last_at)
    from usage_hour where subscription_id = any($1) group by 1, 2 on conflict (subscription_id, meter, month, cell) do update set event_count = excluded.event_count, sum = excluded.sum`,
    [subscriptions],
  );
}

/** As many connections as a console's pool has. */
const connections = 16;

/** Milliseconds that the database was busy, in all its sessions, since it was created. */
async function busyMs({ pool, console, token }: Pick<Side, 'pool' | 'console' | 'token'>): Promise<number> {
  // A session reports its statistics with the first transaction that ends a second after its last report, so
  // each session makes one small call.
  await new Promise((done) => setTimeout(done, 1100));
  await Promise.all(
    Array.from({ length: connections }, () => api(console.address, 'GET', '/usage/quotas', undefined, token)),
  );
  const { rows } = await pool.query<{ ms: number }>(
    'select active_time as ms from pg_stat_database where datname = current_database()',
  );
  return rows[0]?.ms ?? 0;
}

type Cost = { readonly databaseMs: number; readonly answerMs: number };

/** One round of calls of one figure; the cost of reading the statistics is the same on both sides. */
async function measure(side: Side, path: string): Promise<Cost> {
  const answers: number[] = [];
  const before = await busyMs(side);
  for (let call = 0; call < callsARound; call++) {
    const startedAt = performance.now();
    await api(side.console.address, 'GET', path, undefined, side.token);
    answers.push(performance.now() - startedAt);
  }
  return { databaseMs: ((await busyMs(side)) - before) / callsARound, answerMs: median(answers) };
}

async function organization(
  pool: pg.Pool,
  services: readonly string[],
  organizationId: string,
): Promise<string[]> {
  const owned = services.map(() => id('sub'));
  await pool.query(
    `insert into subscription (id, organization_id, service_id, state, started_at, created_at) select id, $3, service, 'active', '2024-03-01', '2024-03-01' from unnest($1::text[], $2::text[]) as s (id, service)`,
    [owned, services, organizationId],
  );
  await pool.query(
    `insert into subscription_phase (subscription_id, from_at, service_id, quantity, is_applied) select id, started_at, service_id, 1, true from subscription where id = any($1)`,
    [owned],
  );
  return owned;
}

type Side = {
  readonly console: BenchConsole;
  readonly pool: pg.Pool;
  readonly token: string;
  readonly close: () => Promise<void>;
};

/** A console whose own organization has `events`, beside other organizations with as many hours. */
async function side(port: number, events: number, beside: number): Promise<Side> {
  const console = await startBenchConsole(undefined, port);
  const admin = await setUpBench(console);
  const { pool, close } = await openDatabaseOf(console.dataDir, 2);
  const services: string[] = [];
  for (let count = 0; count < meters; count++) {
    services.push(
      (
        await api(
          console.address,
          'POST',
          '/admin/services',
          {
            name: `Meter ${count}`,
            type: 'Bench',
            category: 'Bench',
            pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '0.5' },
            meter: { eventType: 'bench', aggregation: 'sum', unit: 'units' },
            quota: { type: 'soft', limit: '1000000' },
          },
          admin,
        )
      ).id ?? '',
    );
  }
  const { user } = (await api(console.address, 'POST', '/user/register', {
    email: 'owner@bench.example',
    name: 'Owner',
    password: 'a long enough passphrase',
    organization: 'Bench',
    agreeToTerms: true,
  })) as unknown as { user: { organizationId: string } };
  const { token } = (await api(console.address, 'POST', '/user/login', {
    account: 'owner@bench.example',
    password: 'a long enough passphrase',
  })) as unknown as { token: string };
  await generate(pool, await organization(pool, services, user.organizationId), events);
  for (let count = 0; count < beside; count++) {
    const organizationId = id('org');
    await pool.query(
      `insert into organization (id, name, time_zone, language, created_at) values ($1, $1, 'Asia/Taipei', 'zhTW', now())`,
      [organizationId],
    );
    await generate(pool, await organization(pool, services, organizationId), events);
  }
  await pool.query('vacuum analyze');
  // The first calls prepare their statements.
  for (const [, path] of figures)
    for (let call = 0; call < 3; call++) await api(console.address, 'GET', path, undefined, token);
  return {
    console,
    pool,
    token,
    close: async () => {
      await close();
      await console.stop();
      removeData(console.dataDir);
    },
  };
}

/**
 * Prints the cost of figures over 1 million events, and over 100 million beside twenty other organizations
 * with as many: two consoles, measured alternately. Then figures by charge and by dimension over 10 million.
 */
export async function benchStatistics(): Promise<void> {
  const [small, large] = [await side(3900, 1_000_000, 0), await side(3910, 100_000_000, others)];
  for (const [name, path] of figures) {
    const [before, after]: [Cost[], Cost[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      before.push(await measure(small, path));
      after.push(await measure(large, path));
    }
    print(
      `${name}: database, 1M events`,
      before.map((each) => each.databaseMs),
      'ms',
    );
    print(
      '  database, 100M events',
      after.map((each) => each.databaseMs),
      'ms',
    );
    print(
      '  ratio of the pairs',
      after.map((each, round) => each.databaseMs / Math.max(before[round]?.databaseMs ?? 0, 0.01)),
      '×',
      { atMost: maxRatio },
    );
    print(
      '  whole answer, 100M events',
      after.map((each) => each.answerMs),
      'ms',
    );
  }
  await small.close();
  await large.close();
  await benchByDimension();
}
