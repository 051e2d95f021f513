// Single events over HTTP at 64 connections, each acknowledged after its commit, against one connection that
// inserts row by row.
import { rawTable } from './bare.ts';
import { openDatabaseOf, startBareProcess, type BenchConsole } from './console.ts';
import { pairs, percentile, print } from './figures.ts';
import { prepare } from './ingest.ts';
import { LeanConnection, leanRequest } from './lean-client.ts';
import { withoutRollups } from './without-rollups.ts';

const connections = 64;
const events = 10_000;
const rawEvents = 2000;
const rounds = 5;
/** Rounds that let the console's code be compiled first. */
const warmUps = 3;

/** Prints the figures of single events. */
export async function benchSingle(console: BenchConsole, admin: string): Promise<void> {
  const { key, subscriptions } = await prepare(console, admin);
  const { pool, close } = await openDatabaseOf(console.dataDir, 1);
  await pool.query(rawTable);
  let number = 0;
  const times: number[] = [];
  const body = (): string =>
    JSON.stringify({
      specversion: '1.0',
      id: String(++number),
      source: '/bench',
      type: 'bench',
      subject: subscriptions[number % subscriptions.length],
      time: new Date(Date.now() - (number % 3_600_000)).toISOString(),
      data: { value: '1.5' },
    });
  const bare = await startBareProcess(console.dataDir);
  // The requests are made before the measurement, so that making them counts for neither side.
  const over = async (url: string): Promise<number> => {
    const headers = {
      'content-type': url.includes('/api/') ? 'application/cloudevents+json' : 'application/json',
      authorization: `Bearer ${key}`,
    };
    const requests = Array.from({ length: events }, () => leanRequest(url, body(), headers));
    const open = await Promise.all(Array.from({ length: connections }, () => LeanConnection.open(url)));
    const began = performance.now();
    await Promise.all(
      open.map(async (connection) => {
        for (let request = requests.pop(); request !== undefined; request = requests.pop()) {
          const sentAt = performance.now();
          const answer = await connection.send(request);
          times.push(performance.now() - sentAt);
          if (!answer.includes('"accepted":1')) throw new Error(answer);
        }
      }),
    );
    const rate = events / ((performance.now() - began) / 1000);
    for (const connection of open) connection.close();
    return rate;
  };
  const overHttp = () => over(`${console.address}/api/usage/events`);
  const nothing = () => over(`${bare.address}/nothing`);
  const raw = async (): Promise<number> => {
    const began = performance.now();
    for (let index = 0; index < rawEvents; index++) {
      await pool.query({
        name: 'single',
        text: `insert into bench_event values ($1, $2, $3, $4, $5, now(), null) on conflict do nothing`,
        values: ['/bench', String(++number), subscriptions[number % subscriptions.length], new Date(), '1.5'],
      });
    }
    return rawEvents / ((performance.now() - began) / 1000);
  };
  print('first events of a console that has just started', [await overHttp()], 'events/s');
  for (let round = 0; round < warmUps; round++) await overHttp();
  await raw();
  times.length = 0;
  const result = await pairs(rounds, overHttp, raw);
  print(`single events over HTTP, ${connections} connections`, result.a, 'events/s');
  print('raw single-row insert, one connection', result.b, 'events/s');
  print('ratio', result.ratios, '×', { atLeast: 2 });
  print('acknowledged, p50', [percentile(times, 0.5)], 'ms');
  print('acknowledged, p99', [percentile(times, 0.99)], 'ms', { atMost: 15 });
  await withoutRollups(pool, async () => {
    await overHttp();
    print('ratio without rollups', (await pairs(rounds, overHttp, raw)).ratios, '×', { atLeast: 3 });
  });
  // The upper limit for any server on this machine: read an event and answer, without a database.
  await nothing();
  print(
    'bare Fastify that reads and answers, stores nothing: ratio',
    (await pairs(rounds, nothing, raw)).ratios,
    '×',
  );
  await bare.close();
  await pool.query('drop table bench_event');
  await close();
}
