// What a reader waits for figures by charge and by the values of dimensions over ten million events, generated in the rollups.
import { loadavg } from 'node:os';
import type pg from 'pg';
import { meter, onConsole, regions, service, subscribe, usageCharge } from './charges.ts';
import { api, type BenchConsole } from './console.ts';
import { percentile, print } from './figures.ts';

const figures = [
  ['statistics of a month', '/usage/statistics?month=2024-09'],
  ['explored, a month by charge', '/usage/explore?from=2024-09-01&to=2024-09-30&groupBy=charge'],
  [
    'explored, a month by a dimension',
    '/usage/explore?from=2024-09-01&to=2024-09-30&groupBy=dimension%3Aregion',
  ],
] as const;
const events = 10_000_000;
const cardsOwned = 5;
const days = 184;
/** The first calls compile. */
const warmUps = 300;
const calls = 500;
const connections = 16;
/** Milliseconds that a reader waits at most, 99 times in 100. */
const atMost = 10;

/** An organization with rate cards by dimension, and ten million events of half a year. */
async function prepare(console: BenchConsole, admin: string, pool: pg.Pool) {
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
  const inDay = Math.round(events / (cardsOwned * days * cells.length));
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
  const { secret = '' } = await api(console.address, 'POST', '/admin/api-keys', { name: 'bench' }, admin);
  return { token, owned, serviceIds, secret };
}

/** Milliseconds of each of some calls, as many at a time as there are connections. */
async function timesOf(count: number, atOnce: number, call: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let left = count;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) {
        const began = performance.now();
        await call();
        times.push(performance.now() - began);
      }
    }),
  );
  return times;
}

function printTimes(name: string, times: readonly number[], goal?: number): void {
  print(`${name}, p50`, [percentile(times, 0.5)], 'ms');
  print('  p99', [percentile(times, 0.99)], 'ms', goal === undefined ? undefined : { atMost: goal });
}

/**
 * Prints how long figures take that are asked for again while nothing changes, when each subscription had an event since, and by sixteen
 * readers at once. The goal is that of the first.
 */
async function measure(console: BenchConsole, admin: string, pool: pg.Pool): Promise<void> {
  const { token, owned, serviceIds, secret } = await prepare(console, admin, pool);
  const paths = [
    ...figures,
    [
      'days of a month by charge and value',
      `/usage/daily?from=2024-09-01&to=2024-09-30&serviceId=${serviceIds[0]}`,
    ],
  ] as const;
  let number = 0;
  const change = async (): Promise<void> => {
    number++;
    const sent = owned.map((subject) => ({
      specversion: '1.0',
      id: `${subject} ${number}`,
      source: '/bench',
      type: 'bench',
      subject,
      time: '2024-09-15T04:00:00Z',
      data: { value: '1.5', region: regions[number % regions.length], size: 's' },
    }));
    await api(console.address, 'POST', '/usage/events', sent, secret, 'application/cloudevents-batch+json');
  };
  for (const [name, path] of paths) {
    const call = async (): Promise<unknown> => api(console.address, 'GET', path, undefined, token);
    await timesOf(warmUps, 1, call);
    printTimes(`${name}, 10M events`, await timesOf(calls, 1, call), atMost);
    const changed: number[] = [];
    for (let count = 0; count < calls / 5; count++) {
      await change();
      changed.push(...(await timesOf(1, 1, call)));
    }
    printTimes('  after an event of each subscription', changed);
    printTimes(`  ${connections} readers at once`, await timesOf(calls, connections, call));
  }
  process.stdout.write(`  load of the machine beside it: ${loadavg()[0]?.toFixed(1)}\n`);
}

/** Prints figures by charge and by dimension, as a reader waits for them. */
export const benchByDimension = async (): Promise<void> => onConsole(measure);
