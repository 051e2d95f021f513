// Event streams against real brokers, a real console and database: acknowledgment after the commit,
// unreadable messages, and failing brokers.
import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import { connect as connectNats, type NatsConnection } from '@nats-io/transport-node';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import mqtt from 'mqtt';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { eventStreams, maxRejected, type EventStream } from '#features/metering/event-streams/contract.ts';
import { armFailPoints } from '#platform/server/fail-point.ts';
import {
  hasKcat,
  hasMosquitto,
  hasNats,
  produce,
  startKafka,
  startMosquitto,
  startNats,
  type Broker,
} from '../support/brokers.ts';
import { createTestConsole, type TestConsole } from '../support/console.ts';
import { runFeatureJob, stopRepeating } from '../support/jobs.ts';
import { meteredConsole } from '../support/metered-console.ts';

let console: TestConsole;
let admin: string;
let sub: Id<'sub'>;
const db = () => console.app.database.kysely;
const password = 'stream-password-1';

beforeAll(async () => {
  console = await createTestConsole(new Date(), { PRIVATE_HOSTS: '127.0.0.1' });
  await stopRepeating(console.app);
  ({ admin, subscriptionId: sub } = await meteredConsole(console));
});

const settings = (more: object) => ({
  name: 'Stream',
  authority: '',
  credentials: { kind: 'none' },
  format: 'cloudevents',
  expression: '',
  start: 'earliest',
  ...more,
});
const make = (more: object): Promise<EventStream> =>
  console.ok(eventStreams.createEventStream, settings(more) as never, { token: admin });
const get = ({ id }: EventStream): Promise<EventStream> =>
  console.ok(eventStreams.getEventStream, { streamId: id }, { token: admin });
const begin = async ({ id }: EventStream): Promise<void> => {
  await console.ok(eventStreams.startEventStream, { streamId: id }, { token: admin });
  await look();
};
/** Lets the console look for streams that nobody reads. */
const look = (): Promise<void> => runFeatureJob(console.app, 'event-streams');
const until = (made: EventStream, expected: object): Promise<unknown> =>
  vi.waitFor(
    async () => {
      await look();
      const state = await get(made);
      // The full state is printed, because a difference alone does not show what the broker did.
      expect(state, JSON.stringify(state)).toMatchObject(expected);
    },
    // Messages in transit when a fetch ended are redelivered after half a minute.
    { timeout: 75_000, interval: 200 },
  );
const rejectedOf = async ({ id }: EventStream) =>
  (await console.ok(eventStreams.listRejectedMessages, { streamId: id, limit: 200 }, { token: admin })).items;
const event = (id: string, more: object = {}): string =>
  JSON.stringify({
    specversion: '1.0',
    id,
    source: '/gateway',
    type: 'call',
    subject: sub,
    time: new Date(Date.now() - 60_000).toISOString(),
    data: { value: '2' },
    ...more,
  });
/** Ids and values in metering. */
async function counted(prefix: string): Promise<Record<string, number>> {
  const { rows } = await sql<{
    id: string;
    value: string;
  }>`select e.event_id as id, e.value::text as value from usage_event e where e.event_id like ${`${prefix}%`}`.execute(
    db(),
  );
  return Object.fromEntries(rows.map(({ id, value }) => [id, Number(value)]));
}
const ids = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, place) => `${prefix}${place}`);

afterEach(async () => {
  armFailPoints(console.app, undefined);
  const { items } = await console.ok(eventStreams.listEventStreams, { limit: 100 }, { token: admin });
  for (const { id } of items)
    await console.ok(eventStreams.deleteEventStream, { streamId: id }, { token: admin });
});

