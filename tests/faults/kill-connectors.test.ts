// A console that is killed while it reads time windows stores each of them exactly once.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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
const windowMs = 300_000;
type Connector = { id: string; events: number; readUntil: string; backfill: { from: string } | null };

it(
  'T-CONN: killed while reading, a console or its database stores every window of a backfill exactly once',
  async () => {
    const source = createServer((_request, response) => response.end('[{"name":"vm-1","hours":1}]'));
    await new Promise<void>((ready) => source.listen(0, '127.0.0.1', ready));
    atFileEnd(() => void source.close());
    const environment = { PRIVATE_HOSTS: '127.0.0.1' };
    let console = await startProcess(dataDir, undefined, environment);
    const { subscriptionId } = await meteredCustomer(console);
    const admin = (): Promise<string> => signIn(console);
    const made = await api<Connector>(
      console,
      'POST',
      '/admin/connectors',
      {
        name: 'Cloud',
        address: `http://127.0.0.1:${(source.address() as AddressInfo).port}/?from={start}`,
        options: {
          kind: 'http_json',
          items: '',
          resourceFields: ['name'],
          timeField: '',
          paging: { kind: 'none', parameter: '', first: 1, cursorField: '' },
        },
        credentials: { kind: 'none' },
        windowSeconds: windowMs / 1000,
        settleSeconds: 0,
        mapping: {
          subscriptionField: '',
          rules: [{ field: 'name', value: 'vm-1', subscriptionId }],
          measures: [
            { eventType: 'call', quantity: 'hours', multiplyBy: '1', divideBy: '1', dimensions: {} },
          ],
        },
      },
      await admin(),
    );
    // As many windows as the rounds need, and some more.
    const windows = (isLong ? 30 : 15) * rounds;
    const from = new Date(Date.parse(made.readUntil) - windows * windowMs);
    const path = `/admin/connectors/${made.id}`;
    await api(console, 'POST', `${path}/backfill`, { from: from.toISOString() }, await admin());
    for (let round = 0; round < rounds; round++) {
      const token = await admin();
      // Takes over immediately what the killed process had claimed.
      await api(console, 'POST', `${path}/pull`, {}, token);
      const before = (await api<Connector>(console, 'GET', path, undefined, token)).events;
      while ((await api<Connector>(console, 'GET', path, undefined, token)).events < before + 5)
        await pause(20);
      await pause(Math.random() * 100);
      console = await killedAndBack(console, round, environment);
    }
    let token = await admin();
    let signedInAt = Date.now();
    await api(console, 'POST', `${path}/pull`, {}, token);
    // Reading the rest after many rounds takes longer than a session lasts.
    const now = async (): Promise<Connector> => {
      if (Date.now() - signedInAt > 300_000) {
        token = await admin();
        signedInAt = Date.now();
      }
      return api<Connector>(console, 'GET', path, undefined, token);
    };
    while ((await now()).backfill !== null) await pause(200);
    const { events, readUntil } = await now();
    expect(events).toBe((Date.parse(readUntil) - from.getTime()) / windowMs);
    const owner = await signIn(console, 'owner@one.example');
    // Every window that ends is read meanwhile, so one may have been added between the two responses.
    await expect
      .poll(async () => {
        const read = (await now()).events;
        const { total } = await api<{ total: number }>(
          console,
          'GET',
          `/usage/events?subscriptionId=${subscriptionId}&limit=1`,
          undefined,
          owner,
        );
        return total - read;
      })
      .toBe(0);
  },
  180_000 + rounds * 30_000,
);
