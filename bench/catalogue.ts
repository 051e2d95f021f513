// Service management at a thousand and a hundred thousand services: filtered, sorted pages with exact totals,
// searches, and the whole list as a file.
import { randomBytes } from 'node:crypto';
import { encodeId } from '../src/kernel/ids.ts';
import {
  api,
  openDatabaseOf,
  removeData,
  residentMb,
  setUpBench,
  startBenchConsole,
  type BenchConsole,
} from './console.ts';
import { median, pairs, print } from './figures.ts';

const [few, many] = [1000, 100_000];
const requests = 60;
const connections = 4;
const rounds = 7;
const secondPort = 3901;
/** The query, and the share of all services that it finds. */
const lists: readonly (readonly [string, string, number])[] = [
  ['status, by name', 'status=active', 0.5],
  ['type and status, newest first', 'type=Type%203&status=inactive&sort=-createdAt', 0.025],
  ['category, by type', 'category=Category%204&sort=type', 0.1],
  ['release state, by status', 'releaseState=Beta&sort=status', 0.5],
];

/**
 * Prints the median of each list on a console with few and one with many services, measured alternately, and
 * its growth.
 */
export async function benchCatalogue(large: BenchConsole, admin: string): Promise<void> {
  const small = await startBenchConsole(undefined, secondPort);
  try {
    const sides = [
      { console: small, admin: await setUpBench(small), size: few },
      { console: large, admin, size: many },
    ] as const;
    for (const side of sides) await addServices(side.console, side.size);
    const [one, other] = sides.map((side) => (query: string, share?: number) => askFor(side, query, share));
    if (!one || !other) throw new Error('two sides');
    for (const [name, query, share] of lists) {
      // The first rounds plan statements, fill caches and compile the code.
      await one(query, share);
      await other(query, share);
      const { a, b, ratios } = await pairs(
        rounds,
        () => other(query, share),
        () => one(query, share),
      );
      print(`25 of ${few} services, ${name}, exact total`, b, 'ms');
      print(`25 of ${many} services`, a, 'ms');
      print('  growth', ratios, '×', { atMost: 1.3 });
    }
    print(`search in ${many} services`, [await other('q=Service%20777')], 'ms');
    // Each format twice: the first export grows the heap, which is not memory that the list needs.
    for (const format of ['csv', 'csv', 'xlsx', 'xlsx']) await benchExport(large, admin, format);
  } finally {
    await small.stop();
    removeData(small.dataDir);
  }
}

/** The median time of a list's first page. */
async function askFor(
  { console, admin, size }: { console: BenchConsole; admin: string; size: number },
  query: string,
  share?: number,
): Promise<number> {
  const times: number[] = [];
  let left = requests;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (left-- > 0) {
        const began = performance.now();
        const page = (await api(
          console.address,
          'GET',
          `/admin/services?${query}&limit=25`,
          undefined,
          admin,
        )) as unknown as { total: number };
        times.push(performance.now() - began);
        if (share !== undefined && page.total !== size * share)
          throw new Error(`total ${page.total} of ${size * share}`);
      }
    }),
  );
  return median(times);
}

async function benchExport({ address, pid }: BenchConsole, admin: string, format: string): Promise<void> {
  const before = residentMb(pid);
  const began = performance.now();
  const response = await fetch(`${address}/api/admin/services/export?format=${format}`, {
    headers: { authorization: `Bearer ${admin}` },
  });
  let [bytes, most] = [0, 0];
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    most = Math.max(most, residentMb(pid));
  }
  const rows = Number(response.headers.get('x-total-rows'));
  print(
    `export of ${rows} services as ${format}, ${Math.round(bytes / 1e6)} MB`,
    [rows / ((performance.now() - began) / 1000)],
    'rows/s',
  );
  print('  memory of the console before, resident', [before], 'MB');
  print('  most of it meanwhile', [most], 'MB');
}

/** Makes `size` services; every kind has the same share of them. */
async function addServices({ dataDir }: BenchConsole, size: number): Promise<void> {
  const { pool, close } = await openDatabaseOf(dataDir, 1);
  const ids = Array.from({ length: size }, () => encodeId('svc', Date.now(), randomBytes(10)));
  await pool.query(
    `insert into service (id, name, type, category, description, status, release_state, event_type, aggregation, unit, tags, created_at)
    select id, 'Service ' || n, 'Type ' || n % 20, 'Category ' || n % 10, 'What number ' || n || ' is good for', case when n / 20 % 2 = 0 then 'active' else 'inactive' end, case when n % 2 = 0 then 'Beta' else 'Active' end, 'e', 'sum', 'GB', array['tag ' || n % 7], now() - make_interval(secs => n)
    from unnest($1::text[]) with ordinality as s (id, n)`,
    [ids],
  );
  await pool.query(`insert into price_version (id, service_id, effective_from, currency, pricing, created_at)
    select replace(id, 'svc', 'prv'), id, created_at, 'TWD', '{"model":"per_unit","currency":"TWD","unitPrice":"0.0000004"}', created_at from service`);
  await pool.query('analyze service');
  await pool.query('analyze price_version');
  await close();
}
