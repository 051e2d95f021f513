// Live updates over MQTT on a websocket: which client receives what, how soon after the change, and what it
// never receives.
import mqtt, { type MqttClient } from 'mqtt';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { quotas } from '#features/metering/quotas/contract.ts';
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
import { publish } from '../support/live.ts';

let console: TestConsole;
let admin: string;
let key: string;
let user: { token: string; userId: string; organizationId: string };
let other: { token: string; userId: string; organizationId: string };
let subscriptionId: string;
const open: MqttClient[] = [];

beforeAll(async () => {
  console = await createTestConsole();
  admin = await setUp(console);
  user = await registerUser(console, 'owner@one.example', 'One');
  other = await registerUser(console, 'owner@two.example', 'Two');
  key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
  const service = await console.ok(
    catalogue.createService,
    {
      name: 'Storage',
      type: 'Storage',
      category: 'Platform',
      pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1.2' },
      meter: { eventType: 'gb', aggregation: 'sum', unit: 'GB' },
      quota: { type: 'hard', limit: '100' },
    },
    { token: admin },
  );
  // Messages about the subscription itself have arrived before the first test listens.
  const { client } = await connect(user);
  await client.subscribeAsync(`org/${user.organizationId}/usage`);
  const firstMessage = new Promise<void>((heard) => client.once('message', () => heard()));
  subscriptionId = (
    await console.ok(subscriptions.subscribe, { serviceId: service.id }, { token: user.token })
  ).id;
  await firstMessage;
});
afterAll(async () => {
  await Promise.all(open.map((client) => client.endAsync(true)));
});

type Connection = { client: MqttClient; heard: { topic: string; message: unknown }[] };

async function connect(
  who: { token: string; userId: string },
  options: { ticket?: string; origin?: string; clientId?: string } = {},
): Promise<Connection> {
  const ticket = options.ticket ?? (await console.ok(identity.liveTicket, {}, { token: who.token })).ticket;
  const client = mqtt.connect(`${console.address.replace('http', 'ws')}/mqtt`, {
    protocolVersion: 4,
    username: who.userId,
    password: ticket,
    clientId: options.clientId ?? `${who.userId}-${Math.trunc(performance.now() * 1000)}`,
    reconnectPeriod: 0,
    connectTimeout: 3000,
    wsOptions: { origin: options.origin ?? console.address },
  });
  open.push(client);
  // A rejected websocket is closed without an MQTT error; either counts as a rejection.
  await new Promise<void>((connected, refused) => {
    client.once('connect', () => connected());
    client.once('error', refused);
    client.once('close', () => refused(new Error('closed')));
  });
  const heard: Connection['heard'] = [];
  client.on('message', (topic, payload) => heard.push({ topic, message: JSON.parse(payload.toString()) }));
  return { client, heard };
}

const event = (id: string, value: string) => ({
  specversion: '1.0',
  id,
  source: '/s',
  type: 'gb',
  subject: subscriptionId,
  time: console.clock.now().toISOString(),
  data: { value },
});
const send = (events: object[]) =>
  console.ok(
    usage.ingest,
    {},
    {
      token: key,
      body: JSON.stringify(events),
      headers: { 'content-type': 'application/cloudevents-batch+json' },
    },
  );

