// Faults of live delivery (reliability.md F14, F18): lost connections, clients that do not read, hundreds
// that connect and disconnect.
import { generate } from 'mqtt-packet';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { createTestConsole, registerUser, setUp, type TestConsole } from '../support/console.ts';
import { publish, liveCounts, RawClient } from '../support/live.ts';

let console: TestConsole;
let admin: string;
let user: { token: string; userId: string; organizationId: string };
let usage: string;

beforeAll(async () => {
  console = await createTestConsole();
  admin = await setUp(console);
  user = await registerUser(console, 'owner@one.example', 'One');
  usage = `org/${user.organizationId}/usage`;
});

const listeners = async (): Promise<number[]> => {
  const { rows } = await sql<{
    pid: number;
  }>`select pid from pg_stat_activity where datname = current_database() and application_name = 'skytally live' and wait_event_type = 'Client'`.execute(
    console.app.database.kysely,
  );
  return rows.map(({ pid }) => pid);
};

describe('F14: faults of the live broker', () => {
  it('a killed database connection is restored by itself, and all clients are told to reload', async () => {
    const [person, other] = [
      await RawClient.connect(console, user, [usage, `user/${user.userId}/notifications`]),
      await RawClient.connect(console, user, [usage]),
    ];
    for (let round = 0; round < 3; round++) {
      const before = await listeners();
      expect(before).toHaveLength(1);
      await sql`select pg_terminate_backend(${before[0]})`.execute(console.app.database.kysely);
      // Published while nobody listens: the message is lost, and made up for by the reload.
      await publish(console, usage, { kind: 'usage', lost: round });
      await expect
        .poll(() => person.heard().filter((each) => JSON.stringify(each.message) === '{"kind":"missed"}'))
        .toHaveLength((round + 1) * 2);
      expect(await listeners()).not.toEqual(before);
      await publish(console, usage, { kind: 'usage', round });
      for (const client of [person, other])
        await expect
          .poll(() => client.heard().at(-1))
          .toEqual({ topic: usage, message: { kind: 'usage', round } });
    }
    expect([person.socket.readyState, other.socket.readyState]).toEqual([1, 1]);
  });

  it(
    'a client that does not read is disconnected at a megabyte of backlog; the others lose nothing',
    { timeout: 30_000 },
    async () => {
      const [reader, slow] = [
        await RawClient.connect(console, user, [usage]),
        await RawClient.connect(console, user, [usage]),
      ];
      const before = (await liveCounts(console)).clients;
      slow.socket.pause();
      let sent = 0;
      const rest = 'x'.repeat(7000);
      // Portions that a reader reads before the next one is sent; the kernel’s own buffers hold several
      // megabytes for a slow reader.
      while ((await liveCounts(console)).clients === before && sent < 10_000) {
        await console.app.database.pool.query(
          `select pg_notify('skytally_live', $1 || n || $2) from generate_series($3::int, $4::int) as n`,
          [`{"topics":["${usage}"],"message":{"kind":"usage","n":`, `,"rest":"${rest}"}}`, sent, sent + 49],
        );
        sent += 50;
        await expect.poll(() => reader.news()).toHaveLength(sent);
      }
      expect(sent).toBeLessThan(10_000);
      expect(reader.news().map(({ message }) => (message as { n: number }).n)).toEqual(
        Array.from({ length: sent }, (_, n) => n),
      );
      slow.socket.resume();
      await slow.closed;
      expect(slow.packets.length).toBeLessThan(sent);
      await publish(console, usage, { kind: 'usage', after: true });
      await expect.poll(() => reader.heard().at(-1)?.message).toEqual({ kind: 'usage', after: true });
    },
  );

  it(
    'a sender that does not wait for acknowledgments is throttled while its messages are recorded, and every message is acknowledged',
    { timeout: 30_000 },
    async () => {
      const service = await console.ok(
        catalogue.createService,
        {
          name: 'Calls',
          type: 'API',
          category: 'Own',
          pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1' },
          meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
        },
        { token: admin },
      );
      const { id: subject } = await console.ok(
        subscriptions.adminSubscribe,
        {
          organizationId: user.organizationId as Id<'org'>,
          serviceId: service.id,
          startedAt: new Date('2024-10-01T00:00:00Z'),
        },
        { token: admin },
      );
      const { key, secret } = await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin });
      const client = await RawClient.open(console, { origin: null });
      expect(await client.sendConnect(key.id, secret, 'gw-eager')).toBe(0);
      const count = 3000;
      const publish = (index: number) =>
        generate({
          cmd: 'publish',
          qos: 1,
          dup: false,
          retain: false,
          messageId: index + 1,
          topic: 'usage/events',
          payload: JSON.stringify({
            specversion: '1.0',
            id: `f${index}`,
            source: '/g',
            type: 'call',
            subject,
            time: '2024-10-04T00:00:00Z',
            data: { value: '1' },
          }),
        });
      for (let index = 0; index < count; index++) client.send(publish(index));
      for (let index = 0; index < count; index++)
        expect(await client.next('puback')).toMatchObject({ messageId: index + 1 });
      const { rows } = await sql<{
        count: bigint;
      }>`select count(*) as count from usage_event where subscription_id = ${subject}`.execute(
        console.app.database.kysely,
      );
      expect(Number(rows[0]?.count)).toBe(count);
    },
  );

  it('with quality of service 2, a message that is sent again before its release is recorded once and acknowledged each time', async () => {
    const { key, secret } = await console.ok(
      identity.createApiKey,
      { name: 'exactly once' },
      { token: admin },
    );
    const client = await RawClient.open(console, { origin: null });
    expect(await client.sendConnect(key.id, secret, 'gw')).toBe(0);
    await client.subscribe([`usage/results/${key.id}`]);
    const publish = (dup: boolean) =>
      client.send(
        generate({
          cmd: 'publish',
          qos: 2,
          dup,
          retain: false,
          messageId: 8,
          topic: 'usage/events',
          payload: '[]',
        }),
      );
    publish(false);
    expect(await client.next('pubrec')).toMatchObject({ messageId: 8 });
    publish(true);
    expect(await client.next('pubrec')).toMatchObject({ messageId: 8 });
    client.send(Buffer.from([0x62, 2, 0, 8]));
    expect(await client.next('pubcomp')).toMatchObject({ messageId: 8 });
    await expect.poll(() => client.heard()).toHaveLength(1);
    publish(false);
    await client.next('pubrec');
    await expect.poll(() => client.heard()).toHaveLength(2);
  });
});

