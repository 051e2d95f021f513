// Several charges on a subscription: ingestion of events that feed three meters, the close of ten charges, and figures by dimension.
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
import { pairs, percentile, print } from './figures.ts';
import { post } from './ingest.ts';

const id = (prefix: IdPrefix): string =>
  encodeId(prefix, Date.parse('2023-12-01T00:00:00Z'), randomBytes(10));
const ids = (prefix: IdPrefix, count: number): string[] => Array.from({ length: count }, () => id(prefix));

type Price = Readonly<Record<string, unknown>>;
const usageCharge = (
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

async function meter(console: BenchConsole, admin: string, key: string, more: object): Promise<void> {
  await api(
    console.address,
    'POST',
    '/admin/meters',
    { key, name: key, eventType: 'bench', aggregation: 'sum', unit: 'GB', dimensions: [], ...more },
    admin,
  );
}

async function service(
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

async function subscribe(
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

async function onConsole(
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
const regions = ['tpe', 'khh', 'nrt', 'fra', 'iad'];

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

const figures = [
  ['statistics of a month', '/usage/statistics?month=2024-09'],
  ['explored, a month by charge', '/usage/explore?from=2024-09-01&to=2024-09-30&groupBy=charge'],
  [
    'explored, a month by a dimension',
    '/usage/explore?from=2024-09-01&to=2024-09-30&groupBy=dimension%3Aregion',
  ],
] as const;
const cardsOwned = 5;
const days = 184;

/** Figures by charge and by dimension over ten million events, generated in the rollups. */
async function byDimension(console: BenchConsole, admin: string, pool: pg.Pool): Promise<void> {
  await meter(console, admin, 'calls', { aggregation: 'count' });
  await meter(console, admin, 'traffic', { dimensions: ['region', 'size'] });
  await meter(console, admin, 'disk', { aggregation: 'max', dimensions: ['region'] });
  const rates = [
    ...regions.map((region, index) => ({ when: { region }, unitPrice: `0.${index + 1}` })),
    { when: {}, unitPrice: '1' },
  ];
  const serviceIds: string[] = [];
  for (let count = 0; count < cardsOwned; count++)
    serviceIds.push(
      await service(console, admin, `Machines ${count}`, [
        usageCharge('calls', 'calls'),
        usageCharge('traffic', 'traffic', { model: 'matrix', rates }),
        usageCharge('disk', 'disk', { model: 'matrix', rates, tierScope: 'per_value' }),
      ]),
    );
  await pool.query('alter table price_version disable trigger user');
  await pool.query(`update price_version set effective_from = '2023-01-01'`);
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
  const owned: string[] = [];
  for (const serviceId of serviceIds)
    owned.push(...(await subscribe(pool, [user.organizationId], serviceId)));
  const cells = [
    ['', ''],
    ...regions.flatMap((region) =>
      ['s', 'm', 'l', 'xl'].map((size) => ['traffic', JSON.stringify([region, size])]),
    ),
    ...regions.map((region) => ['disk', JSON.stringify([region])]),
  ];
  const inDay = Math.round(10_000_000 / (cardsOwned * days * cells.length));
  await pool.query(
    `insert into usage_day (subscription_id, meter, cell, day, event_count, sum, max, min, last_value, last_at, last_event)
    select s.id, c.meter, c.cell, d.day, $4::bigint, $4::bigint * (1 + abs(hashtext(s.id || c.cell || d.day)) % 100 / 100.0), 1 + abs(hashtext(c.cell || d.day)) % 50, 1, 5, d.day, ''
    from unnest($1::text[]) as s (id) cross join unnest($2::text[], $3::text[]) as c (meter, cell) cross join generate_series('2024-04-01'::date, '2024-10-01'::date, interval '1 day') as d (day)`,
    [owned, cells.map(([of]) => of), cells.map(([, cell]) => cell), inDay],
  );
  await pool.query(
    `insert into usage_month (subscription_id, meter, cell, month, event_count, sum, max, min, last_value, last_at, last_event)
    select subscription_id, meter, cell, to_char(day, 'YYYY-MM'), sum(event_count), sum(sum), max(max), 1, 5, max(last_at), '' from usage_day group by 1, 2, 3, 4`,
  );
  await pool.query('vacuum analyze');
  const paths = [
    ...figures,
    [
      'days of a month by charge and value',
      `/usage/daily?from=2024-09-01&to=2024-09-30&serviceId=${serviceIds[0]}`,
    ],
  ] as const;
  for (const [name, path] of paths) {
    const times: number[] = [];
    for (let call = 0; call < 160; call++) {
      const began = performance.now();
      await api(console.address, 'GET', path, undefined, token);
      // The first calls compile.
      if (call >= 60) times.push(performance.now() - began);
    }
    print(`${name}, 10M events, p50`, [percentile(times, 0.5)], 'ms');
    print('  p99', [percentile(times, 0.99)], 'ms', { atMost: 10 });
  }
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
  await onConsole(byDimension);
}
