// A console that is killed while it reads a stream stores each message exactly once.
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { hasKcat, hasNats, produce, startKafka, startNats } from '../support/brokers.ts';
import { atFileEnd } from '../support/clean-up.ts';
import { isLong, faultRounds as rounds } from '../support/fault-rounds.ts';
import { meteredCustomer } from '../support/process-metering.ts';
import {
  killedAndBack,
  makeDataDir,
  processApi as api,
  signInProcess as signIn,
  startProcess,
} from '../support/process.ts';

const dataDir = makeDataDir();
/** Messages of each broker in each round. */
const perRound = 1500;
type Stream = {
  id: string;
  events: number;
  duplicates: number;
  rejected: number;
  messages: number;
  lag: number | null;
};

it.skipIf(!hasNats || !hasKcat)(
  'T-STREAM: killed while reading, a console or its database stores every message of NATS and Kafka exactly once (needs nats-server and kcat)',
  async () => {
    const environment = { PRIVATE_HOSTS: '127.0.0.1' };
    const [nats, kafka] = [await startNats(), await startKafka('usage')];
    const connection = await connect({ servers: `127.0.0.1:${nats.port}` });
    atFileEnd(() => connection.close());
    const manager = await jetstreamManager(connection);
    await manager.streams.add({ name: 'USAGE', subjects: ['usage.>'] });
    const client = jetstream(connection);
    let console = await startProcess(dataDir, undefined, environment);
    const { subscriptionId } = await meteredCustomer(console);
    const admin = (): Promise<string> => signIn(console);
    const make = async (name: string, more: object): Promise<Stream> => {
      const token = await admin();
      const made = await api<Stream>(
        console,
        'POST',
        '/admin/event-streams',
        {
          name,
          authority: '',
          credentials: { kind: 'none' },
          format: 'mapped',
          expression: '{ "subject": s, "type": "call" }',
          start: 'earliest',
          ...more,
        },
        token,
      );
      await api(console, 'POST', `/admin/event-streams/${made.id}/start`, {}, token);
      return made;
    };
    const made = [
      await make('NATS', {
        address: `nats://127.0.0.1:${nats.port}`,
        options: { kind: 'nats', stream: 'USAGE', subject: '', consumer: 'skytally' },
      }),
      await make('Kafka', {
        address: `kafka://127.0.0.1:${kafka.port}`,
        options: { kind: 'kafka', topic: 'usage', group: 'skytally', mechanism: 'PLAIN' },
      }),
    ];
    // The console redelivers the messages of a dead one after half a minute; an ordinary run does not wait
    // for that.
    if (!isLong) {
      await expect
        .poll(() => manager.consumers.info('USAGE', 'skytally').catch(() => undefined), { interval: 50 })
        .toBeDefined();
      await manager.consumers.update('USAGE', 'skytally', { ack_wait: 5_000_000_000 });
    }
    const now = async (token: string): Promise<Stream[]> =>
      Promise.all(
        made.map(({ id }) => api<Stream>(console, 'GET', `/admin/event-streams/${id}`, undefined, token)),
      );
    // The id of an event is the position of its message, so only the position tells two of them apart.
    const message = JSON.stringify({ s: subscriptionId });
    for (let round = 0; round < rounds; round++) {
      const token = await admin();
      const before = await now(token);
      for (let sent = 0; sent < perRound; sent += 500)
        await Promise.all(Array.from({ length: 500 }, () => client.publish('usage.a', message)));
      for (const partition of [0, 1])
        await produce(
          kafka.port,
          'usage',
          Array.from({ length: perRound / 2 }, () => message),
          partition,
        );
      // After both have started with the new messages, at any moment.
      while ((await now(token)).some(({ messages }, place) => messages === before[place]?.messages))
        await pause(10);
      await pause(Math.random() * 150);
      console = await killedAndBack(console, round, environment);
    }
    const total = rounds * perRound;
    const token = await admin();
    // NATS redelivers messages that the last console did not acknowledge after the consumer’s timeout.
    await expect
      .poll(async () => (await now(token)).map(({ events, lag }) => [events, lag]), {
        timeout: 120_000 + rounds * 2000,
        interval: 200,
      })
      .toEqual([
        [total, 0],
        [total, 0],
      ]);
    expect((await now(token)).map(({ rejected }) => rejected)).toEqual([0, 0]);
    const counted = await api<{ total: number }>(
      console,
      'GET',
      `/usage/events?subscriptionId=${subscriptionId}&limit=1`,
      undefined,
      await signIn(console, 'owner@one.example'),
    );
    expect(counted.total).toBe(2 * total);
  },
  240_000 + rounds * 60_000,
);
