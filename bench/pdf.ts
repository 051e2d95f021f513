// A bill's PDF over HTTP, fetched repeatedly: how long it takes once the drawing process is warm.
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { encodeId } from '../src/kernel/ids.ts';
import { closeOnce, makeServices } from './close.ts';
import { api, openDatabaseOf, type BenchConsole } from './console.ts';
import { percentile, print } from './figures.ts';

const month = '2024-01';
const at = Date.parse('2023-12-01T00:00:00Z');
const password = 'a long enough passphrase';
const [warmUps, counted] = [20, 60];

/** A customer with this many subscriptions, all used in the month. Returns their token. */
async function customerWith(
  console: BenchConsole,
  pool: pg.Pool,
  services: readonly string[],
  lines: number,
): Promise<string> {
  const account = `pdf-${lines}@bench.example`;
  await api(console.address, 'POST', '/user/register', {
    email: account,
    name: 'Owner',
    password,
    organization: `Bench ${lines}`,
    agreeToTerms: true,
  });
  const {
    rows: [owner],
  } = await pool.query<{ organization: string }>(
    'select organization_id as organization from app_user where account = $1',
    [account],
  );
  const of = Array.from({ length: lines }, (_, index) => ({
    id: encodeId('sub', at, randomBytes(10)),
    service: services[index % services.length],
  }));
  const [ids, chosen] = [of.map(({ id }) => id), of.map(({ service }) => service)];
  await pool.query(
    `insert into subscription (id, organization_id, service_id, state, started_at, created_at) select id, $2, service, 'active', '2023-12-01', '2023-12-01' from unnest($1::text[], $3::text[]) as s (id, service)`,
    [ids, owner?.organization, chosen],
  );
  await pool.query(
    `insert into subscription_phase (subscription_id, from_at, service_id, quantity, is_applied) select id, '2023-12-01', service, 1, true from unnest($1::text[], $2::text[]) as s (id, service)`,
    [ids, chosen],
  );
  await pool.query(
    `insert into usage_month (subscription_id, month, event_count, sum, max, last_value, last_at) select id, $2, 100, (('x' || substr(md5(id), 1, 6))::bit(24)::int % 100000) / 7.0, 5, 5, now() from unnest($1::text[]) as id`,
    [ids, month],
  );
  return (await api(console.address, 'POST', '/user/login', { account, password })).token ?? '';
}

/** Prints how long a bill of three and one of sixty lines takes, and whether repeats give the same file. */
export async function benchPdf(console: BenchConsole, admin: string): Promise<void> {
  const { pool, close } = await openDatabaseOf(console.dataDir, 1);
  const sizes = [3, 60];
  const services = await makeServices(console, admin, Math.max(...sizes));
  const tokens = new Map<number, string>();
  for (const lines of sizes) tokens.set(lines, await customerWith(console, pool, services, lines));
  await closeOnce(console, admin, month, sizes.length);
  for (const [lines, token] of tokens) {
    const {
      items: [bill],
    } = (await api(console.address, 'GET', '/bills', undefined, token)) as unknown as {
      items: readonly { id: string }[];
    };
    const times: number[] = [];
    const files = new Set<string>();
    for (let round = 0; round < warmUps + counted; round++) {
      const began = performance.now();
      const answer = await fetch(`${console.address}/api/bills/${bill?.id}/pdf?language=zhTW`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (answer.status !== 200)
        throw new Error(`the PDF answered ${answer.status}: ${bytes.toString().slice(0, 200)}`);
      files.add(bytes.toString('base64'));
      if (round >= warmUps) times.push(performance.now() - began);
    }
    if (files.size !== 1) throw new Error(`one bill gave ${files.size} different files`);
    print(`a bill of ${lines} lines as PDF, warm`, times, 'ms', { atMost: 60 });
    print('  p90', [percentile(times, 0.9)], 'ms');
  }
  await close();
}
