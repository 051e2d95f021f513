// Event streams over TLS with a private certificate authority and client certificates, Kafka’s SASL, and
// RabbitMQ with its MQTT plugin.
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect as connectNats } from '@nats-io/transport-node';
import mqtt from 'mqtt';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { eventStreams, saslMechanisms, type EventStream } from '#features/metering/event-streams/contract.ts';
import {
  hasKcat,
  hasMosquitto,
  hasNats,
  hasRabbit,
  produce,
  startKafka,
  startMosquitto,
  startNats,
  startRabbit,
} from '../support/brokers.ts';
import { hasOpenssl, makeAuthority, type Authority } from '../support/certificates.ts';
import { createTestConsole, type TestConsole } from '../support/console.ts';
import { runFeatureJob, stopRepeating } from '../support/jobs.ts';
import { guardKafka } from '../support/kafka-guard.ts';
import { meteredConsole } from '../support/metered-console.ts';

let console: TestConsole;
let admin: string;
let sub: Id<'sub'>;
const password = 'stream-password-1';

beforeAll(async () => {
  console = await createTestConsole(new Date(), { PRIVATE_HOSTS: '127.0.0.1,127.0.0.2' });
  await stopRepeating(console.app);
  ({ admin, subscriptionId: sub } = await meteredConsole(console));
});

const make = (more: object): Promise<EventStream> =>
  console.ok(
    eventStreams.createEventStream,
    {
      name: 'Stream',
      authority: '',
      credentials: { kind: 'none' },
      format: 'cloudevents',
      expression: '',
      start: 'earliest',
      ...more,
    } as never,
    { token: admin },
  );
const get = ({ id }: EventStream): Promise<EventStream> =>
  console.ok(eventStreams.getEventStream, { streamId: id }, { token: admin });
/** Reads until the result is as expected, and not longer. */
async function readUntil(made: EventStream, expected: object): Promise<void> {
  const one = { streamId: made.id };
  await console.ok(eventStreams.startEventStream, one, { token: admin });
  await vi.waitFor(
    async () => {
      await runFeatureJob(console.app, 'event-streams');
      expect(await get(made)).toMatchObject(expected);
    },
    { timeout: 40_000, interval: 200 },
  );
  await console.ok(eventStreams.pauseEventStream, one, { token: admin });
}
const event = (id: string): string =>
  JSON.stringify({
    specversion: '1.0',
    id,
    source: '/gateway',
    type: 'call',
    subject: sub,
    time: new Date(Date.now() - 60_000).toISOString(),
    data: { value: '2' },
  });
const certificateOf = ({ client }: Authority) => ({
  kind: 'certificate',
  certificate: client.certificate,
  key: client.key,
});
const failsWith = (code: string) => ({ isConnected: false, events: 0, failure: { code } });

