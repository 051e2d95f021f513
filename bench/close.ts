// Month close: bills per second over many organizations with three lines each; and a second close that issues
// nothing.
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { encodeId, type IdPrefix } from '../src/kernel/ids.ts';
import { api, openDatabaseOf, residentMb, type BenchConsole } from './console.ts';
import { percentile, print } from './figures.ts';

// With three lines and a tax each, a month's file has a hundred thousand rows.
const organizations = 25_000;
const servicesEach = 3;
const months = ['2024-01', '2024-02', '2024-03'];
// The yardstick bills these months, alternating with the console's: the same rows in the same tables with all
// their checks.
const bareMonths = ['2025-01', '2025-02', '2025-03'];
const bystanderMonth = '2025-06';
const manyOrganizations = 333_334;
const perFill = 20_000;
// What the file of a month's bills holds, row by row.
const copySql = `copy (select b.number, b.month, b.state, b.issued_at, b.due_at, o.name, b.currency, l.kind, l.amount_minor, l.quantity, l.unit, l.unit_price, l.exact_amount, l.subscription_id, l.for_month, l.service_name
  from bill b join organization o on o.id = b.organization_id cross join lateral (select position, kind, amount_minor, quantity, unit, unit_price, exact_amount, subscription_id, for_month, service_name from bill_line where bill_id = b.id
    union all select 2147483647, 'tax', b.tax_minor, 1, '', null, null, '', null, '' where b.tax_minor <> 0) l where b.month = '2024-01' order by b.id, l.position) to stdout csv`;

const at = Date.parse('2023-12-01T00:00:00Z');
const ids = (prefix: IdPrefix, count: number) =>
  Array.from({ length: count }, () => encodeId(prefix, at, randomBytes(10)));

export async function makeServices(
  console: BenchConsole,
  admin: string,
  count = servicesEach,
): Promise<string[]> {
  const services: string[] = [];
  for (let index = 0; index < count; index++) {
    const service = await api(
      console.address,
      'POST',
      '/admin/services',
      {
        name: `Close ${index}`,
        type: 'Bench',
        category: 'Bench',
        pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '0.37' },
        meter: { eventType: 'close', aggregation: 'sum', unit: 'GB' },
      },
      admin,
    );
    services.push(service.id ?? '');
  }
  return services;
}

/** Customers with a subscription of each service and usage in some months. */
export async function fill(
  pool: pg.Pool,
  services: readonly string[],
  count: number,
  ofMonths: readonly string[],
): Promise<void> {
  for (let left = count; left > 0; left -= perFill) {
    const orgs = ids('org', Math.min(left, perFill));
    await pool.query(
      `insert into organization (id, name, time_zone, language, created_at) select id, 'Bench ' || id, 'Asia/Taipei', 'zhTW', now() from unnest($1::text[]) as id`,
      [orgs],
    );
    const owners = orgs.flatMap((org) => services.map(() => org));
    const subscriptions = ids('sub', owners.length);
    await pool.query(
      `insert into subscription (id, organization_id, service_id, state, started_at, created_at) select *, 'active', '2023-12-01', '2023-12-01' from unnest($1::text[], $2::text[], $3::text[])`,
      [subscriptions, owners, orgs.flatMap(() => services)],
    );
    await pool.query(
      `insert into subscription_phase (subscription_id, from_at, service_id, quantity, is_applied) select id, '2023-12-01', service, 1, true from unnest($1::text[], $2::text[]) as s (id, service)`,
      [subscriptions, orgs.flatMap(() => services)],
    );
    for (const month of ofMonths)
      await pool.query(
        `insert into usage_month (subscription_id, month, event_count, sum, max, last_value, last_at) select id, $2, 100, (('x' || substr(md5(id), 1, 6))::bit(24)::int % 100000) / 7.0, 5, 5, now() from unnest($1::text[]) as id`,
        [subscriptions, month],
      );
  }
  await pool.query('analyze');
}

/** Closes a month and returns bills per second. Throws when it did not issue the expected number. */
export async function closeOnce(
  console: BenchConsole,
  admin: string,
  month: string,
  expected: number,
): Promise<number> {
  const began = performance.now();
  const done = (await api(console.address, 'POST', '/admin/billing/close', { month }, admin)) as unknown as {
    issued: number;
    parked: number;
  };
  if (done.issued !== expected || done.parked !== 0)
    throw new Error(`issued ${done.issued} of ${expected}, parked ${done.parked}`);
  return expected / ((performance.now() - began) / 1000);
}

