// Several charges on a subscription: ingestion of events that feed three meters, and the close of ten charges.
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { encodeId, type IdPrefix } from '../src/kernel/ids.ts';
import { closeOnce } from './close.ts';
import {
  api,
  openDatabaseOf,
  removeData,
  setUpBench,
  startBenchConsole,
  type BenchConsole,
} from './console.ts';
import { pairs, print } from './figures.ts';
import { post } from './ingest.ts';

const id = (prefix: IdPrefix): string =>
  encodeId(prefix, Date.parse('2023-12-01T00:00:00Z'), randomBytes(10));
const ids = (prefix: IdPrefix, count: number): string[] => Array.from({ length: count }, () => id(prefix));

type Price = Readonly<Record<string, unknown>>;
/** A usage charge of a meter, by default at a price by the unit. */
export const usageCharge = (
  key: string,
  meter: string,
  price: Price = { model: 'per_unit', unitPrice: '0.37' },
) => ({
  key,
  name: { zhTW: key, enUS: key },
  kind: 'usage',
  meter,
  ...price,
});

/** Makes a meter of sums. */
export async function meter(console: BenchConsole, admin: string, key: string, more: object): Promise<void> {
  await api(
    console.address,
    'POST',
    '/admin/meters',
    { key, name: key, eventType: 'bench', aggregation: 'sum', unit: 'GB', dimensions: [], ...more },
    admin,
  );
}

/** Makes a service with a rate card; answers its id. */
export async function service(
  console: BenchConsole,
  admin: string,
  name: string,
  charges: object[],
): Promise<string> {
  const made = await api(
    console.address,
    'POST',
    '/admin/services',
    { name, type: 'Bench', category: 'Bench', currency: 'TWD', charges },
    admin,
  );
  return made.id ?? '';
}

/** Subscribes each organization to a service since the end of 2023; answers the subscriptions' ids. */
export async function subscribe(
  pool: pg.Pool,
  organizations: readonly string[],
  serviceId: string,
): Promise<string[]> {
  const subscriptions = ids('sub', organizations.length);
  await pool.query(
    `insert into subscription (id, organization_id, service_id, state, started_at, created_at) select s.id, s.org, $3, 'active', '2023-12-01', '2023-12-01' from unnest($1::text[], $2::text[]) as s (id, org)`,
    [subscriptions, organizations, serviceId],
  );
  await pool.query(
    `insert into subscription_phase (subscription_id, from_at, service_id, quantity, is_applied) select id, '2023-12-01', $2, 1, true from unnest($1::text[]) as s (id)`,
    [subscriptions, serviceId],
  );
  return subscriptions;
}

async function organizations(pool: pg.Pool, count: number): Promise<string[]> {
  const made = ids('org', count);
  await pool.query(
    `insert into organization (id, name, time_zone, language, created_at) select id, 'Bench ' || id, 'Asia/Taipei', 'zhTW', now() from unnest($1::text[]) as id`,
    [made],
  );
  return made;
}

/** Runs on a console of its own, with a pool on its database. */
export async function onConsole(
  run: (console: BenchConsole, admin: string, pool: pg.Pool) => Promise<void>,
): Promise<void> {
  const console = await startBenchConsole();
  const admin = await setUpBench(console);
  const { pool, close } = await openDatabaseOf(console.dataDir, 4);
  try {
    await run(console, admin, pool);
  } finally {
    await close();
    await console.stop();
    removeData(console.dataDir);
  }
}

const batchSize = 1000;
const callers = 4;
const batchesPerRound = 40;
/** The values of the dimension `region`. */
export const regions = ['tpe', 'khh', 'nrt', 'fra', 'iad'];

