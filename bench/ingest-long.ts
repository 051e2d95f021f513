// Ingestion over time: a resend adds nothing, memory stays constant over millions of events, and millions of
// stored events slow nothing down. BENCH_EVENTS=10000000 BENCH_STORED=50000000 npm run bench -- ingest-long
// (half an hour and 20 GB of disk)
import { openDatabaseOf, residentMb, type BenchConsole } from './console.ts';
import { pairs, print, shown } from './figures.ts';
import { batchOf, post, prepare } from './ingest.ts';

const callers = 4;
const batchSize = 1000;
const sent = Number(process.env['BENCH_EVENTS'] ?? 1_000_000);
const stored = Number(process.env['BENCH_STORED'] ?? 5_000_000);
const measured = 100_000;

/** Prints the figures of a long run; environment variables set its length. */
export async function benchIngestLong(console: BenchConsole, admin: string): Promise<void> {
  const { key, subscriptions } = await prepare(console, admin);
  const { pool, close } = await openDatabaseOf(console.dataDir, 2);
  let number = 0;
  const send = async (count: number): Promise<number> => {
    const began = performance.now();
    let left = count / batchSize;
    await Promise.all(
      Array.from({ length: callers }, async () => {
        while (left-- > 0)
          await post(
            `${console.address}/api/usage/events`,
            key,
            batchOf(
              Array.from({ length: batchSize }, () => ++number),
              subscriptions,
            ),
          );
      }),
    );
    return count / ((performance.now() - began) / 1000);
  };
  const countEvents = async (): Promise<number> =>
    Number((await pool.query<{ count: string }>('select count(*) from usage_event')).rows[0]?.count);

  await send(measured);
  const before = await countEvents();
  const body = batchOf(
    Array.from({ length: batchSize }, (_, index) => index + 1),
    subscriptions,
  );
  for (let time = 0; time < 10; time++)
    await post(`${console.address}/api/usage/events`, key, body, { accepted: 0, duplicates: batchSize });
  print('events added by sending 1,000 of them 10 times again', [(await countEvents()) - before], 'events', {
    atMost: 0,
  });

  const memory: number[] = [];
  const parts = 10;
  const speeds: number[] = [];
  for (let part = 0; part < parts; part++) {
    speeds.push(await send(sent / parts));
    memory.push(residentMb(console.pid));
  }
  print(`events/s, ${shown(sent)} in ten parts (making them included)`, speeds, 'events/s');
  print('resident memory after each part', memory, 'MB');
  print('memory after the last part against the second', [(memory.at(-1) ?? 0) / (memory[1] ?? 1)], '×', {
    atMost: 1.1,
  });

  const few = await pairs(
    3,
    () => send(measured),
    async () => 1,
  );
  await fill(pool, subscriptions, stored);
  // Otherwise the writes that the filling left to the database would count as ingestion.
  await send(measured * 3);
  const many = await pairs(
    3,
    () => send(measured),
    async () => 1,
  );
  print('events/s before', few.a, 'events/s');
  print(`events/s with ${shown(stored)} more stored`, many.a, 'events/s');
  print(
    'ratio',
    many.a.map((speed, index) => speed / (few.a[index] ?? 1)),
    '×',
    { atLeast: 0.7 },
  );
  await close();
}

type Pool = Awaited<ReturnType<typeof openDatabaseOf>>['pool'];

/**
 * Events of earlier months, written directly into their tables: into the keys that detect repeats, and into
 * the months.
 */
async function fill(pool: Pool, subscriptions: readonly string[], count: number): Promise<void> {
  const months = 12;
  const chunk = Math.min(1_000_000, count / months);
  const {
    rows: [source],
  } = await pool.query<{ id: number }>(
    `insert into usage_source (organization_id, source) values ('', '/before') returning id`,
  );
  for (let done = 0; done < count; done += chunk) {
    const month = Math.floor((done / count) * months) + 1;
    const time = `date_trunc('month', now()) - interval '${month} months' + (n % 2400000) * interval '1 second'`;
    await pool.query(
      `select usage_partition((date_trunc('month', now()) - interval '${month} months')::date)`,
    );
    // Ids that rise with time, as gateways make them.
    await pool.query(
      `with made as materialized (select ${source?.id}::int as source_id, '${String(done).padStart(12, '0')}-' || lpad(n::text, 8, '0') as event_id, ($1::text[])[1 + n % ${subscriptions.length}] as subscription_id, ${time} as time from generate_series(1, ${chunk}) as n),
      known as (insert into usage_key (source_id, event_id, time, digest) select source_id, event_id, time, hashtext(event_id) from made)
      insert into usage_event (source_id, event_id, subscription_id, time, value, received_at) select source_id, event_id, subscription_id, time, 1.5, time from made`,
      [subscriptions],
    );
    process.stderr.write(`\r  ${shown(done + chunk)} stored`);
  }
  process.stderr.write('\n');
  await pool.query('vacuum analyze usage_key');
  await pool.query('vacuum analyze usage_event');
}