describe('live delivery (R-NOTE-03)', () => {
  it('notifies the organization of changed usage, and of each threshold once per period (R-USE-04)', async () => {
    const { client, heard } = await connect(user);
    await client.subscribeAsync(`org/${user.organizationId}/usage`);
    await client.subscribeAsync(`user/${user.userId}/notifications`);
    await send([event('1', '84.9')]);
    // The note that a message may have been missed is not a message itself.
    const news = () => heard.filter(({ message }) => !JSON.stringify(message).startsWith('{"kind":"missed"'));
    await expect
      .poll(() => news())
      .toEqual([{ topic: `org/${user.organizationId}/usage`, message: { kind: 'usage' } }]);
    expect((await console.ok(notifications.listNotifications, {}, { token: user.token })).total).toBe(0);
    await send([event('2', '0.1')]);
    await expect.poll(() => heard.filter((each) => each.topic.startsWith('user/'))).toHaveLength(1);
    await send([event('3', '5')]);
    await send([event('4', '5')]);
    await send([event('5', '5')]);
    await expect.poll(() => heard.filter((each) => each.topic.startsWith('user/'))).toHaveLength(2);
    const inbox = await console.ok(
      notifications.listNotifications,
      {},
      { token: user.token, language: 'enUS' },
    );
    expect(inbox.items.map((item) => item.message)).toEqual([
      expect.stringContaining('95%'),
      expect.stringContaining('85%'),
    ]);
    const zh = await console.ok(notifications.listNotifications, {}, { token: user.token, language: 'zhTW' });
    expect(zh.items[1]?.message).toBe('「Storage」用量已達配額的 85%（85／100 GB）。');
    const { items } = await console.ok(quotas.listQuotas, {}, { token: user.token });
    expect(items).toMatchObject([{ status: 'Critical', percent: 100, used: '100', limit: '100' }]);
    expect(
      await console.ok(quotas.entitlement, { subscriptionId: subscriptionId as never }, { token: key }),
    ).toMatchObject({ allowed: false, remaining: '0' });
  });

  it('rejects topics of other organizations, wildcards and system topics, and all publishing', async () => {
    const { client, heard } = await connect(other);
    for (const topic of [
      `org/${user.organizationId}/usage`,
      `user/${user.userId}/notifications`,
      '#',
      'org/+/usage',
      '$SYS/#',
      'system/metrics',
    ])
      await expect(client.subscribeAsync(topic), topic).rejects.toThrow();
    await client.subscribeAsync(`org/${other.organizationId}/usage`);
    const witness = await connect(user);
    await witness.client.subscribeAsync(`org/${user.organizationId}/usage`);
    await send([event('6', '1')]);
    await expect
      .poll(() => witness.heard)
      .toContainEqual({ topic: `org/${user.organizationId}/usage`, message: { kind: 'usage' } });
    // A late message about one of the events before would otherwise reach the next client. Messages arrive in the
    // order in which they were sent, so none is left when this one has arrived.
    await expect
      .poll(
        async () =>
          (await sql`select from outbox where kind = 'live'`.execute(console.app.database.kysely)).rows,
      )
      .toEqual([]);
    await publish(console, `org/${user.organizationId}/usage`, { kind: 'last' });
    await expect
      .poll(() => witness.heard)
      .toContainEqual({ topic: `org/${user.organizationId}/usage`, message: { kind: 'last' } });
    const listener = await connect(user);
    await listener.client.subscribeAsync(`org/${user.organizationId}/usage`);
    client.publish(`org/${user.organizationId}/usage`, '{"kind":"forged"}');
    await expect.poll(() => client.connected).toBe(false);
    // The clients came after the sixth message and may have fetched their data before it.
    await expect
      .poll(() => listener.heard)
      .toEqual([
        { topic: `org/${user.organizationId}/usage`, message: { kind: 'missed', ago: expect.any(Number) } },
      ]);
    await send([event('7', '1')]);
    await expect
      .poll(() => listener.heard.slice(1))
      .toEqual([{ topic: `org/${user.organizationId}/usage`, message: { kind: 'usage' } }]);
    expect(heard).toEqual([]);
  });

  it('accepts a ticket once, from its own user, from our own pages, for 60 seconds', async () => {
    const { ticket } = await console.ok(identity.liveTicket, {}, { token: user.token });
    await connect(user, { ticket });
    await expect(connect(user, { ticket })).rejects.toThrow();
    await expect(
      connect(other, { ticket: (await console.ok(identity.liveTicket, {}, { token: user.token })).ticket }),
    ).rejects.toThrow();
    await expect(connect(user, { origin: 'https://evil.example' })).rejects.toThrow();
    await expect(connect(user, { clientId: `${other.userId}-1` })).rejects.toThrow();
    const late = await console.ok(identity.liveTicket, {}, { token: user.token });
    console.clock.advance(61_000);
    await expect(connect(user, { ticket: late.ticket })).rejects.toThrow();
  });

  it('2.A-12 slows down an address that keeps guessing tickets, like every way to sign in', async () => {
    for (let guess = 0; guess < 25; guess++)
      await expect(connect(user, { ticket: `guess ${guess}` })).rejects.toThrow();
    const fresh = await console
      .ok(signin.login, { account: 'owner@one.example', password: userPassword })
      .catch(() => undefined);
    expect(fresh, 'the address waits for sign-ins too').toBeUndefined();
    console.clock.advance(16 * 60_000);
    const { token } = await console.ok(signin.login, {
      account: 'owner@one.example',
      password: userPassword,
    });
    await connect({ ...user, token });
  });
});
