// libvirt as in docs/operator/connectors.md: a real Prometheus scrapes what prometheus-libvirt-exporter
// publishes, and connectors with the documented queries count the machines.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { createServer as createHttp } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { hourMs, minuteMs } from '#kernel/durations.ts';
import { connectors } from '#features/metering/connectors/contract.ts';
import { atFileEnd } from '../support/clean-up.ts';
import { adminAccount, createTestConsole, signIn, type TestConsole } from '../support/console.ts';
import { runFeatureJob, stopRepeating } from '../support/jobs.ts';
import { meteredConsole } from '../support/metered-console.ts';
import { hasPrometheus, startPrometheus } from '../support/prometheus.ts';

const exporter = '/usr/bin/prometheus-libvirt-exporter';
const page = readFileSync(new URL('../../docs/operator/connectors.md', import.meta.url), 'utf8');
/** The row of the documentation’s table that begins with this text: mode, query and divisor. */
function documented(purpose: string): { mode: string; query: string; quantity: string; divideBy: string } {
  const row = page.split('\n').find((line) => line.startsWith(`| ${purpose} `)) ?? '';
  const [, , mode = '', query = '', quantity = ''] = row.split('|').map((cell) => cell.trim());
  return {
    mode,
    query: /`([^`]+)`/.exec(query)?.[1] ?? '',
    quantity: /`([^`]+)`/.exec(quantity)?.[1] ?? '',
    divideBy: /divided by (\d+)/.exec(quantity)?.[1] ?? '1',
  };
}
const inventory = /Inventory query: `([^`]+)`/.exec(page)?.[1] ?? '';
const purposes = ['Hours that machines ran', 'Core hours in use', 'Memory in GiB hours', 'Traffic'];
const namesIn = (query: string): string[] => query.match(/libvirt_\w+/g) ?? [];

/** Two complete past hours. */
const until = Math.floor(Date.now() / hourMs) * hourMs;
const from = until - 2 * hourMs;
const running = (minute: number): boolean => minute < 90;

/**
 * A machine that ran for an hour and a half, with one sample per minute: 30 seconds of a core and 1,000 bytes
 * each, in 4 GiB of memory.
 */
function exposition(): string {
  const machine = 'domain="shop",uuid="6695eb01-f6a4-8304-79aa-97f2502e193f"';
  const lines = new Map<string, string[]>();
  const add = (name: string, type: string, labels: string, value: number, at: number): void => {
    const own = lines.get(name) ?? [`# TYPE ${name} ${type}`];
    own.push(`${name}{${labels}} ${value} ${at}`);
    lines.set(name, own);
  };
  for (let minute = -5; minute <= 120; minute++) {
    const at = from + minute * minuteMs;
    // The increase in the minute before a sample counts with it.
    const ran = Math.min(minute, 89);
    add('libvirt_domain_state_code', 'gauge', machine, running(minute) ? 1 : 5, at);
    add('libvirt_domain_info_virtual_cpus', 'gauge', machine, 2, at);
    add('libvirt_domain_info_cpu_time_seconds_total', 'counter', machine, 5000 + ran * 30, at);
    add('libvirt_domain_info_memory_usage_bytes', 'gauge', machine, 4 * 1024 ** 3, at);
    add(
      'libvirt_domain_interface_stats_transmit_bytes_total',
      'counter',
      `${machine},source_bridge="br0",target_device="vnet0"`,
      1_000_000 + ran * 1000,
      at,
    );
  }
  return `${[...lines.values()].flat().join('\n')}\n`;
}

