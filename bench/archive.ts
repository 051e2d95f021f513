// Past months of raw events: how fast they leave the database, what they take, and how long a list of them takes; as files, and in ClickHouse where
// its engine is installed (CHDB_PACKAGES, see tests/support/clickhouse.ts).
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createClient } from '@clickhouse/client';
import type { BillingMonth } from '../src/kernel/shape.ts';
import { readConfig } from '../src/platform/server/config.ts';
import { inAppAt } from '../src/app/cli/app.ts';
import { archiveMonth } from '../src/features/metering/usage/server/archive-events.ts';
import { api, openDatabaseOf, removeData, setUpBench, startBenchConsole } from './console.ts';
import { percentile, print } from './figures.ts';
import { findRunningPostgres } from '../src/platform/server/database/embedded/listen-address.ts';

const month = '2026-01' as BillingMonth;
const events = 1_000_000;
const ownEvents = 10_000;

/** A subscription with so many events of the month, among those of a hundred others. */
async function fill(dataDir: string, subscriptionId: string): Promise<void> {
  const { pool, close } = await openDatabaseOf(dataDir, 1);
  try {
    await pool.query(`select usage_partition('2026-01-01')`);
    await pool.query(`insert into usage_source (organization_id, source) values ('', '/gateways/1')`);
    await pool.query(
      `insert into usage_event (source_id, event_id, subscription_id, time, value, received_at, properties)
      select (select max(id) from usage_source), gen_random_uuid()::text, case when i % $2 = 0 then $1 else 'sub_' || lpad((i % 100)::text, 26, '0') end, at, 1.5 + i % 7, at + interval '250 milliseconds', '{"region": "tpe", "size": "m"}'
      from generate_series(1, $3::int) as i cross join lateral (select timestamptz '2026-01-01' + i * interval '2.6 seconds' as at) as t`,
      [subscriptionId, events / ownEvents, events],
    );
    await pool.query('vacuum analyze usage_event');
  } finally {
    await close();
  }
}

async function benchKind(name: string, eventsUrl?: string): Promise<void> {
  if (eventsUrl !== undefined) process.env['EVENTS_URL'] = eventsUrl;
  const console = await startBenchConsole();
  try {
    const admin = await setUpBench(console);
    const { id: serviceId } = await api(
      console.address,
      'POST',
      '/admin/services',
      {
        name: 'Archive',
        type: 'Bench',
        category: 'Bench',
        pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1' },
        meter: { eventType: 'use', aggregation: 'sum', unit: 'GB' },
      },
      admin,
    );
    await api(console.address, 'POST', '/user/register', {
      email: 'owner@bench.example',
      name: 'Owner',
      password: 'a long enough passphrase',
      organization: 'Bench',
      agreeToTerms: true,
    });
    const { token } = await api(console.address, 'POST', '/user/login', {
      account: 'owner@bench.example',
      password: 'a long enough passphrase',
    });
    const { id } = await api(console.address, 'POST', '/subscriptions', { serviceId }, token);
    await fill(console.dataDir, String(id));
    const running = await findRunningPostgres(console.dataDir);
    if (!running) throw new Error('no database runs there');
    const config = readConfig({ DATA_DIR: console.dataDir, ...(eventsUrl && { EVENTS_URL: eventsUrl }) });
    const began = performance.now();
    await inAppAt(running.connection, config, (app) =>
      archiveMonth(app, month, new AbortController().signal),
    );
    print(
      `${name}: events a second that leave the database, proven`,
      [events / ((performance.now() - began) / 1000)],
      'events/s',
    );
    await running.release();
    const times: number[] = [];
    for (let call = 0; call < 80; call++) {
      const asked = performance.now();
      const { items } = (await api(
        console.address,
        'GET',
        `/usage/events?subscriptionId=${String(id)}&from=2026-01-01&to=2026-01-31&limit=50`,
        undefined,
        token,
      )) as unknown as { items: unknown[] };
      if (items.length !== 50) throw new Error(`a page of ${items.length} events`);
      // The first calls compile.
      if (call >= 20) times.push(performance.now() - asked);
    }
    print(
      `${name}: the first page of a subscription's ${ownEvents} events, p50`,
      [percentile(times, 0.5)],
      'ms',
    );
    print('  p99', [percentile(times, 0.99)], 'ms');
    const { pool, close } = await openDatabaseOf(console.dataDir, 1);
    const { rows } = await pool.query<{ bytes: number }>(
      'select sum(bytes)::float8 as bytes from usage_archive_part',
    );
    await close();
    const bytes = eventsUrl === undefined ? (rows[0]?.bytes ?? 0) : await clickhouseBytes(eventsUrl);
    print(`${name}: bytes an event`, [bytes / events], 'bytes', {
      atMost: eventsUrl === undefined ? 40 : 30,
    });
  } finally {
    await console.stop();
    removeData(console.dataDir);
    delete process.env['EVENTS_URL'];
  }
}

async function clickhouseBytes(url: string): Promise<number> {
  const { host, username, password } = new URL(url);
  const client = createClient({
    url: `http://${host}`,
    username,
    password: decodeURIComponent(password),
    database: 'events',
  });
  await client.command({ query: 'optimize table skytally_usage_event final' });
  const result = await client.query({
    query: `select sum(bytes_on_disk) as bytes from system.parts where table = 'skytally_usage_event' and active`,
    format: 'JSONEachRow',
  });
  const [row] = await result.json<{ bytes: string | number }>();
  await client.close();
  return Number(row?.bytes ?? 0);
}

/** Prints the figures of both places. */
export async function benchArchive(): Promise<void> {
  await benchKind('files');
  const packages = process.env['CHDB_PACKAGES'];
  if (packages === undefined) return;
  const folder = mkdtempSync(join(tmpdir(), 'skytally-bench-'));
  const server = spawn(
    process.execPath,
    [join(import.meta.dirname, '../tests/support/clickhouse-server.mjs'), packages, folder],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    for await (const port of createInterface({ input: server.stdout })) {
      await benchKind(
        'ClickHouse',
        `clickhouse://console:${encodeURIComponent('the password of ClickHouse')}@127.0.0.1:${port}/events`,
      );
      break;
    }
  } finally {
    server.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}
