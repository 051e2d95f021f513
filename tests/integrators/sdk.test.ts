// The client for metering as a package: packed, installed and used against a running console; and the
// unchanged examples of its document.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { meteredConsole } from '../support/metered-console.ts';
import { atFileEnd } from '../support/clean-up.ts';
import { createTestConsole, type TestConsole } from '../support/console.ts';
import { codeOf } from '../support/documents.ts';
import { installPacked } from '../support/packed.ts';
import type {
  EventResult,
  MeteringClient as Client,
  MeteringOptions,
} from '../../sdk/typescript-metering/src/index.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'skytally-sdk-'));
atFileEnd(() => rmSync(folder, { recursive: true, force: true }));

let console: TestConsole;
let key: string;
let subscriptionId: Id<'sub'>;
let sdk: typeof import('../../sdk/typescript-metering/src/index.ts');

/** A proxy between client and console that can lose responses, reject, or be slow. */
let disturb: (
  request: IncomingMessage,
  response: ServerResponse,
  count: number,
) => 'pass' | 'lose answer' | 'done';
const bodies: string[] = [];
const proxy = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts);
    bodies.push(body.toString());
    const what = disturb(request, response, bodies.length);
    if (what === 'done') return;
    void fetch(`${console.address}${request.url}`, {
      method: 'POST',
      headers: {
        authorization: request.headers.authorization ?? '',
        'content-type': request.headers['content-type'] ?? '',
      },
      body,
    }).then(async (answer) => {
      const text = await answer.text();
      if (what === 'lose answer') return void response.destroy();
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
    });
  });
});

beforeAll(async () => {
  console = await createTestConsole(new Date());
  ({ key, subscriptionId } = await meteredConsole(console));
  await new Promise<void>((ready) => proxy.listen(0, '127.0.0.1', ready));
  await installPacked('sdk/typescript-metering', folder);
  sdk = (await import(join(folder, 'node_modules/@skytally/metering/dist/index.js'))) as typeof sdk;
}, 120_000);
afterAll(() => void proxy.close());
beforeEach(() => {
  bodies.length = 0;
  disturb = () => 'pass';
});

const open = (more: Partial<MeteringOptions> = {}): Client =>
  new sdk.MeteringClient({
    address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    key,
    source: '/sdk',
    pause: async () => undefined,
    maxDelayMs: 20,
    ...more,
  });
const event = (id: string, more: object = {}) => ({
  id,
  type: 'call',
  subject: subscriptionId,
  data: { value: '1' },
  ...more,
});
async function counted(prefix: string): Promise<number> {
  const { rows } = await sql<{
    sum: string | null;
  }>`select sum(value)::text as sum from usage_event where event_id like ${`${prefix}%`}`.execute(
    console.app.database.kysely,
  );
  return Number(rows[0]?.sum ?? 0);
}
const outcomes = async (client: Client, events: readonly object[]): Promise<EventResult[]> => {
  const sent = [];
  for (const each of events) sent.push(await client.send(each as never));
  await client.close();
  return Promise.all(sent.map(({ result }) => result));
};