/** Prints the figures of the close. */
export async function benchClose(console: BenchConsole, admin: string): Promise<void> {
  const { pool, close } = await openDatabaseOf(console.dataDir, 2);
  await fill(pool, await makeServices(console, admin), organizations, [
    ...months,
    ...bareMonths,
    bystanderMonth,
  ]);
  const rates: number[] = [];
  const bare: number[] = [];
  const again: number[] = [];
  const [idle, busy]: [number[], number[]] = [[], []];
  for (const [index, month] of months.entries()) {
    const measured = performance.now();
    await closeBySql(pool, bareMonths[index] ?? '');
    bare.push(organizations / ((performance.now() - measured) / 1000));
    rates.push(await closeOnce(console, admin, month, organizations));
    const repeated = performance.now();
    await closeOnce(console, admin, month, 0);
    again.push((performance.now() - repeated) / 1000);
  }
  const first = organizations / (rates[0] ?? 1);
  print(`bills/s of a close, ${organizations} organizations × ${servicesEach} lines`, rates, 'bills/s', {
    atLeast: 3000,
  });
  print('the same by bare set-based SQL, in chunks of 1,000', bare, 'bills/s');
  print(
    'the close against it',
    rates.map((rate, index) => rate / (bare[index] ?? 1)),
    '×',
    { atLeast: 0.6 },
  );
  print(
    'a second close that issues nothing, against the first',
    again.map((seconds) => seconds / first),
    '×',
    { atMost: 0.5 },
  );
  // Other requests during a close: the same list is fetched repeatedly, first at rest and then during a
  // close.
  await askOver(console, admin, idle, performance.now() + 3000);
  const during = { until: Infinity };
  const asking = askOver(console, admin, busy, () => performance.now() > during.until);
  await closeOnce(console, admin, bystanderMonth, organizations);
  during.until = 0;
  await asking;
  print(
    'a list during a close, p99 against at rest',
    [percentile(busy, 0.99) / percentile(idle, 0.99)],
    '×',
    { atMost: 2 },
  );
  const { rows } = await pool.query<{ gaps: string; unbalanced: string }>(
    `select (select count(*) from (select sequence - lag(sequence) over (partition by series order by sequence) as step from bill) s where step <> 1) as gaps, (select coalesce(sum(amount_minor), 0) from ledger_entry) as unbalanced`,
  );
  process.stdout.write(`  gaps in numbers: ${rows[0]?.gaps}, sum of the ledger: ${rows[0]?.unbalanced}\n`);
  await benchExport(console, admin, pool);
  await close();
}

async function askOver(
  console: BenchConsole,
  admin: string,
  times: number[],
  until: number | (() => boolean),
): Promise<void> {
  while (typeof until === 'number' ? performance.now() < until : !until()) {
    const began = performance.now();
    await api(console.address, 'GET', '/admin/bills?limit=25&sort=-issuedAt', undefined, admin);
    times.push(performance.now() - began);
  }
}

/** The bills as CSV against COPY of the same rows to a socket. */
async function benchExport(console: BenchConsole, admin: string, pool: pg.Pool): Promise<void> {
  const [copied, exported, firstBytes, memoryGrowth]: [number[], number[], number[], number[]] = [
    [],
    [],
    [],
    [],
  ];
  let lines = 0;
  for (let round = 0; round < 5; round++) {
    let began = performance.now();
    await pool.query(copySql);
    copied.push((performance.now() - began) / 1000);
    const before = residentMb(console.pid);
    began = performance.now();
    const answer = await fetch(`${console.address}/api/admin/bills/export?format=csv&month=${months[0]}`, {
      headers: { authorization: `Bearer ${admin}` },
    });
    let most = 0;
    let looked = 0;
    const parts: Uint8Array[] = [];
    for await (const chunk of answer.body ?? []) {
      if (parts.length === 0) firstBytes.push(performance.now() - began);
      parts.push(chunk);
      if (performance.now() - looked < 20) continue;
      looked = performance.now();
      most = Math.max(most, residentMb(console.pid));
    }
    exported.push((performance.now() - began) / 1000);
    lines = Buffer.concat(parts).toString('latin1').split('\n').length - 2;
    memoryGrowth.push(most - before);
  }
  print(`CSV of ${lines} lines`, exported, 's');
  print('the same by COPY to a socket', copied, 's');
  print(
    'CSV against COPY',
    exported.map((seconds, index) => seconds / (copied[index] ?? 1)),
    '×',
    { atMost: 2 },
  );
  print('its first byte', firstBytes, 'ms', { atMost: 50 });
  print('resident memory that it adds', memoryGrowth.slice(1), 'MB', { atMost: 16 });
  // A client that disconnects in the middle must free the connection.
  const gone = new AbortController();
  const answer = await fetch(`${console.address}/api/admin/bills/export?format=csv`, {
    headers: { authorization: `Bearer ${admin}` },
    signal: gone.signal,
  });
  await answer.body?.getReader().read();
  gone.abort();
  const left = performance.now();
  for (;;) {
    const { rows } = await pool.query<{ open: string }>(
      `select count(*) as open from pg_stat_activity where state = 'idle in transaction'`,
    );
    if (rows[0]?.open === '0') break;
  }
  print('a client that goes away frees its connection after', [(performance.now() - left) / 1000], 's', {
    atMost: 1,
  });
}

/**
 * Prints how the close grows: bills a second and memory at a million subscriptions against thirty thousand.
 */
