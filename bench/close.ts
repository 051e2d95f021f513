// Month close: bills per second over many organizations with three lines each; and a second close that issues nothing.
import { randomBytes } from 'node:crypto';
import { encodeId, type IdPrefix } from '../src/kernel/ids.ts';
import { api, openDatabaseOf, type BenchConsole } from './console.ts';
import { print } from './figures.ts';

const organizations = 10_000;
const servicesEach = 3;
const months = ['2024-01', '2024-02', '2024-03'];

/** Prints the figures of the close. */
export async function benchClose(console: BenchConsole, admin: string): Promise<void> {
  const { pool, close } = await openDatabaseOf(console.dataDir, 2);
  const at = Date.parse('2023-12-01T00:00:00Z');
  const ids = (prefix: IdPrefix, count: number) => Array.from({ length: count }, () => encodeId(prefix, at, randomBytes(10)));
  const services: string[] = [];
  for (let index = 0; index < servicesEach; index++) {
    const service = await api(console.address, 'POST', '/admin/services', { name: `Close ${index}`, type: 'Bench', category: 'Bench', pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '0.37' }, meter: { eventType: 'close', aggregation: 'sum', unit: 'GB' } }, admin);
    services.push(service.id ?? '');
  }
  const orgs = ids('org', organizations);
  await pool.query(`insert into organization (id, name, time_zone, language, created_at) select id, 'Bench ' || id, 'Asia/Taipei', 'zhTW', now() from unnest($1::text[]) as id`, [orgs]);
  const owners = orgs.flatMap((org) => services.map(() => org));
  const subscriptions = ids('sub', owners.length);
  await pool.query(`insert into subscription (id, organization_id, service_id, state, started_at, created_at) select *, 'active', '2023-12-01', '2023-12-01' from unnest($1::text[], $2::text[], $3::text[])`, [subscriptions, owners, orgs.flatMap(() => services)]);
  await pool.query(`insert into subscription_phase (subscription_id, from_at, service_id, quantity, is_applied) select id, started_at, service_id, 1, true from subscription`);
  for (const month of months) await pool.query(`insert into usage_month (subscription_id, month, event_count, sum, max, last_value, last_at) select id, $2, 100, (('x' || substr(md5(id), 1, 6))::bit(24)::int % 100000) / 7.0, 5, 5, now() from unnest($1::text[]) as id`, [subscriptions, month]);
  await pool.query('analyze');
  const rates: number[] = [];
  const again: number[] = [];
  for (const month of months) {
    const began = performance.now();
    const first = (await api(console.address, 'POST', '/admin/billing/close', { month }, admin)) as unknown as { issued: number; parked: number };
    rates.push(first.issued / ((performance.now() - began) / 1000));
    if (first.issued !== organizations || first.parked !== 0) throw new Error(`issued ${first.issued}, parked ${first.parked}`);
    const repeated = performance.now();
    const second = (await api(console.address, 'POST', '/admin/billing/close', { month }, admin)) as unknown as { issued: number };
    again.push((performance.now() - repeated) / 1000);
    if (second.issued !== 0) throw new Error('the second close issued bills');
  }
  print(`bills/s of a close, ${organizations} organizations × ${servicesEach} lines`, rates, 'bills/s', { atLeast: 3000 });
  print('a second close that issues nothing', again, 's');
  const { rows } = await pool.query<{ gaps: string; unbalanced: string }>(`select (select count(*) from (select sequence - lag(sequence) over (partition by series order by sequence) as step from bill) s where step <> 1) as gaps, (select coalesce(sum(amount_minor), 0) from ledger_entry) as unbalanced`);
  process.stdout.write(`  gaps in numbers: ${rows[0]?.gaps}, sum of the ledger: ${rows[0]?.unbalanced}\n`);
  await close();
}
