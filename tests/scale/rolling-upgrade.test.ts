// A console of the previous release and a new one on one database, as while consoles are replaced one after
// the other: the new one’s migrations only add, so both keep working (docs/operator/scale.md, "Clocks, and
// releases beside each other").
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { dayMs } from '#kernel/durations.ts';
import { atFileEnd } from '../support/clean-up.ts';
import { addressOf, createTestDatabase } from '../support/database.ts';
import { meteredCustomer, sendEvents, type MeteredCustomer } from '../support/process-metering.ts';
import {
  makeDataDir,
  processApi as api,
  signInProcess as signIn,
  startProcess,
  stopProcess,
  type ProcessConsole,
} from '../support/process.ts';

const root = resolve(import.meta.dirname, '../..');
/** The newest commit of the previous release, whose consoles must work beside those of this one. */
const formerRelease = '4f86c90b62e426dfea6b8b1e5e4a96fe145e3882';
const isThere = spawnSync('git', ['cat-file', '-e', `${formerRelease}^{commit}`], { cwd: root }).status === 0;
if (!isThere)
  process.stderr.write(
    'the test of a rolling upgrade is left out: the history of this checkout does not go back far enough\n',
  );

/** The previous release, with the libraries of this one. */
function formerFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'skytally-former-'));
  atFileEnd(() => rmSync(folder, { recursive: true, force: true }));
  const archive = execFileSync('git', ['archive', formerRelease], { cwd: root, maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-x'], { cwd: folder, input: archive });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Numbers, totals and amounts due of all bills, according to a console. */
const billsAt = async (console: ProcessConsole, token: string): Promise<string[]> =>
  (
    await api<{ items: { number: string; total: { amount: string }; due: { amount: string } }[] }>(
      console,
      'GET',
      '/admin/bills?sort=number',
      undefined,
      token,
    )
  ).items.map(({ number, total, due }) => `${number} ${total.amount} ${due.amount}`);

describe.skipIf(!isThere)('a console of the previous release and a new one on one database', () => {
  const settings = { SECRET_KEY: 'the-secret-key-of-two-releases-81d0' };
  const folder = isThere ? formerFolder() : root;
  let url: string;
  let former: ProcessConsole;
  let current: ProcessConsole;
  let customer: MeteredCustomer;
  /** Of an Admin who signed in at the old one. */
  let admin: string;

  beforeAll(async () => {
    url = addressOf((await createTestDatabase({ isEmpty: true })).where);
    former = await startProcess(makeDataDir(), url, settings, folder);
    customer = await meteredCustomer(former);
    admin = await signIn(former);
    await sendEvents(former, customer, ['before-1', 'before-2']);
    // It migrates the database while the other one works on it.
    const [started] = await Promise.all([
      startProcess(makeDataDir(), url, settings),
      ...Array.from({ length: 20 }, (_, index) => sendEvents(former, customer, [`meanwhile-${index}`])),
    ]);
    current = started;
  }, 120_000);

  it('have the same people, events and subscriptions', async () => {
    for (const console of [former, current]) {
      const { items } = await api<{ items: unknown[] }>(
        console,
        'GET',
        '/admin/subscriptions',
        undefined,
        admin,
      );
      expect(items).toHaveLength(1);
      expect(await sendEvents(console, customer, ['before-1', 'before-2', 'meanwhile-19'])).toMatchObject({
        accepted: 0,
        duplicates: 3,
      });
    }
    expect(await sendEvents(former, customer, ['after-1'])).toMatchObject({ accepted: 1 });
    expect(await sendEvents(current, customer, ['after-1', 'after-2'])).toMatchObject({
      accepted: 1,
      duplicates: 1,
    });
  });

  it('bill and accept payments in turn, and show each other’s results', async () => {
    const earlier = { ...customer, time: new Date(Date.now() - 39 * dayMs).toISOString() };
    await sendEvents(
      former,
      earlier,
      Array.from({ length: 100 }, (_, index) => `billed-${index}`),
    );
    const month = new Date(Date.now() - 39 * dayMs + 8 * 3_600_000).toISOString().slice(0, 7);
    await api(former, 'POST', '/admin/billing/close', { month }, admin);
    expect(await api(current, 'POST', '/admin/billing/close', { month }, admin)).toMatchObject({ issued: 0 });
    const owner = await signIn(current, 'owner@one.example');
    const amount = { amount: '50', currency: 'TWD' };
    for (const console of [former, current]) {
      const { id } = await api(console, 'POST', '/billing/top-ups', { amount }, owner);
      const other = console === former ? current : former;
      await api(other, 'POST', `/admin/payments/${id}/confirm`, {}, admin);
    }
    const { items } = await api<{ items: { id: string }[] }>(former, 'GET', '/admin/bills', undefined, admin);
    const billId = items[0]?.id ?? '';
    await api(former, 'POST', `/bills/${billId}/payments`, { method: 'balance', amount }, owner);
    await api(current, 'POST', `/bills/${billId}/payments`, { method: 'balance', amount }, owner);
    expect(await billsAt(former, admin)).toEqual([expect.stringMatching(/-000001 105 5$/)]);
    expect(await billsAt(current, admin)).toEqual(await billsAt(former, admin));
  });

  it('leave correct books; the old one cannot be started again', async () => {
    const verified = spawnSync('npm', ['run', '--silent', 'verify'], {
      cwd: root,
      env: { ...process.env, DATABASE_URL: url, ...settings },
      encoding: 'utf8',
    });
    expect(verified.status, verified.stdout).toBe(0);
    await stopProcess(former);
    const again = spawnSync(
      process.execPath,
      ['--import', './tools/require-node.mjs', 'src/app/cli/start.ts', 'start'],
      {
        cwd: folder,
        env: { ...process.env, DATA_DIR: makeDataDir(), PORT: '0', DATABASE_URL: url, ...settings },
        encoding: 'utf8',
        timeout: 60_000,
      },
    );
    expect([again.status, `${again.stdout}${again.stderr}`]).toEqual([
      expect.any(Number),
      expect.stringContaining('A newer console has changed this database'),
    ]);
    expect(again.status).not.toBe(0);
    expect(await billsAt(current, admin)).toHaveLength(1);
  });
});
