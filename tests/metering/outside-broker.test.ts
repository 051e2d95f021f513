// Metering through the operator’s own broker (MQTT_URL): acknowledged means recorded, and one of several
// consoles reads.
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Aedes } from 'aedes';
import { sql } from 'kysely';
import mqtt, { type MqttClient } from 'mqtt';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { atFileEnd } from '../support/clean-up.ts';
import { createTestConsole, registerUser, setUp, type TestConsole } from '../support/console.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

/** A broker as an operator runs it, which keeps the sessions of the machines and the console. */
const broker = { url: '', reading: [] as string[] };
let database: TestDatabase;
let console: TestConsole;
let admin: string;
let subject: string;
let machine: MqttClient;
const answers: { topic: string; answer: unknown }[] = [];
let keyId: string;
let count = 0;

const start = () => createTestConsole(new Date('2024-09-20T00:00:00Z'), { MQTT_URL: broker.url }, database);
const event = (id: string) => ({
  specversion: '1.0',
  id,
  source: '/gateway',
  type: 'call',
  subject,
  time: '2024-09-19T00:00:00Z',
  data: { value: '1' },
});
const publish = async (key: string): Promise<string> => {
  const id = `m${++count}`;
  await machine.publishAsync(`usage/events/${key}`, JSON.stringify(event(id)), { qos: 1 });
  return id;
};
const recorded = async (id: string): Promise<number> => {
  const { rows } = await sql<{
    count: bigint;
  }>`select count(*) as count from usage_event where event_id = ${id}`.execute(database.kysely);
  return Number(rows[0]?.count);
};
const isRead = (): Promise<void> =>
  vi.waitFor(() => expect(broker.reading).toHaveLength(1), { timeout: 50_000, interval: 20 });

