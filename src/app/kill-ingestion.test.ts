// What is acknowledged is durable: a console, or its database, that is killed while events pour in loses none of them and counts none twice.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const setupToken = 'a token of sixteen letters or more';
const dataDir = mkdtempSync(join(tmpdir(), 'skytally-kill-'));
let running: Console | undefined;

type Console = { readonly process: ChildProcess; readonly address: string };

/** A console as an operator starts it, on a database that keeps what it says. */
async function start(): Promise<Console> {
  const child = spawn(process.execPath, ['--import', './tools/require-node.mjs', 'src/app/cli.ts', 'start'], { cwd: root, env: { ...process.env, DATA_DIR: dataDir, PORT: '0', SETUP_TOKEN: setupToken, LOG_LEVEL: 'info' }, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.includes('the console is up')) continue;
    child.stdout.resume();
    running = { process: child, address: (JSON.parse(line) as { address: string }).address };
    return running;
  }
  throw new Error('the console did not start');
}

async function kill({ process: child }: Console): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Kills the database's processes; the console that lost it ends by itself. */
async function killDatabase({ process: child }: Console): Promise<void> {
  const ended = once(child, 'exit');
  process.kill(Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10), 'SIGKILL');
  await ended;
}

afterEach(async () => {
  if (running && running.process.exitCode === null && running.process.signalCode === null) {
    const ended = once(running.process, 'exit');
    running.process.kill('SIGTERM');
    await ended;
  }
  rmSync(dataDir, { recursive: true, force: true });
});

async function api<T = Record<string, string>>({ address }: Console, method: string, path: string, body?: unknown, token?: string): Promise<T> {
  const response = await fetch(`${address}/api${path}`, { method, headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...(token ? { authorization: `Bearer ${token}` } : {}) }, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const answer = (await response.json()) as { data: T; message: string };
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.message}`);
  return answer.data;
}

const password = 'a long enough passphrase';
const signIn = async (console: Console, account: string): Promise<string> => (await api<{ token: string }>(console, 'POST', '/user/login', { account, password })).token;

/** A customer with a metered subscription, and the gateway's key. */
async function setUp(console: Console): Promise<{ key: string; subscriptionId: string }> {
  const basic = { name: 'Skytally', companyPrefix: '', currency: 'TWD', timeZone: 'Asia/Taipei', language: 'zhTW', taxRate: '5' };
  const { token: admin } = await api<{ token: string }>(console, 'POST', '/system/initialization', { setupToken, basic, admin: { account: 'admin@cloud.example', name: 'Operator', password } });
  const { user } = await api<{ user: { organizationId: string } }>(console, 'POST', '/user/register', { email: 'owner@one.example', name: 'Owner', password, organization: 'One', agreeToTerms: true });
  const { id: serviceId } = await api(console, 'POST', '/admin/services', { name: 'Calls', type: 'API', category: 'Own', pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1' }, meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' } }, admin);
  const { id: subscriptionId = '' } = await api(console, 'POST', '/admin/subscriptions', { organizationId: user.organizationId, serviceId, startedAt: new Date(Date.now() - 40 * 86_400_000).toISOString() }, admin);
  return { key: (await api(console, 'POST', '/admin/api-keys', { name: 'gateway' }, admin))['secret'] ?? '', subscriptionId };
}

type Answer = { readonly accepted: number; readonly duplicates: number; readonly rejected: readonly unknown[] };
type Sender = { readonly key: string; readonly subscriptionId: string; readonly time: string };

async function send({ address }: Console, { key, subscriptionId, time }: Sender, ids: readonly string[]): Promise<Answer> {
  const body = JSON.stringify(ids.map((id) => ({ specversion: '1.0', id, source: '/gateway', type: 'call', subject: subscriptionId, time, data: { value: '1' } })));
  const response = await fetch(`${address}/api/usage/events`, { method: 'POST', body, headers: { 'content-type': 'application/cloudevents-batch+json', authorization: `Bearer ${key}` } });
  if (response.status !== 202) throw new Error(String(response.status));
  return ((await response.json()) as { data: Answer }).data;
}

it('R-USE-03, F2: killed while events pour in, a console or its database has every acknowledged event, and each once', async () => {
  let console = await start();
  const sender: Sender = { ...(await setUp(console)), time: new Date(Date.now() - 3_600_000).toISOString() };
  const sent: string[] = [];
  const acknowledged = new Set<string>();
  for (const [round, end] of [kill, killDatabase, kill].entries()) {
    let dying: Promise<void> | undefined;
    // Single events, which are recorded in groups, and batches beside them.
    const callers = Array.from({ length: 12 }, async (_, caller) => {
      const size = caller === 0 ? 250 : 1;
      for (let number = 0; dying === undefined; number++) {
        const ids = Array.from({ length: size }, (_item, index) => `${round}-${caller}-${number}-${index}`);
        sent.push(...ids);
        const answer = await send(console, sender, ids).catch(() => undefined);
        if (answer) for (const id of ids) acknowledged.add(id);
        if (acknowledged.size > (round + 1) * 1500) dying ??= end(console);
      }
    });
    await Promise.all(callers);
    await dying;
    console = await start();
    expect(acknowledged.size).toBeGreaterThan((round + 1) * 1500);
    // Whoever got no answer sends again; what was acknowledged is there already.
    const known = [...acknowledged];
    for (let from = 0; from < known.length; from += 1000) expect(await send(console, sender, known.slice(from, from + 1000))).toEqual({ accepted: 0, duplicates: Math.min(1000, known.length - from), rejected: [] });
    const unanswered = sent.filter((id) => !acknowledged.has(id));
    if (unanswered.length > 0) expect((await send(console, sender, unanswered)).rejected).toEqual([]);
    for (const id of unanswered) acknowledged.add(id);
    const { total } = await api<{ total: number }>(console, 'GET', `/usage/events?subscriptionId=${sender.subscriptionId}&limit=1`, undefined, await signIn(console, 'owner@one.example'));
    expect(total).toBe(sent.length);
  }
}, 180_000);
