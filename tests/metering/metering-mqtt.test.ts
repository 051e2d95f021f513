// Metering over MQTT: acknowledged means durable, a repeat counts once, and a key publishes for its own
// organization and receives nothing else.
import { sql } from 'kysely';
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Id } from '#kernel/ids.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { signin } from '#features/access/signin/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import {
  createTestConsole,
  registerUser,
  setUp,
  userPassword,
  type TestConsole,
} from '../support/console.ts';

type Key = { keyId: string; secret: string };
let console: TestConsole;
let admin: string;
let user: { token: string; organizationId: string; userId: string };
let one: string;
let two: string;
let platform: Key;
let own: Key;
const open: MqttClient[] = [];

const makeKey = async (organizationId: string | null, more: object = {}): Promise<Key> => {
  const { key, secret } = await console.ok(
    identity.createApiKey,
    {
      name: 'gateway',
      ...(organizationId === null ? {} : { organizationId: organizationId as Id<'org'> }),
      ...more,
    },
    { token: admin },
  );
  return { keyId: key.id, secret };
};

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-09-20T00:00:00Z'));
  admin = await setUp(console);
  user = await registerUser(console, 'owner@one.example', 'One');
  const other = await registerUser(console, 'owner@two.example', 'Two');
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
  const made = await Promise.all(
    [user, other].map((each) =>
      console.ok(
        subscriptions.adminSubscribe,
        {
          organizationId: each.organizationId as Id<'org'>,
          serviceId: service.id,
          startedAt: new Date('2024-08-31T16:00:00Z'),
        },
        { token: admin },
      ),
    ),
  );
  one = made[0]?.id ?? '';
  two = made[1]?.id ?? '';
  platform = await makeKey(null);
  own = await makeKey(user.organizationId);
});
afterAll(async () => {
  await Promise.all(open.map((client) => client.endAsync(true)));
});

const event = (id: string, value: unknown = '1', more: object = {}) => ({
  specversion: '1.0',
  id,
  source: '/gateway',
  type: 'call',
  subject: one,
  time: '2024-09-10T00:00:00Z',
  data: { value },
  ...more,
});
const json = (body: unknown): string => JSON.stringify(body);

/** A gateway: like any MQTT client outside browsers it sends no Origin header. */
async function connect(key: Key, options: IClientOptions = {}): Promise<MqttClient> {
  const client = mqtt.connect(`${console.address.replace('http', 'ws')}/mqtt`, {
    protocolVersion: 4,
    username: key.keyId,
    password: key.secret,
    reconnectPeriod: 0,
    connectTimeout: 3000,
    ...options,
  });
  open.push(client);
  await new Promise<void>((connected, refused) => {
    client.once('connect', () => connected());
    client.once('error', refused);
    client.once('close', () => refused(new Error('closed')));
  });
  client.on('error', () => undefined);
  return client;
}

/** Subscribes to the key’s own results. */
async function resultsOf(client: MqttClient, keyId: string): Promise<Record<string, unknown>[]> {
  const heard: Record<string, unknown>[] = [];
  client.on('message', (topic, payload) => {
    expect(topic).toBe(`usage/results/${keyId}`);
    heard.push(JSON.parse(payload.toString()) as Record<string, unknown>);
  });
  await client.subscribeAsync(`usage/results/${keyId}`);
  return heard;
}
const send = (client: MqttClient, body: unknown, qos: 0 | 1 | 2 = 1) =>
  client.publishAsync('usage/events', typeof body === 'string' ? body : json(body), { qos });
const countOf = async (subscriptionId: string, prefix: string): Promise<number> => {
  const { rows } = await sql<{
    count: bigint;
  }>`select count(*) as count from usage_event where subscription_id = ${subscriptionId} and event_id like ${`${prefix}%`}`.execute(
    console.app.database.kysely,
  );
  return Number(rows[0]?.count);
};
const sumOf = async (subscriptionId: string): Promise<string> => {
  const { rows } = await sql<{
    sum: string;
  }>`select coalesce(sum(sum), 0)::text as sum from usage_month where subscription_id = ${subscriptionId}`.execute(
    console.app.database.kysely,
  );
  return rows[0]?.sum ?? '';
};
const isClosed = (client: MqttClient) => expect.poll(() => client.connected).toBe(false);