// Waits for a redelivered message longer than a test usually takes.
describe.skipIf(!hasNats)('NATS JetStream (Debian: apt install nats-server)', { timeout: 120_000 }, () => {
  let server: Broker;
  let connection: NatsConnection;
  let manager: JetStreamManager;
  let client: JetStreamClient;
  let stream = 0;
  const open = async (): Promise<void> => {
    connection = await connectNats({ servers: `127.0.0.1:${server.port}`, user: 'meter', pass: password });
    manager = await jetstreamManager(connection);
    client = jetstream(connection);
  };
  beforeAll(async () => {
    server = await startNats(password);
    await open();
  });
  afterAll(() => connection.close());
  const address = () => `nats://127.0.0.1:${server.port}`;
  const credentials = { kind: 'basic', user: 'meter', password };
  /** A new stream with its own subject, and settings that read it. */
  const fresh = async (more: object = {}) => {
    const name = `S${stream++}`;
    await manager.streams.add({ name, subjects: [`${name}.>`] });
    return {
      name,
      send: async (payloads: readonly (string | Uint8Array)[]) => {
        for (const payload of payloads) await client.publish(`${name}.a`, payload);
      },
      settings: {
        address: address(),
        credentials,
        options: { kind: 'nats', stream: name, subject: '', consumer: 'skytally' },
        ...more,
      },
    };
  };
  const pending = async (name: string): Promise<number> => {
    const { num_pending: waiting, num_ack_pending: open } = await manager.consumers.info(name, 'skytally');
    return waiting + open;
  };

  it('T-STREAM: single events and lists count once, and are acknowledged', async () => {
    const source = await fresh();
    // The same text twice: created a millisecond later it would have another time and contradict itself.
    const repeated = event('n1');
    await source.send([repeated, `[${event('n2')},${event('n3')}]`, repeated]);
    const made = await make(source.settings);
    expect(made).toMatchObject({ state: 'paused', isConnected: false });
    await begin(made);
    await until(made, {
      messages: 3,
      events: 3,
      duplicates: 1,
      rejected: 0,
      lag: 0,
      failure: null,
      isConnected: true,
    });
    expect(await counted('n')).toEqual({ n1: 2, n2: 2, n3: 2 });
    await vi.waitFor(async () => expect(await pending(source.name)).toBe(0), { timeout: 20_000 });
  });

  it('T-STREAM: a broker that pauses for seconds is not a failure', async () => {
    const source = await fresh();
    const made = await make(source.settings);
    await begin(made);
    await until(made, { isConnected: true });
    const failures: unknown[] = [];
    server.hang(true);
    await pause(2000);
    server.hang(false);
    await source.send([event('still')]);
    await vi.waitFor(
      async () => {
        await look();
        const { events, failure } = await get(made);
        if (failure) failures.push(failure);
        expect(events).toBe(1);
      },
      { timeout: 50_000, interval: 200 },
    );
    expect(failures).toEqual([]);
  }, 60_000);

  it('T-STREAM: nothing is acknowledged before its commit, and a recorded but unacknowledged message counts once', async () => {
    for (const point of ['event-streams: a batch was read', 'event-streams: a batch was recorded']) {
      const source = await fresh();
      const prefix = `c${source.name}-`;
      await source.send(ids(prefix, 5).map((id) => event(id)));
      const made = await make(source.settings);
      let reached = 0;
      armFailPoints(console.app, (at) => {
        if (at === point && reached++ === 0) throw new Error('the process dies here');
      });
      await begin(made);
      await vi.waitFor(() => expect(reached).toBe(1), { timeout: 20_000 });
      expect(await pending(source.name)).toBe(5);
      expect(Object.keys(await counted(prefix))).toHaveLength(point.endsWith('read') ? 0 : 5);
      // The broker redelivers unacknowledged messages after thirty seconds.
      await until(made, { events: 5, duplicates: point.endsWith('read') ? 0 : 5, lag: 0 });
      await vi.waitFor(async () => expect(await pending(source.name)).toBe(0), { timeout: 40_000 });
      expect(Object.values(await counted(prefix))).toEqual([2, 2, 2, 2, 2]);
    }
  }, 120_000);

  it('T-STREAM: unreadable messages of every kind are kept with their reason, acknowledged, and do not block later ones', async () => {
    const source = await fresh();
    await source.send([
      'no json',
      Uint8Array.from([0xff, 0xfe, 0x00]),
      '{"a":"\\u0000"}',
      event('p-unknown', { subject: `sub_${'0'.repeat(26)}` }),
      `[${event('p-1')},${event('p-bad', { data: { value: 'x' } })},${event('p-2')}]`,
      '',
      'null',
      event('p-3'),
    ]);
    const made = await make(source.settings);
    await begin(made);
    await until(made, { messages: 8, events: 3, rejected: 7, lag: 0, failure: null });
    expect(Object.keys(await counted('p-')).toSorted()).toEqual(['p-1', 'p-2', 'p-3']);
    await vi.waitFor(async () => expect(await pending(source.name)).toBe(0), { timeout: 20_000 });
    const kept = await rejectedOf(made);
    expect(kept.map(({ code }) => code).toSorted()).toEqual([
      'eventstreams.message_no_json',
      'eventstreams.message_no_json',
      'eventstreams.message_no_json',
      'usage.event_malformed',
      'usage.event_malformed',
      'usage.subscription_unknown',
      'usage.value_no_decimal',
    ]);
    expect(kept.find(({ payload }) => payload.includes('p-bad'))?.payload).not.toContain('p-1');
    expect(kept.find(({ payload }) => payload.includes('p-unknown'))).toMatchObject({
      isComplete: true,
      position: `${source.name}/4`,
    });
  });

  it('T-STREAM: a mapping creates events whose ids are the positions of their messages, exact and the same at every delivery', async () => {
    const source = await fresh({
      format: 'mapped',
      expression: `kind = "skip" ? null : { "subject": customer, "type": "call", "time": at, "id": key, "data": { "value": amount * factor, "region": $uppercase(region) } }`,
    });
    const at = new Date(Date.now() - 120_000).toISOString();
    const row = (more: object) =>
      JSON.stringify({ customer: sub, at, amount: 1, factor: 1, region: 'tw', ...more });
    await source.send([
      row({ amount: 0.1, factor: 3 }),
      row({ key: 'own-1' }),
      row({ kind: 'skip' }),
      row({ amount: 'x' }),
      // More digits than a floating-point number holds are kept.
      `{"customer":"${sub}","at":"${at}","amount":1,"factor":1,"key":"own-2","region":"tw"}`,
    ]);
    const made = await make(source.settings);
    await begin(made);
    await until(made, { messages: 5, events: 3, rejected: 1 });
    const { created } = await manager.streams.info(source.name);
    const first = `${source.name}@${Date.parse(String(created))}/1`;
    expect(await counted(source.name)).toEqual({ [first]: 0.3 });
    expect(await counted('own-')).toEqual({ 'own-1': 1, 'own-2': 1 });
    expect((await rejectedOf(made))[0]).toMatchObject({ code: 'eventstreams.mapping_failed' });
  });

  it('T-STREAM: rejected messages can be retried with the current mapping, and discarded', async () => {
    const source = await fresh({
      format: 'mapped',
      expression: '{ "subject": who, "type": "call", "id": "m" & n }',
    });
    await source.send([1, 2, 3].map((n) => JSON.stringify({ customer: sub, n })));
    const made = await make(source.settings);
    await begin(made);
    await until(made, { rejected: 3, events: 0 });
    const retry = (rejectedId?: string) =>
      console.ok(
        eventStreams.retryRejectedMessages,
        { streamId: made.id, rejectedId: rejectedId as never },
        { token: admin },
      );
    expect(await retry()).toEqual({ mended: 0, rejected: 3, left: 3 });
    const { version } = await get(made);
    await console.ok(
      eventStreams.updateEventStream,
      {
        streamId: made.id,
        version,
        expression: 'n = 3 ? "nothing" : { "subject": customer, "type": "call", "id": "m" & n }',
      },
      { token: admin },
    );
    const [first] = (await rejectedOf(made)).filter(({ payload }) => payload.includes('"n":1'));
    expect(await retry(first?.id)).toEqual({ mended: 1, rejected: 0, left: 2 });
    expect(await retry()).toEqual({ mended: 1, rejected: 1, left: 1 });
    expect(await counted('m')).toEqual({ m1: 1, m2: 1 });
    expect(
      await console.ok(eventStreams.dropRejectedMessages, { streamId: made.id }, { token: admin }),
    ).toEqual({ dropped: 1 });
    expect(await get(made)).toMatchObject({ rejected: 0, events: 2 });
    const again = await console.call(
      eventStreams.dropRejectedMessages,
      { streamId: made.id, rejectedId: first?.id as never },
      { token: admin },
    );
    expect(again.status).toBe(404);
  });

  it('T-STREAM: an endless expression delays neither the console nor other messages', async () => {
    const source = await fresh({
      format: 'mapped',
      expression:
        'n = 2 ? ($f := function($x){$f($x)}; $f(1)) : { "subject": customer, "type": "call", "id": "e" & n }',
    });
    await source.send([1, 2, 3].map((n) => JSON.stringify({ customer: sub, n })));
    const made = await make(source.settings);
    await begin(made);
    await until(made, { messages: 3, events: 2, rejected: 1 });
    expect((await rejectedOf(made))[0]).toMatchObject({ code: 'eventstreams.mapping_too_slow' });
  });

  it('T-STREAM: a full list of rejected messages stops reading; nothing is acknowledged that is not stored', async () => {
    const source = await fresh();
    const made = await make(source.settings);
    await sql`insert into event_stream_rejected (id, stream_id, position, place, topic, code, params, payload, is_complete, sent_at, received_at)
      select 'esr_' || lpad(n::text, 26, '0'), ${made.id}, n::text, 0, 't', 'eventstreams.message_no_json', '{}', 'x', true, now(), now() from generate_series(1, ${maxRejected}) n`.execute(
      db(),
    );
    await source.send(['poison', event('full-1')]);
    await begin(made);
    await until(made, {
      failure: { code: 'rejected_full', detail: String(maxRejected) },
      messages: 0,
      rejected: maxRejected,
    });
    expect(await pending(source.name)).toBe(2);
    await console.ok(eventStreams.dropRejectedMessages, { streamId: made.id }, { token: admin });
    await until(made, { failure: null, messages: 2, events: 1, rejected: 1 });
  }, 90_000);

  it('T-STREAM: a preview shows the next messages without moving the position', async () => {
    const source = await fresh();
    await source.send([event('v-1'), 'no json', event('v-2', { subject: null })]);
    const made = await make(source.settings);
    const preview = (more: object = {}) =>
      console.ok(eventStreams.previewEventStream, { streamId: made.id, ...more } as never, { token: admin });
    for (let round = 0; round < 2; round++) {
      const { failure, messages } = await preview();
      expect(failure).toBeNull();
      expect(messages.map(({ problem }) => problem !== null)).toEqual([false, true, true]);
      expect(messages[0]?.events).toHaveLength(1);
    }
    const mapped = await preview({ format: 'mapped', expression: '{ "subject": subject, "type": type }' });
    expect(JSON.parse(mapped.messages[0]?.events[0] ?? '')).toMatchObject({
      source: `/event-streams/${made.id}`,
      subject: sub,
    });
    expect(await counted('v-')).toEqual({});
    await begin(made);
    await until(made, { messages: 3, events: 1 });
    await vi.waitFor(async () => expect(await pending(source.name)).toBe(0), { timeout: 20_000 });
    expect((await preview()).messages).toEqual([]);
    await source.send([event('v-3')]);
    await until(made, { messages: 4 });
  });

  it('T-STREAM: revoked credentials, a missing stream and an unsuitable consumer are reported, and corrected settings continue', async () => {
    const source = await fresh();
    await source.send([event('r-1')]);
    const made = await make({ ...source.settings, credentials: { ...credentials, password: 'wrong' } });
    await begin(made);
    await until(made, { failure: { code: 'refused_credentials' }, isConnected: false });
    const update = async (more: object) => {
      const { version } = await get(made);
      return console.ok(eventStreams.updateEventStream, { streamId: made.id, version, ...more } as never, {
        token: admin,
      });
    };
    await update({ credentials, options: { ...source.settings.options, stream: 'MISSING' } });
    await until(made, { failure: { code: 'not_found' } });
    await manager.consumers.add(source.name, { durable_name: 'theirs', ack_policy: 'none' as never });
    await update({ options: { ...source.settings.options, consumer: 'theirs' } });
    await until(made, { failure: { code: 'consumer_unfit', detail: 'theirs' } });
    await update({ options: source.settings.options });
    await until(made, { failure: null, events: 1 });
    const shown = JSON.stringify(await get(made));
    expect(shown).not.toContain(password);
    const { rows } = await sql<{
      sealed: string;
    }>`select encode(credentials, 'escape') as sealed from event_stream where id = ${made.id}`.execute(db());
    expect(rows[0]?.sealed).not.toContain(password);
  }, 90_000);

  it('T-STREAM: a broker that is killed is reported, and read again when it is back', async () => {
    const source = await fresh();
    await source.send([event('k-1')]);
    const made = await make(source.settings);
    await begin(made);
    await until(made, { events: 1 });
    await connection.close();
    await server.kill();
    await until(made, { failure: { code: 'unreachable' }, isConnected: false });
    await server.restart();
    await open();
    await client.publish(`${source.name}.a`, event('k-2'));
    console.clock.set(new Date(Date.now() + 60_000));
    await until(made, { failure: null, events: 2, isConnected: true });
    expect(Object.keys(await counted('k-')).toSorted()).toEqual(['k-1', 'k-2']);
  }, 90_000);

  it('T-STREAM: a console that lost the stream to another one cannot commit, and messages count once', async () => {
    const source = await fresh();
    const made = await make(source.settings);
    await begin(made);
    await until(made, { isConnected: true });
    let [read, recorded] = [0, 0];
    armFailPoints(console.app, (point) => {
      if (point === 'event-streams: a batch was read') read++;
      if (point === 'event-streams: a batch was recorded') recorded++;
    });
    const heldUntil = async (): Promise<number> => {
      const { rows } = await sql<{
        at: Date;
      }>`select held_until as at from event_stream where id = ${made.id}`.execute(db());
      return rows[0]?.at.getTime() ?? 0;
    };
    // Right after a renewal the next use of this row is to record the batch.
    const before = await heldUntil();
    await vi.waitFor(async () => expect(await heldUntil()).not.toBe(before), {
      timeout: 10_000,
      interval: 20,
    });
    await db()
      .transaction()
      .execute(async (other) => {
        await sql`update event_stream set holder = 'another', held_until = clock_timestamp() + interval '1 hour' where id = ${made.id}`.execute(
          other,
        );
        await source.send([event('l-1')]);
        await vi.waitFor(() => expect(read).toBe(1), { timeout: 10_000, interval: 20 });
      });
    // Enough time to record it after all.
    await pause(1500);
    await look();
    expect([recorded, await counted('l-'), await pending(source.name)]).toEqual([0, {}, 1]);
    await sql`update event_stream set held_until = clock_timestamp() where id = ${made.id}`.execute(db());
    await until(made, { messages: 1, events: 1, duplicates: 0 });
  }, 90_000);

  it('T-STREAM: a paused stream is not read, and continues at its position when started', async () => {
    const source = await fresh({ start: 'latest' });
    await source.send([event('s-old')]);
    const made = await make(source.settings);
    await begin(made);
    await until(made, { isConnected: true });
    await source.send([event('s-1')]);
    await until(made, { events: 1 });
    await console.ok(eventStreams.pauseEventStream, { streamId: made.id }, { token: admin });
    await vi.waitFor(
      async () => {
        const { rows } = await sql<{
          held: boolean;
        }>`select coalesce(held_until > clock_timestamp(), false) as held from event_stream where id = ${made.id}`.execute(
          db(),
        );
        expect(rows[0]?.held).toBe(false);
      },
      { timeout: 10_000 },
    );
    await source.send([event('s-2')]);
    await look();
    expect(await get(made)).toMatchObject({ state: 'paused', events: 1 });
    await begin(made);
    await until(made, { events: 2 });
    expect(Object.keys(await counted('s-'))).toEqual(['s-1', 's-2']);
  });
});