describe('the client for metering, as npm packs and installs it', () => {
  it('T-SDK: the package contains its types and its licence, and nothing else of the repository', () => {
    const at = join(folder, 'node_modules/@skytally/metering');
    expect(readdirSync(at).toSorted()).toEqual(['README.md', 'dist', 'package.json']);
    expect(readdirSync(join(at, 'dist')).toSorted()).toEqual(['index.d.ts', 'index.js']);
  });

  it('T-SDK: events are sent in batches limited by number and bytes, in order, and each gets a result', async () => {
    const client = open({ maxBatchEvents: 10 });
    const results = await outcomes(
      client,
      Array.from({ length: 25 }, (_, place) => event(`b${place}`)),
    );
    expect(results.every(({ outcome }) => outcome === 'recorded')).toBe(true);
    expect(bodies.map((body) => (JSON.parse(body) as unknown[]).length)).toEqual([10, 10, 5]);
    bodies.length = 0;
    const bytes =
      JSON.stringify({ specversion: '1.0', source: '/sdk', time: new Date().toISOString(), ...event('y0') })
        .length + 1;
    await outcomes(
      open({ maxBatchBytes: 3 * bytes + 2 }),
      Array.from({ length: 7 }, (_, place) => event(`y${place}`)),
    );
    expect(bodies.map((body) => (JSON.parse(body) as unknown[]).length)).toEqual([3, 3, 1]);
    expect(await counted('b')).toBe(25);
  });

  it('T-SDK: a rejected event is reported with code and message, and the others of its batch are recorded', async () => {
    const rejected: string[] = [];
    const client = open({ onResult: ({ outcome, event: { id } }) => void rejected.push(`${id} ${outcome}`) });
    const results = await outcomes(client, [
      event('r1'),
      event('r2', { subject: 'sub_unknown' }),
      event('r3'),
    ]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['recorded', 'rejected', 'recorded']);
    expect(results[1]).toMatchObject({
      code: 'usage.subscription_unknown',
      message: expect.stringMatching(/./),
    });
    expect(rejected).toEqual(['r1 recorded', 'r2 rejected', 'r3 recorded']);
  });

  it('T-SDK: lost responses, errors and temporary rejections are retried with the same ids; everything counts once', async () => {
    const pauses: number[] = [];
    disturb = (request, response, count) => {
      if (count === 1 || count === 4) return 'lose answer';
      if (count === 2) return (request.destroy(), 'done');
      if (count === 3) return (response.writeHead(429, { 'retry-after': '7' }).end('{}'), 'done');
      return 'pass';
    };
    const client = open({ pause: async (ms) => void pauses.push(ms), timeoutMs: 1000 });
    const { event: made } = await client.send({
      type: 'call',
      subject: subscriptionId,
      data: { value: '5' },
    });
    await client.flush();
    const results = await outcomes(client, []);
    expect(results).toEqual([]);
    expect(bodies).toHaveLength(5);
    expect(new Set(bodies).size).toBe(1);
    expect(pauses[2]).toBeGreaterThanOrEqual(7000);
    expect(pauses[0]).toBeGreaterThanOrEqual(250);
    expect(pauses[0]).toBeLessThanOrEqual(500);
    expect(await counted(made.id)).toBe(5);
  });

  it('T-SDK: a rejected key is not retried, and retries end', async () => {
    const [refused] = await outcomes(open({ key: 'wrong' }), [event('k1')]);
    expect(refused).toMatchObject({ outcome: 'failed', error: { status: 401 } });
    expect(bodies).toHaveLength(1);
    disturb = (_request, response) => (response.writeHead(503).end(), 'done');
    const [failed] = await outcomes(open({ maxAttempts: 3 }), [event('k2')]);
    expect(failed).toMatchObject({ outcome: 'failed', error: { status: 503, name: 'MeteringError' } });
    expect(bodies).toHaveLength(4);
  });

  it('T-SDK: while the queue is full, send waits or throws; nothing is lost and nothing beyond the limit waits', async () => {
    const release: (() => void)[] = [];
    disturb = (_request, response) => {
      release.push(() => response.writeHead(200).end('{"data":{"accepted":2,"duplicates":0,"rejected":[]}}'));
      return 'done';
    };
    const client = open({ maxQueuedEvents: 4, maxBatchEvents: 2 });
    for (const id of ['q1', 'q2', 'q3', 'q4']) await client.send(event(id));
    let hasRoom = false;
    const fifth = client.send(event('q5')).then(() => (hasRoom = true));
    await expect.poll(() => release.length).toBe(1);
    expect([client.queued, hasRoom]).toEqual([4, false]);
    release.shift()?.();
    await fifth;
    expect(client.queued).toBeLessThanOrEqual(4);
    const refusing = open({ maxQueuedEvents: 1, whenFull: 'throw' });
    await refusing.send(event('q6'));
    await expect(refusing.send(event('q7'))).rejects.toMatchObject({ name: 'QueueFullError' });
    disturb = () => 'pass';
    const closing = [client.close(), refusing.close()];
    await expect
      .poll(() => (release.splice(0).forEach((each) => each()), client.queued + refusing.queued))
      .toBe(0);
    await Promise.all(closing);
    await expect(client.send(event('q8'))).rejects.toThrow('closed');
  });

  it('T-SDK: closing waits for calls of send that still wait', async () => {
    const client = open({ maxQueuedEvents: 2, maxBatchEvents: 2 });
    const sending = Array.from({ length: 9 }, (_, place) => client.send(event(`w${place}`)));
    await client.close();
    await Promise.all(sending);
    expect(await counted('w')).toBe(9);
    expect(client.queued).toBe(0);
  });

  it('T-SDK: an id that two processes send counts once', async () => {
    const [one, two] = [open(), open()];
    const results = [
      ...(await outcomes(one, [event('own-1')])),
      ...(await outcomes(two, [{ ...event('own-1') }])),
    ];
    expect(await counted('own-1')).toBe(1);
    expect(results[0]?.outcome).toBe('recorded');
  });
});

describe('the unchanged examples of docs/integrator/sdk.md', () => {
  const document = 'docs/integrator/sdk.md';
  const environment = () => ({
    ...process.env,
    SKYTALLY_ADDRESS: console.address,
    SKYTALLY_KEY: key,
    SKYTALLY_SUBSCRIPTION: subscriptionId,
  });
  it('T-SDK: JavaScript', async () => {
    const [code = ''] = codeOf(document, 'js');
    writeFileSync(join(folder, 'example.mjs'), code);
    const { stdout } = await run(process.execPath, ['example.mjs'], { cwd: folder, env: environment() });
    expect(stdout.trim()).toBe('recorded');
  });
  it.skipIf(!existsSync('/usr/bin/curl'))('T-SDK: curl, twice and counted once (needs curl)', async () => {
    const [code = ''] = codeOf(document, 'bash');
    const answers = [];
    for (let count = 0; count < 2; count++)
      answers.push((await run('bash', ['-c', code], { env: environment() })).stdout);
    expect(answers.map((each) => (JSON.parse(each) as { data: unknown }).data)).toEqual([
      { accepted: 1, duplicates: 0, rejected: [] },
      { accepted: 0, duplicates: 1, rejected: [] },
    ]);
    expect(await counted('order-1001')).toBe(2);
  });
  it.skipIf(!existsSync('/usr/bin/python3') && !existsSync('/usr/local/bin/python3'))(
    'T-SDK: Python, with a rejected event in its response (needs python3)',
    async () => {
      const [code = ''] = codeOf(document, 'python');
      writeFileSync(join(folder, 'example.py'), code);
      const { stdout } = await run('python3', ['example.py'], { cwd: folder, env: environment() });
      expect(stdout).toMatch(/^1 usage\.subscription_unknown ./);
    },
  );
});