describe('R-USE-03: metering over MQTT', () => {
  it('accepts a structured CloudEvent and responds on the key’s own topic; the same event over HTTP is a duplicate', async () => {
    const client = await connect(own, { clientId: 'gw-7' });
    const heard = await resultsOf(client, own.keyId);
    await send(client, event('a'));
    await expect.poll(() => heard).toHaveLength(1);
    expect(heard[0]).toEqual({
      accepted: 1,
      duplicates: 0,
      rejected: [],
      clientId: 'gw-7',
      messageId: expect.any(Number) as number,
    });
    expect(await countOf(one, 'a')).toBe(1);
    const again = await console.ok(
      usage.ingest,
      {},
      {
        token: own.secret,
        body: json(event('a')),
        headers: { 'content-type': 'application/cloudevents+json' },
      },
    );
    expect(again).toEqual({ accepted: 0, duplicates: 1, rejected: [] });
  });

  it('accepts a batch, keeps its good items and names each bad one; an unreadable message is answered, not redelivered forever', async () => {
    const client = await connect(own);
    const heard = await resultsOf(client, own.keyId);
    await send(client, [event('b1'), event('b2', 'much'), event('b1'), event('b3', '1', { type: 'other' })]);
    await send(client, '{"value":');
    await send(client, '[]');
    await send(client, event('b4'), 0);
    await send(client, event('b5'), 2);
    await expect.poll(() => heard).toHaveLength(5);
    expect(
      heard.map(({ accepted, duplicates, rejected }) => [
        accepted,
        duplicates,
        (rejected as { index: number; id: string | null; code: string; message: string }[]).map(
          (each) => `${each.index} ${each.id} ${each.code}`,
        ),
      ]),
    ).toEqual([
      [1, 1, ['1 b2 usage.value_no_decimal', '3 b3 usage.event_type_unknown']],
      [0, 0, ['0 null usage.malformed']],
      [0, 0, []],
      [1, 0, []],
      [1, 0, []],
    ]);
    expect(heard[3]?.['messageId']).toBeNull();
    expect(await countOf(one, 'b')).toBe(3);
  });

  it('acknowledges only what is recorded: after an error the client reconnects, sends again, and the event counts once', async () => {
    const { kysely } = console.app.database;
    await sql`create function pg_temp_boom() returns trigger language plpgsql as $$ begin raise exception 'the disk is full'; end $$`.execute(
      kysely,
    );
    await sql`create trigger boom before insert on usage_hour for each statement execute function pg_temp_boom()`.execute(
      kysely,
    );
    const before = Number(await sumOf(one));
    const client = await connect(own, { reconnectPeriod: 50, clientId: 'gw-fault' });
    let isAcknowledged = false;
    let losses = 0;
    client.on('close', () => losses++);
    const sent = send(client, event('c', '5')).then(() => (isAcknowledged = true));
    await expect.poll(() => losses).toBeGreaterThan(1);
    expect([isAcknowledged, await countOf(one, 'c')]).toEqual([false, 0]);
    await sql`drop trigger boom on usage_hour`.execute(kysely);
    await sent;
    expect([await countOf(one, 'c'), Number(await sumOf(one)) - before]).toEqual([1, 5]);
    await client.endAsync(true);
  });

  it('loses and duplicates nothing when a connection breaks before the acknowledgment', async () => {
    const before = Number(await sumOf(one));
    const held = await console.app.database.kysely.startTransaction().execute();
    await sql`lock table usage_hour in access exclusive mode`.execute(held);
    const client = await connect(own, { reconnectPeriod: 50, clientId: 'gw-kill', clean: false });
    const sent = Promise.all(Array.from({ length: 20 }, (_, index) => send(client, event(`d${index}`, '2'))));
    // The transaction waits for the lock when the connection is cut: it commits afterwards, and the response
    // is lost.
    await expect
      .poll(
        async () =>
          (
            await sql`select 1 from pg_locks where not granted and relation = 'usage_hour'::regclass`.execute(
              console.app.database.kysely,
            )
          ).rows,
      )
      .not.toHaveLength(0);
    client.stream.destroy();
    await expect.poll(() => client.connected).toBe(false);
    await held.rollback().execute();
    await sent;
    expect([await countOf(one, 'd'), Number(await sumOf(one)) - before]).toEqual([20, 40]);
    await client.endAsync(true);
  });

  it('acknowledges in the order of the messages, however many are in flight', async () => {
    const client = await connect(own);
    const order: string[] = [];
    client.on('packetsend', (packet) => packet.cmd === 'publish' && order.push(`> ${packet.messageId}`));
    client.on('packetreceive', (packet) => packet.cmd === 'puback' && order.push(`< ${packet.messageId}`));
    await Promise.all(Array.from({ length: 300 }, (_, index) => send(client, event(`e${index}`))));
    const sentOrder = order.filter((each) => each.startsWith('>')).map((each) => each.slice(2));
    expect(order.filter((each) => each.startsWith('<')).map((each) => each.slice(2))).toEqual(sentOrder);
    expect(await countOf(one, 'e')).toBe(300);
  });

  it('allows the same client id with different keys; with the same key the newer connection takes over and continues', async () => {
    const elsewhere = await connect(platform, { clientId: 'gw' });
    const first = await connect(own, { clientId: 'gw' });
    const second = await connect(own, { clientId: 'gw' });
    await isClosed(first);
    const heard = await resultsOf(second, own.keyId);
    await send(second, event('f1'));
    await send(elsewhere, event('f2'));
    await expect.poll(() => heard).toHaveLength(1);
    expect([second.connected, elsewhere.connected, await countOf(one, 'f')]).toEqual([true, true, 2]);
  });
});

