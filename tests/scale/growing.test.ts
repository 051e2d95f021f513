// From one console with an embedded database to three on a pair of servers, with the commands of
// docs/operator/scale.md, on an installation with customers, events, bills, keys and files; then one of the
// servers is lost.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { allServe, startBalancer } from '../support/balancer.ts';
import { freePort } from '../support/ports.ts';
import { lackedForFailover, startCluster, type Cluster } from '../support/patroni.ts';
import { meteredCustomer, sendEvents, type MeteredCustomer } from '../support/process-metering.ts';
import {
  stopProcess,
  makeDataDir,
  processApi as api,
  signInProcess as signIn,
  startProcess,
  type ProcessConsole,
} from '../support/process.ts';
import { startBucket } from '../support/s3.ts';

const root = resolve(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/operator/scale.md'), 'utf8');
const secretKey = 'the-secret-key-of-a-growing-installation-2c';

type Outcome = { readonly code: number | null; readonly out: string };

/**
 * Runs the line of the guide that contains a text: `NAME=value` before the command and placeholders (`FILE`,
 * `postgres://…`) are replaced by the given values, and nothing else.
 */
async function followGuide(having: string, own: Readonly<Record<string, string>>): Promise<Outcome> {
  const lines = guide.split('\n').filter((line) => line.includes(having) && line.startsWith('   '));
  expect(lines, having).toHaveLength(1);
  const words = (lines[0] ?? '').trim().split(' ');
  const settings = words.filter((word) => /^[A-Z_]+=/.test(word)).map((word) => word.split('=', 1)[0] ?? '');
  const environment = settings.map((name) => [name, own[name] ?? expect.fail(`${name} of: ${having}`)]);
  const command = words.slice(settings.length).map((word) => own[word] ?? word);
  expect(command.filter((word) => word.includes('…'))).toEqual([]);
  const child = spawn(command[0] ?? '', command.slice(1), {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
      ...Object.fromEntries(environment),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      out += bytes.toString('utf8');
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out };
}

/** The bills of all customers: number and total. */
const billsOf = async (console: ProcessConsole, token: string): Promise<string[]> =>
  (
    await api<{ items: { number: string; total: { amount: string } }[] }>(
      console,
      'GET',
      '/admin/bills',
      undefined,
      token,
    )
  ).items.map(({ number, total }) => `${number} ${total.amount}`);

describe.skipIf(lackedForFailover !== undefined)('growing from one console to three on two servers', () => {
  const former = Array.from({ length: 300 }, (_, index) => `former-${index}`);
  const dataDir = makeDataDir();
  let single: ProcessConsole;
  let customer: MeteredCustomer;
  /** Signed in at the single console. */
  let session: string;
  let bills: string[];
  let cluster: Cluster;
  let together: ProcessConsole;

  beforeAll(async () => {
    cluster = await startCluster();
    single = await startProcess(dataDir);
    customer = await meteredCustomer(single);
    await sendEvents(single, customer, former);
    session = await signIn(single);
    // The customer was created forty days ago.
    const earlier = Date.now() - 39 * 86_400_000;
    const billed = { ...customer, time: new Date(earlier).toISOString() };
    await sendEvents(single, billed, ['billed-1', 'billed-2']);
    const month = new Date(earlier + 8 * 3_600_000).toISOString().slice(0, 7);
    await api(single, 'POST', '/admin/billing/close', { month }, session);
    bills = await billsOf(single, session);
  }, 120_000);

  it('each command of the guide does what the guide says', async () => {
    await stopProcess(single);
    const own = {
      DATA_DIR: dataDir,
      DATABASE_URL: cluster.url,
      SECRET_KEY: secretKey,
      'postgres://…': cluster.url,
    };
    const backup = await followGuide('npm run backup', own);
    expect(backup, backup.out).toMatchObject({ code: 0 });
    const file = backup.out.split('\n').find((line) => line.startsWith(dataDir)) ?? '';
    const restored = await followGuide('npm run restore', { ...own, FILE: file });
    expect(restored, restored.out).toMatchObject({ code: 0 });

    const sealed = await followGuide('secrets seal', own);
    expect(sealed, sealed.out).toMatchObject({ code: 0 });
    const bucket = await startBucket();
    const copied = await followGuide('files copy', { ...own, FILES_URL: bucket.url });
    expect(copied, copied.out).toMatchObject({
      code: 0,
      out: expect.stringMatching(/Copied [1-9]\d* files/),
    });
    // Repeating it changes nothing.
    expect((await followGuide('files copy', { ...own, FILES_URL: bucket.url })).out).toMatch(
      /Copied 0 files/,
    );

    const [port, ...ports] = [await freePort(), await freePort(), await freePort(), await freePort()];
    const address = `http://127.0.0.1:${port}`;
    const consoles = await Promise.all(
      ports.map((each) =>
        startProcess(makeDataDir(), cluster.url, {
          SECRET_KEY: secretKey,
          ...bucket.settings,
          PUBLIC_URL: address,
          TRUST_PROXY: '127.0.0.1',
          PORT: String(each),
        }),
      ),
    );
    startBalancer(port, ports);
    await allServe(address, consoles.length);
    together = { ...(consoles[0] ?? expect.fail('no console')), address };
  }, 180_000);

  it('sessions are still valid, bills are the same, repeated events are recognized, files exist', async () => {
    expect(bills).toEqual([expect.stringMatching(/ 2$/)]);
    expect(await billsOf(together, session)).toEqual(bills);
    expect(await sendEvents(together, customer, [...former, 'new-1'])).toMatchObject({
      accepted: 1,
      duplicates: former.length,
    });
    const { items } = await api<{ items: { id: string; fileName: string }[] }>(
      together,
      'GET',
      '/admin/backups',
      undefined,
      await signIn(together),
    );
    expect(readdirSync(join(dataDir, 'backups'))).toEqual(expect.arrayContaining([items[0]?.fileName]));
    const verified = await followGuide('npm run verify', {
      DATABASE_URL: cluster.url,
      SECRET_KEY: secretKey,
    });
    expect(verified, verified.out).toMatchObject({ code: 0 });
  }, 60_000);

  it('when one of the servers is lost, acknowledged events are kept and new ones accepted', async () => {
    const { primary } = await cluster.roles();
    await primary.kill();
    await expect
      .poll(
        () =>
          sendEvents(together, customer, ['new-2']).then(
            ({ accepted, duplicates }) => accepted + duplicates,
            String,
          ),
        {
          timeout: 30_000,
          interval: 200,
        },
      )
      .toBe(1);
    expect(await sendEvents(together, customer, ['new-1', 'new-2', former[0] ?? ''])).toMatchObject({
      accepted: 0,
      duplicates: 3,
    });
    expect(await billsOf(together, await signIn(together))).toEqual(bills);
  }, 60_000);
});