/** Events a second where each feeds three meters, one of them by region, against events that feed one. */
async function ingestion(console: BenchConsole, admin: string, pool: pg.Pool): Promise<void> {
  await meter(console, admin, 'sum', {});
  await meter(console, admin, 'count', { aggregation: 'count' });
  await meter(console, admin, 'by-region', { dimensions: ['region'] });
  const owners = await organizations(pool, 20);
  const sideOf = async (name: string, keys: readonly string[]) =>
    subscribe(
      pool,
      owners,
      await service(
        console,
        admin,
        name,
        keys.map((key) => usageCharge(key, key)),
      ),
    );
  const [single, triple] = [
    await sideOf('One', ['sum']),
    await sideOf('Three', ['sum', 'count', 'by-region']),
  ];
  const { secret = '' } = await api(console.address, 'POST', '/admin/api-keys', { name: 'bench' }, admin);
  let number = 0;
  const batch = (subscriptions: readonly string[]): Buffer =>
    Buffer.from(
      JSON.stringify(
        Array.from({ length: batchSize }, () => {
          number++;
          return {
            specversion: '1.0',
            id: String(number),
            source: '/bench',
            type: 'bench',
            subject: subscriptions[number % subscriptions.length],
            time: new Date(Date.now() - (number % 3_600_000)).toISOString(),
            data: { value: '1.5', region: regions[number % regions.length] },
          };
        }),
      ),
    );
  const run = async (subscriptions: readonly string[]): Promise<number> => {
    const batches = Array.from({ length: batchesPerRound }, () => batch(subscriptions));
    const began = performance.now();
    await Promise.all(
      Array.from({ length: callers }, async () => {
        for (let body = batches.pop(); body !== undefined; body = batches.pop())
          await post(`${console.address}/api/usage/events`, secret, body);
      }),
    );
    return (batchesPerRound * batchSize) / ((performance.now() - began) / 1000);
  };
  for (let round = 0; round < 4; round++) {
    await run(single);
    await run(triple);
  }
  const { a, b, ratios } = await pairs(
    5,
    () => run(triple),
    () => run(single),
  );
  print('events/s that feed three meters', a, 'events/s');
  print('events/s that feed one', b, 'events/s');
  print('ratio', ratios, '×', { atLeast: 0.6 });
}

const closed = ['2024-01', '2024-02', '2024-03'];

/** Lines a second of closes where each subscription has so many charges. */
async function closeOf(charges: number, subscriptions: number): Promise<number[]> {
  const rates: number[] = [];
  await onConsole(async (console, admin, pool) => {
    const keys = Array.from({ length: charges }, (_, index) => `m${index}`);
    for (const [index, key] of keys.entries())
      await meter(console, admin, key, { eventType: `bench${index}` });
    const serviceId = await service(
      console,
      admin,
      'Close',
      keys.map((key) => usageCharge(key, key)),
    );
    await pool.query('alter table price_version disable trigger user');
    await pool.query(`update price_version set effective_from = '2023-01-01'`);
    const owned = await subscribe(pool, await organizations(pool, subscriptions), serviceId);
    // The first charge's meter is the service's own one.
    for (const month of closed)
      await pool.query(
        `insert into usage_month (subscription_id, meter, month, event_count, sum, max, min, last_value, last_at, last_event)
        select s.id, k.meter, $3, 100, (('x' || substr(md5(s.id || k.meter), 1, 6))::bit(24)::int % 100000) / 7.0, 5, 1, 5, now(), '' from unnest($1::text[]) as s (id) cross join unnest($2::text[]) as k (meter)`,
        [owned, ['', ...keys.slice(1)], month],
      );
    await pool.query('analyze');
    for (const month of closed) rates.push((await closeOnce(console, admin, month, subscriptions)) * charges);
  });
  return rates;
}

/** Prints the figures of several charges against one. */
export async function benchCharges(): Promise<void> {
  await onConsole(ingestion);
  const [one, ten] = [await closeOf(1, 10_000), await closeOf(10, 5_000)];
  print('lines/s of a close, one charge a subscription', one, 'lines/s');
  print('lines/s of a close, ten charges', ten, 'lines/s');
  print(
    'ten against one',
    ten.map((rate, index) => rate / (one[index] ?? 1)),
    '×',
    { atLeast: 0.5 },
  );
}