describe.skipIf(!hasKcat)('Kafka (librdkafka’s own cluster; Debian: apt install kcat)', () => {
  let topic = 0;
  const fresh = async (more: object = {}) => {
    const name = `usage${topic++}`;
    const cluster = await startKafka(name);
    return {
      name,
      send: (messages: readonly string[], partition = 0) => produce(cluster.port, name, messages, partition),
      stop: cluster.stop,
      settings: {
        address: `kafka://127.0.0.1:${cluster.port}`,
        options: { kind: 'kafka', topic: name, group: 'skytally', mechanism: 'PLAIN' },
        ...more,
      },
    };
  };
  const positions = async ({ id }: EventStream): Promise<string[]> => {
    const { rows } = await sql<{
      at: string;
    }>`select partition || ':' || next_offset as at from event_stream_position where stream_id = ${id} and next_offset > 0 order by 1`.execute(
      db(),
    );
    return rows.map(({ at }) => at);
  };

  it('T-STREAM: Kafka’s partitions are read from the offsets that are stored with the events', async () => {
    const source = await fresh();
    await source.send(ids('ka', 700).map((id) => event(id)));
    await source.send(['poison', event('kb0')], 2);
    const made = await make(source.settings);
    await begin(made);
    await until(made, { messages: 702, events: 701, rejected: 1, lag: 0, failure: null });
    expect(Object.keys(await counted('ka'))).toHaveLength(700);
    expect(await positions(made)).toEqual([`${source.name}/0:700`, `${source.name}/2:2`]);
    expect((await rejectedOf(made))[0]).toMatchObject({
      position: `${source.name}/2/0`,
      code: 'eventstreams.message_no_json',
    });
  });

  it('T-STREAM: whatever crashes between reading and acknowledging, an offset moves together with its events or not at all', async () => {
    for (const point of ['event-streams: a batch was read', 'event-streams: a batch was recorded']) {
      const source = await fresh({ format: 'mapped', expression: `{ "subject": customer, "type": "call" }` });
      await source.send(Array.from({ length: 5 }, () => JSON.stringify({ customer: sub })));
      const made = await make(source.settings);
      let reached = 0;
      armFailPoints(console.app, (at) => {
        if (at === point && reached++ === 0) throw new Error('the process dies here');
      });
      await begin(made);
      await vi.waitFor(() => expect(reached).toBe(1), { timeout: 20_000 });
      expect(await positions(made)).toEqual(point.endsWith('read') ? [] : [`${source.name}/0:5`]);
      // Recorded messages are not even read again.
      await until(made, { messages: 5, events: 5, duplicates: 0, lag: 0 });
      expect(Object.values(await counted(`${source.name}/0/`))).toEqual([1, 1, 1, 1, 1]);
    }
  }, 90_000);

  it('T-STREAM: a preview of Kafka moves no offset, and an unavailable cluster is reported', async () => {
    const source = await fresh();
    await source.send([event('kp-1')]);
    const made = await make(source.settings);
    const { messages } = await console.ok(
      eventStreams.previewEventStream,
      { streamId: made.id },
      { token: admin },
    );
    expect(messages).toHaveLength(1);
    expect(await counted('kp-')).toEqual({});
    await begin(made);
    await until(made, { events: 1 });
    source.stop();
    await until(made, { failure: { code: 'unreachable' } });
  }, 60_000);
});

