// A list page with its exact total, at a thousand, a hundred thousand and a million rows.
import { randomBytes } from 'node:crypto';
import { encodeId } from '../src/kernel/ids.ts';
import { api, openDatabaseOf, type BenchConsole } from './console.ts';
import { startBare } from './bare.ts';
import { median, pairs, percentile, print } from './figures.ts';

const sizes = process.env['BENCH_FULL'] ? [1000, 100_000, 1_000_000] : [1000, 100_000];
const requests = 300;
const connections = 4;
const rounds = 5;

/** Prints median and p99 of the users list and its growth with the number of rows. */
export async function benchList(console: BenchConsole, admin: string): Promise<void> {
  const { pool, close } = await openDatabaseOf(console.dataDir, 2);
  const { rows } = await pool.query<{ id: string }>('select id from organization limit 1');
  const medians: number[] = [];
  let there = 0;
  for (const size of sizes) {
    for (; there < size; there += Math.min(100_000, size - there)) {
      const count = Math.min(100_000, size - there);
      const ids = Array.from({ length: count }, () => encodeId('usr', Date.now(), randomBytes(10)));
      await pool.query(
        `insert into app_user (id, account, name, role, organization_id, language, created_at) select id, id || '@bench.example', 'Bench ' || id, 'User', $2, 'zhTW', now() - make_interval(secs => row_number() over ()) from unnest($1::text[]) as id`,
        [ids, rows[0]?.id],
      );
    }
    await pool.query('analyze app_user');
    const times: number[] = [];
    let left = requests;
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (left-- > 0) {
          const began = performance.now();
          const page = (await api(
            console.address,
            'GET',
            '/admin/users?role=User&limit=25',
            undefined,
            admin,
          )) as unknown as { total: number };
          times.push(performance.now() - began);
          if (page.total < size) throw new Error(`total ${page.total} of ${size}`);
        }
      }),
    );
    medians.push(median(times));
    print(`list of 25 of ${size} users, filtered, exact total: median`, [median(times)], 'ms');
    print(`  p99, ${connections} connections`, [percentile(times, 0.99)], 'ms');
  }
  print(
    'growth of the median from the smallest to the largest',
    [(medians.at(-1) ?? 0) / (medians[0] ?? 1)],
    '×',
    { atMost: 1.3 },
  );
  const bare = await startBare(pool);
  const rate = async (request: () => Promise<unknown>): Promise<number> => {
    let left = requests;
    const began = performance.now();
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (left-- > 0) await request();
      }),
    );
    return requests / ((performance.now() - began) / 1000);
  };
  const own = () =>
    rate(() => api(console.address, 'GET', '/admin/users?role=User&limit=25', undefined, admin));
  const bareList = () => rate(async () => (await fetch(`${bare.address}/list`)).json());
  await own();
  await bareList();
  const result = await pairs(rounds, own, bareList);
  print('lists/s with sign-in, checks and exact total', result.a, 'lists/s');
  print('lists/s of bare Fastify + pg, in the sender’s own process', result.b, 'lists/s');
  print('ratio', result.ratios, '×');
  await bare.close();
  await close();
}
