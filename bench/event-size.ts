// What an event takes in PostgreSQL: its row and what makes its id count once, indexes included.
// BENCH_EVENTS=3000000 npm run bench -- event-size
import { randomUUID } from 'node:crypto';
import { openDatabaseOf, type BenchConsole } from './console.ts';
import { print } from './figures.ts';
import { batchOf, post, prepare } from './ingest.ts';

const callers = 4;
const batchSize = 1000;
const events = Number(process.env['BENCH_EVENTS'] ?? 300_000);

/** Prints the bytes an event takes, with random ids and with ids that count up. */
export async function benchEventSize(console: BenchConsole, admin: string): Promise<void> {
  const { key, subscriptions } = await prepare(console, admin);
  const { pool, close } = await openDatabaseOf(console.dataDir, 1);
  const bytes = async (): Promise<{ events: number; keys: number }> => {
    const { rows } = await pool.query<{ events: number; keys: number }>(
      `select sum(pg_total_relation_size(relid))::float8 as events, pg_total_relation_size('usage_key')::float8 as keys from pg_partition_tree('usage_event')`,
    );
    return rows[0] ?? { events: 0, keys: 0 };
  };
  let number = 0;
  const send = async (idOf?: (number: number) => string): Promise<void> => {
    let left = events / batchSize;
    await Promise.all(
      Array.from({ length: callers }, async () => {
        while (left-- > 0) {
          const numbers = Array.from({ length: batchSize }, () => ++number);
          await post(`${console.address}/api/usage/events`, key, batchOf(numbers, subscriptions, idOf));
        }
      }),
    );
  };
  let before = await bytes();
  for (const [name, idOf] of [
    ['random ids (UUID)', () => randomUUID()],
    ['ids that count up', undefined],
  ] as const) {
    await send(idOf);
    const after = await bytes();
    const [row, known] = [(after.events - before.events) / events, (after.keys - before.keys) / events];
    print(`${name}: the event, bytes`, [row], 'bytes');
    print(`${name}: what makes it known, bytes`, [known], 'bytes');
    print(`${name}: bytes an event`, [row + known], 'bytes', { atMost: 200 });
    before = after;
  }
  await close();
}