describe('2.C: an API key over MQTT', () => {
  it('writes only its own organization’s usage; a subscription of another one does not exist', async () => {
    const client = await connect(own);
    const heard = await resultsOf(client, own.keyId);
    await send(client, [event('g1', '1', { subject: two }), event('g2', '1', { subject: 'sub_nobody' })]);
    await expect.poll(() => heard).toHaveLength(1);
    expect(heard).toMatchObject([
      { rejected: [{ code: 'usage.subscription_unknown' }, { code: 'usage.subscription_unknown' }] },
    ]);
    expect(await countOf(two, 'g')).toBe(0);
    const both = await connect(platform);
    await send(both, event('g1', '1', { subject: two }));
    expect(await countOf(two, 'g')).toBe(1);
  });

  it.each([
    ['another key’s secret', () => ({ keyId: own.keyId, secret: platform.secret })],
    ['a wrong secret', () => ({ keyId: own.keyId, secret: `${own.secret}x` })],
    ['no secret', () => ({ keyId: own.keyId, secret: '' })],
    ['the name of a user', () => ({ keyId: user.userId, secret: own.secret })],
  ])('2.A-12: with %s is rejected, and counted like any failed attempt', async (_what, key) => {
    const before = await attempts();
    await expect(connect(key())).rejects.toThrow();
    expect(await attempts()).toBe(before + 1);
    await expect(connect({ keyId: own.keyId, secret: `${own.secret}x` })).rejects.toThrow();
  });

  it('that only reads, has expired or was revoked is rejected', async () => {
    const read = await makeKey(user.organizationId, { scope: 'read' });
    await expect(connect(read)).rejects.toThrow();
    const brief = await makeKey(null, { expiresAt: new Date('2024-09-20T01:00:00Z') });
    const client = await connect(brief);
    await send(client, event('h1'));
    console.clock.set(new Date('2024-09-20T01:00:01Z'));
    client.publish('usage/events', json(event('h2')), { qos: 1 });
    await isClosed(client);
    await expect(connect(brief)).rejects.toThrow();
    console.clock.set(new Date('2024-09-20T00:00:00Z'));
    expect(await countOf(one, 'h')).toBe(1);
  });

  it('that is revoked is disconnected, and none of its messages is accepted any more', async () => {
    const key = await makeKey(null);
    const [idle, busy] = await Promise.all([connect(key), connect(key)]);
    await send(busy, event('i1'));
    await console.ok(identity.revokeApiKey, { keyId: key.keyId as Id<'key'> }, { token: admin });
    busy.publish('usage/events', json(event('i2')), { qos: 1 });
    await isClosed(busy);
    await isClosed(idle);
    await expect(connect(key)).rejects.toThrow();
    expect(await countOf(one, 'i')).toBe(1);
  });

  it('receives only its own results', async () => {
    const client = await connect(own);
    for (const topic of [
      '#',
      '+/+/+',
      'usage/#',
      'usage/events',
      `usage/results/${platform.keyId}`,
      'usage/results/+',
      `org/${user.organizationId}/usage`,
      `org/${user.organizationId}/bills`,
      `user/${user.userId}/notifications`,
      'system/metrics',
      '$SYS/#',
    ])
      await expect(client.subscribeAsync(topic), topic).rejects.toThrow();
    const heard = await resultsOf(client, own.keyId);
    const both = await connect(platform);
    await send(both, event('j1'));
    await send(client, event('j2'));
    await expect.poll(() => heard).toHaveLength(1);
    expect(heard).toMatchObject([{ accepted: 1 }]);
  });

  it.each([
    ['to a live topic', () => `org/${user.organizationId}/usage`, {}],
    ['to its own results', () => `usage/results/${own.keyId}`, {}],
    ['to a topic below', () => 'usage/events/x', {}],
    ['a retained message', () => 'usage/events', { retain: true }],
  ])('that publishes %s is disconnected', async (_what, topic, options) => {
    const client = await connect(own);
    client.publish(topic(), json(event('k')), { qos: 1, ...options });
    await isClosed(client);
    expect(await countOf(one, 'k')).toBe(0);
  });

  it('with a last will is rejected', async () => {
    await expect(
      connect(own, {
        will: { topic: 'usage/events', payload: Buffer.from(json(event('l'))), qos: 1, retain: false },
      }),
    ).rejects.toThrow();
  });
});