export async function benchCloseLong(console: BenchConsole, admin: string): Promise<void> {
  const { pool, close } = await openDatabaseOf(console.dataDir, 2);
  const services = await makeServices(console, admin);
  await fill(pool, services, organizations, [...months]);
  const small = [
    await closeOnce(console, admin, months[0] ?? '', organizations),
    await closeOnce(console, admin, months[1] ?? '', organizations),
  ];
  const before = residentMb(console.pid);
  await fill(pool, services, manyOrganizations - organizations, [months[2] ?? '']);
  const big = await closeOnce(console, admin, months[2] ?? '', manyOrganizations);
  print(`bills/s at ${organizations * servicesEach} subscriptions`, small, 'bills/s');
  print(`bills/s at ${manyOrganizations * servicesEach} subscriptions`, [big], 'bills/s');
  print('against the small one', [big / Math.max(...small)], '×', { atLeast: 0.8 });
  print('resident memory that the big one adds', [residentMb(console.pid) - before], 'MB', { atMost: 32 });
  await close();
}

/**
 * One chunk of the yardstick: prices, rounds, numbers, books and notifies as the console does, in one SQL
 * statement.
 */
const chunkSql = `with due as (select o.id, row_number() over (order by o.id) as place from organization o where o.id > $2 and o.name like 'Bench %' and not exists (select from month_closed c where c.organization_id = o.id and c.month = $1) order by o.id limit 1000),
  line as (select d.id as org, d.place, b.id as sub, s.id as service, s.name, v.id as version, u.sum as quantity, u.sum * (v.pricing->>'unitPrice')::numeric as exact, row_number() over (partition by d.id order by s.name) as position
    from due d join subscription b on b.organization_id = d.id join service s on s.id = b.service_id join price_version v on v.service_id = s.id join usage_month u on u.subscription_id = b.id and u.meter = '' and u.month = $1),
  whole as (select org, place, sum(round(exact))::bigint as net from line group by 1, 2),
  series as (insert into bill_series as b (series, last_number) select 'B-' || replace($1, '-', ''), count(*) from whole on conflict (series) do update set last_number = b.last_number + excluded.last_number returning last_number),
  made as (select 'bil_' || substr(md5(org || $1), 1, 26) as id, 'ltx_' || substr(md5(org || $1), 1, 26) as tx, org, net, round(net * 0.05)::bigint as tax, (select last_number - (select count(*) from whole) from series) + place as number from whole),
  bills as (insert into bill (id, organization_id, month, currency, series, sequence, number, state, period_start, period_end, issued_at, due_at, net_minor, tax_rate, tax_minor, total_minor, buyer, content_hash)
    select id, org, $1, 'TWD', 'B-' || replace($1, '-', ''), number, 'B-' || replace($1, '-', '') || '-' || lpad(number::text, 6, '0'), 'open', now(), now(), now(), now(), net, 5, tax, net + tax, '{"name":"x","taxId":"","address":"","email":""}', encode(sha256(id::bytea), 'hex') from made),
  lines as (insert into bill_line (bill_id, position, kind, subscription_id, service_id, service_name, price_version_id, quantity, unit, unit_price, exact_amount, amount_minor, arithmetic)
    select m.id, l.position, 'usage', l.sub, l.service, l.name, l.version, l.quantity, 'GB', 0.37, l.exact, round(l.exact), jsonb_build_array(jsonb_build_object('kind', 'unit', 'from', null, 'upTo', null, 'quantity', l.quantity::text, 'unitPrice', '0.37', 'amount', l.exact::text)) from made m join line l on l.org = m.org),
  booked as (insert into ledger_transaction (id, kind, reference, at) select tx, 'bill', id, now() from made),
  accounts as (insert into ledger_account (id, kind, organization_id, currency) select 'receivable:' || org || ':TWD', 'receivable', org, 'TWD' from made union all values ('revenue:TWD', 'revenue', null, 'TWD'), ('tax:TWD', 'tax', null, 'TWD') on conflict do nothing),
  closed as (insert into month_closed (organization_id, month, closed_at) select id, $1, now() from due)
  select max(id) as last from due`;
const entriesSql = `insert into ledger_entry (transaction_id, position, account_id, currency, amount_minor)
  select 'ltx_' || substr(b.id, 5), e.position, e.account, 'TWD', e.minor from bill b cross join lateral (values (1, 'receivable:' || b.organization_id || ':TWD', b.total_minor), (2, 'revenue:TWD', -b.net_minor), (3, 'tax:TWD', -b.tax_minor)) as e (position, account, minor)
  where b.month = $1 and b.organization_id > $2 and b.organization_id <= $3`;

/** What the yardstick does for a thousand organizations: their bills, then the entries of these bills. */
export type Chunk = { readonly bills: string; readonly entries: string };

/** Closes a month without the console, only with SQL, one transaction per chunk. */
export async function closeBySql(
  pool: pg.Pool,
  month: string,
  chunk: Chunk = { bills: chunkSql, entries: entriesSql },
): Promise<void> {
  for (let after = ''; ;) {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const {
        rows: [row],
      } = await client.query<{ last: string | null }>(chunk.bills, [month, after]);
      if (row?.last) await client.query(chunk.entries, [month, after, row.last]);
      await client.query('commit');
      if (!row?.last) return;
      after = row.last;
    } finally {
      client.release();
    }
  }
}
