// A console that is killed while it reads files of events stores each row exactly once.
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { atFileEnd } from '../support/clean-up.ts';
import { faultRounds as rounds, isLong } from '../support/fault-rounds.ts';
import { meteredCustomer } from '../support/process-metering.ts';
import {
  killedAndBack,
  makeDataDir,
  processApi as api,
  signInProcess as signIn,
  startProcess,
} from '../support/process.ts';

const dataDir = makeDataDir();
/** Rows of each round's file: twelve batches of 500, in an ordinary run five. */
const perRound = isLong ? 6000 : 2500;
type Stream = { id: string; events: number; duplicates: number; rejected: number; messages: number };

it(
  'T-STREAM: killed while reading files, a console or its database stores every row exactly once',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'skytally-kill-files-'));
    atFileEnd(() => rmSync(folder, { recursive: true, force: true }));
    const environment = { IMPORT_DIR: folder };
    const at = new Date(Date.now() - 10 * 60_000);
    const write = (round: number): void => {
      const path = join(folder, `${round}.csv`);
      writeFileSync(path, `n\n${Array.from({ length: perRound }, (_, row) => row).join('\n')}\n`);
      utimesSync(path, at, at);
    };
    let console = await startProcess(dataDir, undefined, environment);
    const { subscriptionId } = await meteredCustomer(console);
    const made = await api<Stream>(
      console,
      'POST',
      '/admin/event-streams',
      {
        name: 'Files',
        address: 'folder://',
        authority: '',
        options: { kind: 'files', region: '', endpoint: '' },
        credentials: { kind: 'none' },
        format: 'mapped',
        expression: `{ "subject": "${subscriptionId}", "type": "call" }`,
        start: 'earliest',
      },
      await signIn(console),
    );
    const path = `/admin/event-streams/${made.id}`;
    const now = (token: string): Promise<Stream> => api<Stream>(console, 'GET', path, undefined, token);
    write(0);
    await api(console, 'POST', `${path}/start`, {}, await signIn(console));
    for (let round = 0; round < rounds; round++) {
      const token = await signIn(console);
      // After it has started with this round’s file, at any moment.
      while ((await now(token)).messages <= round * perRound) await pause(10);
      await pause(Math.random() * (perRound / 20));
      write(round + 1);
      console = await killedAndBack(console, round, environment);
    }
    const total = (rounds + 1) * perRound;
    const token = await signIn(console);
    await expect
      .poll(async () => (await now(token)).messages, { timeout: 120_000, interval: 200 })
      .toBeGreaterThanOrEqual(total);
    // Rows and positions are committed together, so no row was even read twice.
    expect(await now(token)).toMatchObject({
      messages: total,
      events: total,
      duplicates: 0,
      rejected: 0,
    });
    const counted = await api<{ total: number }>(
      console,
      'GET',
      `/usage/events?subscriptionId=${subscriptionId}&limit=1`,
      undefined,
      await signIn(console, 'owner@one.example'),
    );
    expect(counted.total).toBe(total);
  },
  240_000 + rounds * 60_000,
);