describe('2.G: the connection itself', () => {
  it('116: from a browser page of another origin is rejected, and without an Origin nobody becomes a live client', async () => {
    for (const origin of ['https://evil.example', 'null', `${console.address}.evil.example`])
      await expect(connect(own, { wsOptions: { origin } }), origin).rejects.toThrow();
    const { ticket } = await console.ok(identity.liveTicket, {}, { token: user.token });
    await expect(
      connect({ keyId: user.userId, secret: ticket }, { clientId: `${user.userId}-1` }),
    ).rejects.toThrow();
    // The ticket is still valid for our own page, because it was not even checked.
    await connect(
      { keyId: user.userId, secret: ticket },
      { clientId: `${user.userId}-1`, wsOptions: { origin: console.address } },
    );
    await connect(own, { wsOptions: { origin: console.address } });
  });

  it('118: with a packet of more than 64 KB is closed, however it is split, and others continue', async () => {
    const bystander = await connect(own);
    const client = await connect(own);
    client.publish('usage/events', 'x'.repeat(70_000), { qos: 1 });
    await isClosed(client);
    // CONNECT announces 1 MB and sends it in small pieces.
    const socket = new WebSocket(`${console.address.replace('http', 'ws')}/mqtt`, 'mqtt');
    await new Promise((opened) => socket.once('open', opened));
    const closed = new Promise<void>((done) => socket.once('close', () => done()));
    socket.send(Buffer.from([0x10]));
    socket.send(Buffer.from([0x80, 0x80]));
    socket.send(Buffer.from([0x40, 0, 4]));
    await closed;
    await send(bystander, event('m'));
    expect(await countOf(one, 'm')).toBe(1);
  });

  it('2.A-12: from an address that keeps guessing has to wait, and so has sign-in from there', async () => {
    for (let guess = 0; guess < 25; guess++)
      await expect(connect({ keyId: own.keyId, secret: `skytally_${guess}` })).rejects.toThrow();
    await expect(connect(own)).rejects.toThrow();
    expect(
      await console.call(signin.login, { account: 'owner@one.example', password: userPassword }),
    ).toMatchObject({ status: 429 });
    console.clock.advance(16 * 60_000);
    await connect(own);
  });
});

/** Failed attempts that are counted for the tests' address. */
async function attempts(): Promise<number> {
  const { rows } = await sql<{
    failures: number;
  }>`select failures from attempt where key like 'address:%'`.execute(console.app.database.kysely);
  return Number(rows[0]?.failures ?? 0);
}