beforeAll(async () => {
  const aedes = await Aedes.createBroker();
  const server = createServer(aedes.handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  broker.url = `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`;
  aedes.on('clientReady', ({ id }) => {
    if (id.startsWith('skytally')) broker.reading.push(id);
  });
  // What is published before a session’s first subscription is lost.
  const subscribed = new Promise<void>((done) => aedes.once('subscribe', () => done()));
  aedes.on('clientDisconnect', ({ id }) => {
    broker.reading = broker.reading.filter((name) => name !== id);
  });
  atFileEnd(async () => {
    await new Promise<void>((closed) => aedes.close(() => closed()));
    server.close();
  });

  database = await createTestDatabase();
  console = await start();
  await subscribed;
  admin = await setUp(console);
  const organizationId = (await registerUser(console, 'owner@one.example', 'One'))
    .organizationId as Id<'org'>;
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
  const subscription = await console.ok(
    subscriptions.adminSubscribe,
    { organizationId, serviceId: service.id, startedAt: new Date('2024-09-01T00:00:00Z') },
    { token: admin },
  );
  subject = subscription.id;
  keyId = (await console.ok(identity.createApiKey, { name: 'gateway', organizationId }, { token: admin })).key
    .id;
  machine = await mqtt.connectAsync(broker.url, { protocolVersion: 4 });
  atFileEnd(() => machine.endAsync());
  machine.on('message', (topic, payload) =>
    answers.push({ topic, answer: JSON.parse(payload.toString('utf8')) }),
  );
  await machine.subscribeAsync('usage/results/+');
});

describe('R-USE-02: an external broker', () => {
  it('delivers events that count once, with a response on the key’s own topic', async () => {
    const id = await publish(keyId);
    await expect
      .poll(() => answers)
      .toEqual([{ topic: `usage/results/${keyId}`, answer: { accepted: 1, duplicates: 0, rejected: [] } }]);
    await machine.publishAsync(`usage/events/${keyId}`, JSON.stringify(event(id)), { qos: 1 });
    await expect
      .poll(() => answers.slice(1))
      .toEqual([{ topic: `usage/results/${keyId}`, answer: { accepted: 0, duplicates: 1, rejected: [] } }]);
    expect(await recorded(id)).toBe(1);
  });

  it('is read past messages of a revoked or unknown key', async () => {
    const { key } = await console.ok(identity.createApiKey, { name: 'gone' }, { token: admin });
    await console.ok(identity.revokeApiKey, { keyId: key.id }, { token: admin });
    answers.length = 0;
    const [gone, unknown] = [await publish(key.id), await publish('no key')];
    const good = await publish(keyId);
    await expect.poll(() => answers).toHaveLength(3);
    expect(answers.slice(0, 2)).toMatchObject([
      { answer: { accepted: 0, rejected: [{ code: 'usage.key_not_in_force' }] } },
      { answer: { accepted: 0, rejected: [{ code: 'usage.key_not_in_force' }] } },
    ]);
    expect([await recorded(gone), await recorded(unknown), await recorded(good)]).toEqual([0, 0, 1]);
  });

  it('keeps messages that could not be recorded until they are', async () => {
    answers.length = 0;
    await sql`alter table usage_event rename to usage_event_away`.execute(database.kysely);
    let id: string;
    try {
      id = await publish(keyId);
      // The console closes the connection, and reads again on a new one.
      await expect.poll(() => broker.reading).toEqual([]);
    } finally {
      await sql`alter table usage_event_away rename to usage_event`.execute(database.kysely);
    }
    await expect.poll(() => recorded(id)).toBe(1);
    await expect.poll(() => answers).toMatchObject([{ answer: { accepted: 1 } }]);
  });

  it('that keeps a retained message delivers it to each console that subscribes: it counts once, and never with a revoked key', async () => {
    const { key } = await console.ok(identity.createApiKey, { name: 'leaver' }, { token: admin });
    const [kept, revoked] = [`m${++count}`, `m${++count}`];
    answers.length = 0;
    await machine.publishAsync(`usage/events/${keyId}`, JSON.stringify(event(kept)), {
      qos: 1,
      retain: true,
    });
    await expect.poll(() => recorded(kept)).toBe(1);
    await console.ok(identity.revokeApiKey, { keyId: key.id }, { token: admin });
    await machine.publishAsync(`usage/events/${key.id}`, JSON.stringify(event(revoked)), {
      qos: 1,
      retain: true,
    });
    await expect.poll(() => answers).toHaveLength(2);
    const next = await start();
    await console.end();
    console = next;
    await isRead();
    // A console that subscribes gets both again.
    await expect.poll(() => answers.slice(2)).toHaveLength(2);
    expect(answers.slice(2).toSorted((one, two) => (one.topic < two.topic ? -1 : 1))).toMatchObject([
      { topic: `usage/results/${keyId}`, answer: { accepted: 0, duplicates: 1 } },
      { topic: `usage/results/${key.id}`, answer: { accepted: 0, duplicates: 0 } },
    ]);
    expect([await recorded(kept), await recorded(revoked)]).toEqual([1, 0]);
    for (const topic of [`usage/events/${keyId}`, `usage/events/${key.id}`])
      await machine.publishAsync(topic, '', { qos: 1, retain: true });
  });

  it('is read by one console of a database; when that ends, another one continues at its position', async () => {
    await start();
    await isRead();
    const before = await Promise.all(Array.from({ length: 20 }, () => publish(keyId)));
    await console.end();
    const after = [await publish(keyId), await publish(keyId)];
    for (const id of [...before, ...after]) await expect.poll(() => recorded(id)).toBe(1);
    await isRead();
  });

  it('does not prevent a console from starting and stopping while it is unavailable', async () => {
    const nobody = createServer().listen(0, '127.0.0.1');
    await once(nobody, 'listening');
    const { port } = nobody.address() as AddressInfo;
    nobody.close();
    const second = await createTestConsole(undefined, { MQTT_URL: `mqtt://127.0.0.1:${port}` });
    expect((await fetch(`${second.address}/api/system/status`)).status).toBe(200);
    await second.end();
  });
});
