// P8: whether a subscription may be used further, compared with a bare read of one row; and the rate of
// reservations on one hard limit.
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { api, openDatabaseOf, startBareProcess, type BenchConsole } from './console.ts';
import { pairs, percentile, print } from './figures.ts';

const callers = 8;
const calls = 2000;
const rounds = 9;
const agent = new Agent({ keepAlive: true, maxSockets: 128 });

/** One call over a kept connection; returns its status and duration. */
async function timed(url: string, token?: string, body?: unknown): Promise<{ ms: number; status: number }> {
  const bytes = body === undefined ? undefined : JSON.stringify(body);
  const began = performance.now();
  const sent = request(url, {
    agent,
    method: bytes === undefined ? 'GET' : 'POST',
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(bytes === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(bytes) }),
    },
  });
  sent.end(bytes);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  await text(answer);
  return { ms: performance.now() - began, status: answer.statusCode ?? 0 };
}

/** The times of many calls, in milliseconds. */
async function times(
  atOnce: number,
  count: number,
  call: () => Promise<{ ms: number; status: number }>,
  wanted: readonly number[] = [200],
): Promise<number[]> {
  const all: number[] = [];
  let left = count;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) {
        const { ms, status } = await call();
        if (!wanted.includes(status)) throw new Error(`answered ${status}`);
        all.push(ms);
      }
    }),
  );
  return all;
}

/**
 * Prints p99 and p50 of entitlements compared with the bare read, with open reservations, and reservations
 * per second on one limit.
 */
export async function benchEntitlement(console: BenchConsole, admin: string): Promise<void> {
  const { key, subscription } = await prepare(console, admin);
  const bare = await startBareProcess(console.dataDir);
  const { pool, close } = await openDatabaseOf(console.dataDir, 1);
  await pool.query('analyze');
  await close();
  const url = `${console.address}/api/usage/entitlements/${subscription}`;
  const own = () => times(callers, calls, () => timed(url, key));
  const one = () => times(callers, calls, () => timed(`${bare.address}/one`));
  for (const warm of [own, one]) await warm();
  const middles: number[] = [];
  const p99 = (measure: () => Promise<number[]>, medians?: number[]) => async (): Promise<number> => {
    const all = await measure();
    medians?.push(percentile(all, 0.5));
    return percentile(all, 0.99);
  };
  const bareMiddles: number[] = [];
  const result = await pairs(rounds, p99(own, middles), p99(one, bareMiddles));
  print(`entitlement p99, ${callers} callers`, result.a, 'ms');
  print('bare one-row read p99, in a process of its own', result.b, 'ms');
  print('p99 ratio', result.ratios, '×', { atMost: 3 });
  print(
    'p50 ratio',
    middles.map((middle, round) => middle / (bareMiddles[round] ?? 1)),
    '×',
  );

  const taken: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    const all = await times(64, 1000, () => timed(`${url}/reservations`, key, { quantity: '1' }), [201]);
    taken.push(1000 / ((performance.now() - began) / 1000));
    process.stdout.write(
      `    reservation p50 ${percentile(all, 0.5).toFixed(1)} ms, p99 ${percentile(all, 0.99).toFixed(1)} ms\n`,
    );
  }
  print('reservations on one limit, 64 callers', taken, 'a second');
  await bare.close();
}

/** A subscription with a hard limit, some usage and some reservations. */
async function prepare(
  { address }: BenchConsole,
  admin: string,
): Promise<{ key: string; subscription: string }> {
  await api(address, 'POST', '/user/register', {
    email: 'owner@bench.example',
    name: 'Owner',
    password: 'a long enough passphrase',
    organization: 'Bench',
    agreeToTerms: true,
  });
  const { items } = (await api(address, 'GET', '/admin/organizations', undefined, admin)) as unknown as {
    items: { id: string }[];
  };
  const service = await api(
    address,
    'POST',
    '/admin/services',
    {
      name: 'Bench',
      type: 'Bench',
      category: 'Bench',
      pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '0.01' },
      meter: { eventType: 'bench', aggregation: 'sum', unit: 'requests' },
      quota: { type: 'hard', limit: '1000000000' },
    },
    admin,
  );
  const { id } = await api(
    address,
    'POST',
    '/admin/subscriptions',
    {
      organizationId: items[0]?.id,
      serviceId: service.id,
      startedAt: new Date(Date.now() - 86_400_000).toISOString(),
    },
    admin,
  );
  const { secret } = await api(address, 'POST', '/admin/api-keys', { name: 'bench' }, admin);
  const key = secret ?? '';
  const events = Array.from({ length: 100 }, (_, number) => ({
    specversion: '1.0',
    id: String(number),
    source: '/bench',
    type: 'bench',
    subject: id,
    time: new Date().toISOString(),
    data: { value: '1.5' },
  }));
  await fetch(`${address}/api/usage/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/cloudevents-batch+json', authorization: `Bearer ${key}` },
    body: JSON.stringify(events),
  });
  for (let held = 0; held < 50; held++)
    await timed(`${address}/api/usage/entitlements/${id}/reservations`, key, {
      quantity: '2',
      ttlSeconds: 86_400,
    });
  return { key, subscription: id ?? '' };
}