describe.skipIf(!hasPrometheus)('libvirt (Debian: apt install prometheus)', () => {
  let console: TestConsole;
  let admin: string;
  let subscriptionId: Id<'sub'>;
  let address: string;

  beforeAll(async () => {
    const text = exposition();
    const stub = createHttp((_request, response) => response.end(text));
    await new Promise<void>((ready) => stub.listen(0, '127.0.0.1', ready));
    atFileEnd(() => void stub.close());
    address = await startPrometheus('', `127.0.0.1:${(stub.address() as AddressInfo).port}`);
    console = await createTestConsole(new Date(from), { PRIVATE_HOSTS: '127.0.0.1' });
    await stopRepeating(console.app);
    ({ admin, subscriptionId } = await meteredConsole(console));
    // Waits until it has scraped.
    for (let tries = 0; tries < 80 && (await series(inventory, until)).length === 0; tries++)
      await pause(250);
  }, 60_000);

  async function series(query: string, at: number): Promise<{ metric: Record<string, string> }[]> {
    const response = await fetch(
      `${address}/api/v1/query?query=${encodeURIComponent(query)}&time=${at / 1000}`,
    );
    return ((await response.json()) as { data: { result: { metric: Record<string, string> }[] } }).data
      .result;
  }

  it.each([
    ['Hours that machines ran', [1, 0.5]],
    ['Core hours in use', [0.5, 0.25]],
    ['Memory in GiB hours', [4, 4]],
    ['Traffic', [60_000, 30_000]],
  ])('T-CONN: the documented query counts: %s', async (purpose, expected) => {
    const { mode, query, quantity, divideBy } = documented(purpose);
    console.clock.set(new Date(from));
    admin = await signIn(console, adminAccount.account, adminAccount.password);
    const made = await console.ok(
      connectors.createConnector,
      {
        name: purpose,
        address,
        options: {
          kind: 'prometheus',
          mode,
          query,
          resourceLabels: purpose === 'Traffic' ? ['uuid', 'target_device'] : ['uuid'],
        },
        credentials: { kind: 'none' },
        windowSeconds: 3600,
        settleSeconds: 0,
        mapping: {
          subscriptionField: '',
          rules: [{ field: 'labels.domain', value: 'shop', subscriptionId }],
          measures: [{ eventType: 'call', quantity, multiplyBy: '1', divideBy, dimensions: {} }],
        },
      } as never,
      { token: admin },
    );
    console.clock.set(new Date(until));
    await runFeatureJob(console.app, 'connectors');
    const { rows } = await sql<{
      value: string;
    }>`select e.value::text as value from usage_event e join usage_source s on s.id = e.source_id where s.source = ${`/connectors/${made.id}`} order by e.time`.execute(
      console.app.database.kysely,
    );
    expect(rows.map(({ value }) => Number(value))).toEqual(expected);
  });

  it('T-CONN: the documented inventory names a machine by uuid and domain', async () => {
    expect((await series(inventory, until)).map(({ metric }) => metric)).toEqual([
      { domain: 'shop', uuid: '6695eb01-f6a4-8304-79aa-97f2502e193f' },
    ]);
  });
});

describe.skipIf(!existsSync(exporter))(
  'prometheus-libvirt-exporter itself (Debian: apt install prometheus-libvirt-exporter)',
  () => {
    it('T-CONN: publishes the metrics of the documented queries, with a machine’s uuid and domain', async () => {
      const server = createServer();
      await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
      const { port } = server.address() as AddressInfo;
      await new Promise((closed) => server.close(closed));
      // libvirt’s test driver: a machine in memory, no daemon.
      const child = spawn(
        exporter,
        ['--libvirt.uri=test:///default', `--web.listen-address=127.0.0.1:${port}`],
        {
          stdio: 'ignore',
        },
      );
      atFileEnd(() => void child.kill('SIGKILL'));
      const text = await vi.waitFor(
        async () => {
          const found = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
          expect(found).toContain('libvirt_up 1');
          return found;
        },
        { timeout: 20_000, interval: 100 },
      );
      for (const query of [inventory, ...purposes.map((purpose) => documented(purpose).query)]) {
        expect(namesIn(query)).toHaveLength(1);
        const line = text.split('\n').find((each) => each.startsWith(`${namesIn(query)[0]}{`));
        expect(line).toMatch(/domain="test".*uuid="[0-9a-f-]{36}"/);
      }
      expect(text).toMatch(/^libvirt_domain_state_code\{[^}]*\} 1$/m);
      expect(text).toMatch(/^libvirt_domain_interface_stats_transmit_bytes_total\{[^}]*target_device="/m);
    }, 30_000);
  },
);