describe.skipIf(!hasMosquitto)('MQTT (Debian: apt install mosquitto)', () => {
  let server: Broker;
  beforeAll(async () => {
    server = await startMosquitto(password);
  });
  const send = async (messages: readonly string[], topic = 'usage/a'): Promise<void> => {
    const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${server.port}`, {
      username: 'meter',
      password,
    });
    for (const each of messages) await client.publishAsync(topic, each, { qos: 1 });
    await client.endAsync();
  };
  const settingsOf = (filter: string, version: string) => ({
    address: `mqtt://127.0.0.1:${server.port}`,
    credentials: { kind: 'basic', user: 'meter', password },
    options: { kind: 'mqtt', filter, version },
  });

  it.each(['3.1.1', '5'])(
    'T-STREAM: MQTT %s delivers messages sent while nobody read, and redelivers unacknowledged ones',
    async (version) => {
      const topic = `q${version.replaceAll('.', '')}`;
      const made = await make(settingsOf(`${topic}/#`, version));
      await begin(made);
      await until(made, { isConnected: true, lag: null });
      let reached = 0;
      armFailPoints(console.app, (at) => {
        if (at === 'event-streams: a batch was read' && reached++ === 1)
          throw new Error('the process dies here');
      });
      await send([event(`${topic}-1`), event(`${topic}-2`), 'poison', event(`${topic}-3`)], `${topic}/x`);
      // The acknowledgment before the missing one may be lost with the connection: then its message is
      // redelivered and recognized.
      await until(made, { events: 3, rejected: 1 });
      await console.ok(eventStreams.pauseEventStream, { streamId: made.id }, { token: admin });
      await vi.waitFor(
        async () => {
          const { rows } = await sql<{
            held: boolean;
          }>`select coalesce(held_until > clock_timestamp(), false) as held from event_stream where id = ${made.id}`.execute(
            db(),
          );
          expect(rows[0]?.held).toBe(false);
        },
        { timeout: 10_000 },
      );
      await send([event(`${topic}-4`)], `${topic}/x`);
      await begin(made);
      await until(made, { events: 4 });
      expect(Object.keys(await counted(`${topic}-`))).toHaveLength(4);
      expect(reached).toBeGreaterThan(4);
    },
    90_000,
  );

  it('T-STREAM: an MQTT message without an id is rejected by the mapping, and wrong passwords are reported', async () => {
    const made = await make({
      ...settingsOf('w/#', '5'),
      format: 'mapped',
      expression: '{ "subject": s, "type": "call" }',
    });
    await begin(made);
    await until(made, { isConnected: true });
    await send([JSON.stringify({ s: sub })], 'w/1');
    await until(made, { rejected: 1 });
    expect((await rejectedOf(made))[0]).toMatchObject({ code: 'eventstreams.mapping_no_id' });
    const wrong = await make({
      ...settingsOf('w/#', '5'),
      credentials: { kind: 'basic', user: 'meter', password: 'no' },
    });
    await begin(wrong);
    await until(wrong, { failure: { code: 'refused_credentials' } });
  }, 60_000);
});