describe.skipIf(!hasOpenssl)('TLS (needs openssl)', () => {
  let [authority, stranger]: Authority[] = [];
  beforeAll(() => {
    [authority, stranger] = [makeAuthority(), makeAuthority()];
  });
  const both = (): readonly [Authority, Authority] => {
    if (!authority || !stranger) throw new Error('no authorities');
    return [authority, stranger];
  };

  it.skipIf(!hasNats)(
    'T-STREAM: NATS over TLS is read with its authority and a client certificate; without either the reason is reported (needs nats-server)',
    async () => {
      const [own, other] = both();
      const { port } = await startNats(undefined, own);
      const connection = await connectNats({
        servers: `127.0.0.1:${port}`,
        tls: {
          ca: own.certificate,
          cert: own.client.certificate,
          key: own.client.key,
          host: '127.0.0.1',
        } as object,
      });
      await (await jetstreamManager(connection)).streams.add({ name: 'USAGE', subjects: ['usage.>'] });
      for (const id of ['n-1', 'n-2']) await jetstream(connection).publish('usage.a', event(id));
      await connection.close();
      const at = {
        address: `tls://127.0.0.1:${port}`,
        options: { kind: 'nats', stream: 'USAGE', subject: '', consumer: 'skytally' },
      };
      await readUntil(await make({ ...at, credentials: certificateOf(own) }), failsWith('certificate'));
      await readUntil(
        await make({ ...at, authority: other.certificate, credentials: certificateOf(own) }),
        failsWith('certificate'),
      );
      const anonymous = await make({ ...at, authority: own.certificate });
      await readUntil(anonymous, {
        isConnected: false,
        events: 0,
        failure: { code: expect.any(String) as string },
      });
      const made = await make({ ...at, authority: own.certificate, credentials: certificateOf(own) });
      await readUntil(made, { events: 2, failure: null });
      // Keys are never returned and not stored unencrypted.
      expect(JSON.stringify(await get(made))).not.toContain('PRIVATE KEY');
      const { rows } = await sql<{
        text: string;
      }>`select row_to_json(s)::text as text from event_stream s`.execute(console.app.database.kysely);
      expect(rows.map(({ text }) => text).join()).not.toContain('PRIVATE KEY');
    },
    120_000,
  );

  it.skipIf(!hasMosquitto)(
    'T-STREAM: MQTT over TLS is read with its authority and a client certificate; without either the reason is reported (needs mosquitto)',
    async () => {
      const [own, other] = both();
      const { port } = await startMosquitto(password, own);
      const at = {
        address: `mqtts://127.0.0.1:${port}`,
        options: { kind: 'mqtt', filter: 'usage/#', version: '5' },
      };
      await readUntil(
        await make({ ...at, authority: other.certificate, credentials: certificateOf(own) }),
        failsWith('certificate'),
      );
      await readUntil(await make({ ...at, authority: own.certificate }), {
        isConnected: false,
        events: 0,
        failure: { code: expect.any(String) as string },
      });
      const made = await make({ ...at, authority: own.certificate, credentials: certificateOf(own) });
      await readUntil(made, { isConnected: true });
      const client = await mqtt.connectAsync(`mqtts://127.0.0.1:${port}`, {
        ca: own.certificate,
        cert: own.client.certificate,
        key: own.client.key,
      });
      for (const id of ['m-1', 'm-2']) await client.publishAsync('usage/a', event(id), { qos: 1 });
      await client.endAsync();
      await readUntil(made, { events: 2, failure: null });
    },
    120_000,
  );

  it.skipIf(!hasKcat)(
    'T-STREAM: Kafka over TLS is read with its authority and a client certificate; one of another authority is rejected (needs kcat)',
    async () => {
      const [own, other] = both();
      const { port } = await startKafka('usage');
      await produce(port, 'usage', [event('k-1'), event('k-2')]);
      const at = {
        address: `kafka+tls://${await guardKafka(port, { tls: own })}:${port}`,
        options: { kind: 'kafka', topic: 'usage', group: 'skytally', mechanism: 'PLAIN' },
      };
      await readUntil(
        await make({ ...at, authority: other.certificate, credentials: certificateOf(own) }),
        failsWith('certificate'),
      );
      await readUntil(await make({ ...at, authority: own.certificate, credentials: certificateOf(other) }), {
        events: 0,
        failure: { code: expect.any(String) as string },
      });
      const made = await make({ ...at, authority: own.certificate, credentials: certificateOf(own) });
      await readUntil(made, { events: 2, failure: null });
    },
    120_000,
  );

  it.skipIf(!hasKcat).each(saslMechanisms)(
    'T-STREAM: Kafka over TLS takes user and password by %s and tells a wrong password (needs kcat)',
    async (mechanism) => {
      const [own] = both();
      const { port } = await startKafka('usage');
      await produce(port, 'usage', [event(`${mechanism}-1`)]);
      const host = await guardKafka(port, { tls: own, sasl: { mechanism, user: 'meter', password } });
      const at = {
        address: `kafka+tls://${host}:${port}`,
        authority: own.certificate,
        options: { kind: 'kafka', topic: 'usage', group: 'skytally', mechanism },
      };
      const shown = (secret: string) => ({ credentials: { kind: 'basic', user: 'meter', password: secret } });
      await readUntil(await make({ ...at, ...shown('wrong') }), failsWith('refused_credentials'));
      const made = await make({ ...at, ...shown(password) });
      await readUntil(made, { events: 1, failure: null });
      expect((await get(made)).credentials).toBe('basic');
    },
    120_000,
  );
});

describe.skipIf(!hasRabbit)('RabbitMQ (Debian: apt install rabbitmq-server)', () => {
  it('T-STREAM: its MQTT plugin keeps a session: messages sent while nobody reads count, even after a crash', async () => {
    const server = await startRabbit(password);
    const made = await make({
      address: `mqtt://127.0.0.1:${server.port}`,
      credentials: { kind: 'basic', user: 'meter', password },
      options: { kind: 'mqtt', filter: 'usage/#', version: '3.1.1' },
    });
    await readUntil(made, { isConnected: true, failure: null });
    const send = async (...ids: readonly string[]): Promise<void> => {
      // It listens a moment before it accepts connections.
      const client = await vi.waitFor(
        () =>
          mqtt.connectAsync(`mqtt://127.0.0.1:${server.port}`, {
            username: 'meter',
            password,
            protocolVersion: 4,
            reconnectPeriod: 0,
          }),
        { timeout: 40_000, interval: 500 },
      );
      for (const id of ids) await client.publishAsync('usage/a', event(id), { qos: 1 });
      await client.endAsync();
    };
    await send('r-1', 'r-2');
    await readUntil(made, { events: 2 });
    await send('r-3');
    await server.kill();
    await server.restart();
    await send('r-4');
    await readUntil(made, { events: 4, duplicates: 0, rejected: 0 });
    const wrong = await make({
      address: `mqtt://127.0.0.1:${server.port}`,
      credentials: { kind: 'basic', user: 'meter', password: 'no' },
      options: { kind: 'mqtt', filter: 'usage/#', version: '3.1.1' },
    });
    await readUntil(wrong, failsWith('refused_credentials'));
    expect((await get(made)).events).toBe(4);
  }, 240_000);
});
