// Ingestion: batches of 1,000 events × 4 callers over HTTP, rollups included, against the raw insert on the
// same server.
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type pg from 'pg';
import { rawInsert, rawTable } from './bare.ts';
import { api, openDatabaseOf, startBareProcess, type BenchConsole } from './console.ts';
import { pairs, percentile, print } from './figures.ts';
import { withoutRollups } from './without-rollups.ts';

const batchSize = 1000;
const callers = 4;
const batchesPerRound = 100;
const rounds = 7;
/** Rounds that let the console's code be compiled first. */
const warmUps = 4;
const subscriptionsUsed = 20;

/** Prints the ingestion figures. */
export async function benchIngest(console: BenchConsole, admin: string): Promise<void> {
  const { key, subscriptions } = await prepare(console, admin);
  const { pool, close } = await openDatabaseOf(console.dataDir, callers);
  await pool.query(rawTable);
  let number = 0;
  const next = () =>
    Array.from({ length: batchSize }, () => ({
      id: String(++number),
      subject: subscriptions[number % subscriptions.length] ?? '',
      time: new Date(Date.now() - (number % 3_600_000)),
    }));
  // The bodies are made before the measurement, so that making them counts for neither side.
  const run = async <T>(
    make: (events: BenchEvent[]) => T,
    send: (batch: T) => Promise<void>,
  ): Promise<number> => {
    const batches = Array.from({ length: batchesPerRound }, () => make(next()));
    const began = performance.now();
    await Promise.all(
      Array.from({ length: callers }, async () => {
        for (let batch = batches.pop(); batch !== undefined; batch = batches.pop()) await send(batch);
      }),
    );
    return (batchesPerRound * batchSize) / ((performance.now() - began) / 1000);
  };
  const bare = await startBareProcess(console.dataDir);
  const overHttp = () => run(bodyOf, (body) => post(`${console.address}/api/usage/events`, key, body));
  const overBareHttp = () => run(bodyOf, (body) => post(`${bare.address}/events`, key, body));
  const raw = () => run(columnsOf, (columns) => insertRaw(pool, columns));
  print('first batches of a console that has just started', [await overHttp()], 'events/s');
  for (let round = 0; round < warmUps; round++) await overHttp();
  await raw();
  const result = await pairs(rounds, overHttp, raw);
  print('events/s over HTTP, rollups included', result.a, 'events/s');
  print('events/s raw insert … unnest', result.b, 'events/s');
  print('ratio', result.ratios, '×', { atLeast: 0.5 });
  await withoutRollups(pool, async () => {
    await overHttp();
    print('ratio without rollups', (await pairs(rounds, overHttp, raw)).ratios, '×', { atLeast: 0.8 });
  });
  await overBareHttp();
  print(
    'bare Fastify with the same insert over HTTP, ratio',
    (await pairs(rounds, overBareHttp, raw)).ratios,
    '×',
  );
  await bare.close();
  await trivialMeanwhile(console.address, overHttp);
  await pool.query('drop table bench_event');
  await close();
}

export async function prepare(
  { address }: BenchConsole,
  admin: string,
): Promise<{ key: string; subscriptions: string[] }> {
  await api(address, 'POST', '/user/register', {
    email: 'owner@bench.example',
    name: 'Owner',
    password: 'a long enough passphrase',
    organization: 'Bench',
    agreeToTerms: true,
  });
  const { items } = (await api(address, 'GET', '/admin/organizations', undefined, admin)) as unknown as {
    items: { id: string }[];
  };
  const subscriptions: string[] = [];
  for (let index = 0; index < subscriptionsUsed; index++) {
    const service = await api(
      address,
      'POST',
      '/admin/services',
      {
        name: `Bench ${index}`,
        type: 'Bench',
        category: 'Bench',
        pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '0.01' },
        meter: { eventType: 'bench', aggregation: 'sum', unit: 'requests' },
      },
      admin,
    );
    const subscription = await api(
      address,
      'POST',
      '/admin/subscriptions',
      {
        organizationId: items[0]?.id,
        serviceId: service.id,
        startedAt: new Date(Date.now() - 40 * 86_400_000).toISOString(),
      },
      admin,
    );
    subscriptions.push(subscription.id ?? '');
  }
  const { secret } = await api(address, 'POST', '/admin/api-keys', { name: 'bench' }, admin);
  return { key: secret ?? '', subscriptions };
}

type BenchEvent = { id: string; subject: string; time: Date };

function bodyOf(events: readonly BenchEvent[]): Buffer {
  return Buffer.from(
    JSON.stringify(
      events.map((event) => ({
        specversion: '1.0',
        id: event.id,
        source: '/bench',
        type: 'bench',
        subject: event.subject,
        time: event.time.toISOString(),
        data: { value: '1.5' },
      })),
    ),
  );
}

const countingId = (number: number): string => `e${String(number).padStart(10, '0')}`;
/** Makes a request body of the events with these numbers; their ids count up unless `idOf` makes others. */
export const batchOf = (
  numbers: readonly number[],
  subscriptions: readonly string[],
  idOf: (number: number) => string = countingId,
): Buffer =>
  bodyOf(
    numbers.map((number) => ({
      id: idOf(number),
      subject: subscriptions[number % subscriptions.length] ?? '',
      time: new Date(startedAt - (number % 3_600_000)),
    })),
  );
const startedAt = Date.now();

const agent = new Agent({ keepAlive: true, maxSockets: callers });

/** Sends a prepared body with as little work as possible, because the sender shares the two cores. */
export async function post(
  url: string,
  key: string,
  body: Buffer,
  expected: { accepted: number; duplicates: number } = { accepted: batchSize, duplicates: 0 },
): Promise<void> {
  const sent = request(url, {
    method: 'POST',
    agent,
    headers: {
      'content-type': url.includes('/api/') ? 'application/cloudevents-batch+json' : 'application/json',
      'content-length': body.length,
      authorization: `Bearer ${key}`,
    },
  });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const { data } = JSON.parse(await text(response)) as { data: { accepted: number; duplicates: number } };
  if (data.accepted !== expected.accepted || data.duplicates !== expected.duplicates)
    throw new Error(`${data.accepted} accepted, ${data.duplicates} known`);
}

function columnsOf(events: readonly BenchEvent[]): string[][] {
  return [
    events.map(() => '/bench'),
    events.map((event) => event.id),
    events.map((event) => event.subject),
    events.map((event) => event.time.toISOString()),
    events.map(() => '1.5'),
  ];
}

async function insertRaw(pool: pg.Pool, columns: string[][]): Promise<void> {
  await pool.query({ name: 'raw', text: rawInsert, values: columns });
}

/** Measures how long a trivial endpoint takes during ingestion. */
async function trivialMeanwhile(address: string, load: () => Promise<number>): Promise<void> {
  let running = true;
  const loading = load().finally(() => {
    running = false;
  });
  const times: number[] = [];
  while (running) {
    const began = performance.now();
    await (await fetch(`${address}/healthz`)).arrayBuffer();
    times.push(performance.now() - began);
    await new Promise((done) => setTimeout(done, 5));
  }
  await loading;
  print('trivial endpoint p50 meanwhile', [percentile(times, 0.5)], 'ms');
  print('trivial endpoint p99 meanwhile', [percentile(times, 0.99)], 'ms', { atMost: 25 });
}