describe('settings of streams', () => {
  const nats = { kind: 'nats', stream: 'S', subject: '', consumer: 'c' };
  const code = async (more: object): Promise<unknown> => {
    const answer = await console.call(
      eventStreams.createEventStream,
      settings({ options: nats, address: 'tls://nats.example.com', ...more }) as never,
      { token: admin },
    );
    return answer.status === 201 ? 201 : answer;
  };

  it('T-STREAM: internal addresses are rejected, and so are credentials in addresses, other schemes and mixed ones', async () => {
    const issue = async (address: string, more: object = {}) =>
      JSON.stringify(await code({ address, ...more }));
    expect(await issue('tls://nats.example.com')).toBe('201');
    expect(await issue('nats://nats.example.com')).toContain('address_not_https');
    expect(await issue('tls://10.0.0.9:4222')).toContain('address_not_public');
    expect(await issue('tls://nats')).toContain('address_host');
    expect(await issue('tls://me:secret@nats.example.com')).toContain('address_credentials');
    expect(await issue('kafka://nats.example.com')).toContain('address_scheme');
    expect(await issue('nats://127.0.0.1:4222, tls://nats.example.com')).toContain('address_scheme');
    expect(await issue('nonsense')).toContain('address_malformed');
    expect(await issue('tls://a.example.com:22')).toContain('address_port');
    expect(
      await issue('kafka+tls://a.example.com', {
        options: { kind: 'kafka', topic: 't', group: 'g', mechanism: 'PLAIN' },
        credentials: { kind: 'token', token: 'x' },
      }),
    ).toContain('credentials_unfit');
    expect(await issue('nats://127.0.0.1', { format: 'mapped', expression: '{' })).toContain(
      'expression_wrong',
    );
    expect(await issue('nats://127.0.0.1', { format: 'mapped' })).toContain('expression_missing');
  });

  it('T-STREAM: another server needs the credentials again, and an outdated version changes nothing', async () => {
    const made = await make({
      options: nats,
      address: 'nats://127.0.0.1:1',
      credentials: { kind: 'basic', user: 'a', password: 'b' },
    });
    const change = (more: object) =>
      console.call(
        eventStreams.updateEventStream,
        { streamId: made.id, version: made.version, ...more } as never,
        { token: admin },
      );
    expect(JSON.stringify(await change({ address: 'nats://127.0.0.1:2' }))).toContain('credentials_again');
    expect((await change({ address: 'nats://127.0.0.1:2', credentials: { kind: 'none' } })).status).toBe(200);
    expect((await change({ name: 'Late' })).status).toBe(409);
    const kind = await console.call(
      eventStreams.updateEventStream,
      {
        streamId: made.id,
        version: made.version + 1,
        address: 'mqtt://127.0.0.1',
        options: { kind: 'mqtt', filter: 'a', version: '5' },
      } as never,
      { token: admin },
    );
    expect(JSON.stringify(kind)).toContain('kind_fixed');
  });
});