describe('F18: hundreds of clients', () => {
  it(
    'a message reaches all 500, which are then disconnected, reconnect together with new tickets, and leave nothing behind',
    { timeout: 60_000 },
    async () => {
      const size = 500;
      // Messages of earlier tests may still be in delivery to the topics of their organization.
      const person = await registerUser(console, 'owner@two.example', 'Two');
      const topic = `org/${person.organizationId}/usage`;
      const before = await liveCounts(console);
      const connectAll = () =>
        Promise.all(Array.from({ length: size }, () => RawClient.connect(console, person, [topic])));
      const first = await connectAll();
      expect(await liveCounts(console)).toEqual({
        clients: before.clients + size,
        subscriptions: before.subscriptions + size,
      });
      await publish(console, topic, { kind: 'usage', to: 'all' });
      for (const client of first)
        await expect.poll(() => client.news()).toEqual([{ topic, message: { kind: 'usage', to: 'all' } }]);
      for (const client of first) client.socket.terminate();
      // Clients that reconnect learn at once that they missed messages.
      const second = await connectAll();
      await publish(console, topic, { kind: 'usage', to: 'the second' });
      for (const client of second)
        await expect
          .poll(() => client.heard())
          .toEqual([
            { topic, message: { kind: 'missed', ago: expect.any(Number) } },
            { topic, message: { kind: 'usage', to: 'the second' } },
          ]);
      for (const client of second) client.socket.terminate();
      await expect.poll(() => liveCounts(console)).toEqual(before);
    },
  );
});
