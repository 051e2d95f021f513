// Attacks on the live connection (reliability.md 2.G, 116 to 120): whatever one client does, the others keep
// receiving their own messages, and only those.
import { connect as connectTcp } from 'node:net';
import { generate } from 'mqtt-packet';
import { beforeAll, describe, expect, it } from 'vitest';
import { isId, type Id } from '#kernel/ids.ts';
import { identity } from '#features/access/identity/contract.ts';
import { sessionDays } from '#features/access/identity/rules.ts';
import { createTestConsole, registerUser, setUp, signIn, type TestConsole } from '../support/console.ts';
import { publish, liveCounts, RawClient } from '../support/live.ts';

let console: TestConsole;
let user: { token: string; userId: string; organizationId: string };
let other: { token: string; userId: string; organizationId: string };
let usage: string;
/**
 * This client never authenticates and is cut off after twenty seconds; it starts first, so that the wait
 * overlaps the other tests.
 */
let nobody: RawClient;

beforeAll(async () => {
  console = await createTestConsole();
  await setUp(console);
  user = await registerUser(console, 'owner@one.example', 'One');
  other = await registerUser(console, 'owner@two.example', 'Two');
  usage = `org/${user.organizationId}/usage`;
  nobody = await RawClient.open(console);
});

let sent = 0;
/** Checks that another client still receives messages. */
async function othersGoOn(bystander: RawClient): Promise<void> {
  const message = { kind: 'usage', said: sent++ };
  await publish(console, usage, message);
  await expect.poll(() => bystander.heard().at(-1)).toEqual({ topic: usage, message });
}
const ticketOf = async (who = user) =>
  (await console.ok(identity.liveTicket, {}, { token: who.token })).ticket;
const fixed = (...bytes: number[]) => Buffer.from(bytes);
const publishTo = (topic: Buffer) =>
  Buffer.concat([fixed(0x30, 2 + topic.length + 1, 0, topic.length), topic, fixed(0x78)]);

describe('2.G-116: the origin of a websocket', () => {
  it.each(['https://evil.example', 'null', 'http://127.0.0.1:1'])(
    'a page of %s is rejected',
    async (origin) => {
      await expect(RawClient.open(console, { origin })).rejects.toThrow('403');
    },
  );

  it('without an Origin header a ticket of a person is not accepted', async () => {
    const client = await RawClient.open(console, { origin: null });
    expect(await client.sendConnect(user.userId, await ticketOf(), `${user.userId}-1`)).toBe(4);
    await expect(client.closed).resolves.toBeUndefined();
  });
});

describe('2.G-117: many headers, many fragments', () => {
  it('2,000 headers and 10,000 fragments of one byte do not crash the server or use much memory', async () => {
    const bystander = await RawClient.connect(console, user, [usage]);
    const before = process.memoryUsage().rss;
    const port = Number(new URL(console.address).port);
    const refused = await new Promise<string>((done, failed) => {
      const socket = connectTcp(port, '127.0.0.1', () =>
        socket.write(
          `GET /mqtt HTTP/1.1\r\nHost: x\r\n${Array.from({ length: 2000 }, (_, index) => `x-h${index}: ${'y'.repeat(20)}\r\n`).join('')}\r\n`,
        ),
      );
      socket.once('data', (bytes) => done(bytes.toString().split('\r\n')[0] ?? ''));
      socket.once('error', failed);
    });
    expect(refused).toMatch(/^HTTP\/1\.1 4\d\d /);
    const client = await RawClient.open(console);
    for (let count = 0; count < 10_000; count++) client.socket.send(fixed(0), { fin: false });
    client.socket.ping();
    await new Promise((done) => client.socket.once('pong', done));
    await othersGoOn(bystander);
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1024 * 1024);
  });
});

describe('2.G-118: data that is not MQTT closes its own connection, and no other', () => {
  const hello = (more: object = {}) =>
    generate({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: true,
      keepalive: 60,
      clientId: 'x',
      username: 'x',
      password: Buffer.from('x'),
      ...more,
    });
  it.each([
    ['a remaining length of five bytes', fixed(0x30, 0xff, 0xff, 0xff, 0xff, 0x01)],
    ['a packet that announces 70,000 bytes', fixed(0x30, 0xf0, 0xa2, 0x04)],
    ['an empty topic', publishTo(Buffer.alloc(0))],
    ['a topic that is not UTF-8', publishTo(fixed(0xc3, 0x28))],
    ['a topic with a NUL', publishTo(Buffer.from('a\0b'))],
    ['a topic that ends beyond its packet', fixed(0x30, 3, 0, 9, 0x61)],
    ['a subscription that is not UTF-8', Buffer.concat([fixed(0x82, 7, 0, 1, 0, 2, 0xc3, 0x28), fixed(0)])],
    ['a subscription without topics', fixed(0x82, 2, 0, 1)],
    ['a subscription with reserved bits', fixed(0x80, 5, 0, 1, 0, 0, 0)],
    ['quality of service 3', fixed(0x36, 4, 0, 1, 0x61, 0x78)],
    ['a second CONNECT', hello()],
    ['a packet that only servers send', generate({ cmd: 'connack', returnCode: 0, sessionPresent: false })],
    ['a packet of type 0', fixed(0x00, 0)],
    ['a packet of type 15', fixed(0xf0, 0)],
  ])('%s', async (_what, bytes) => {
    const bystander = await RawClient.connect(console, user, [usage]);
    const client = await RawClient.connect(console, user, [usage]);
    client.send(bytes);
    await expect(client.closed).resolves.toBeUndefined();
    await othersGoOn(bystander);
  });

  it.each([
    ['a text message', (client: RawClient) => client.socket.send('hello')],
    ['anything before CONNECT', (client: RawClient) => client.send(generate({ cmd: 'pingreq' }))],
    [
      'CONNECT of another protocol',
      (client: RawClient) =>
        client.send(
          Buffer.concat([
            fixed(0x10, 14, 0, 4),
            Buffer.from('HTTP'),
            fixed(4, 2, 0, 60, 0, 2),
            Buffer.from('xx'),
          ]),
        ),
    ],
    ['a message of more than 64 KB', (client: RawClient) => client.send(Buffer.alloc(70_000))],
  ])('%s, before authentication', async (_what, attack) => {
    const bystander = await RawClient.connect(console, user, [usage]);
    const client = await RawClient.open(console);
    attack(client);
    await expect(client.closed).resolves.toBeUndefined();
    await othersGoOn(bystander);
  });

  it('a conversation split into single bytes works as usual', async () => {
    const client = await RawClient.open(console);
    const bytes = generate({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: true,
      keepalive: 60,
      clientId: `${user.userId}-cut`,
      username: user.userId,
      password: Buffer.from(await ticketOf()),
    });
    for (const byte of bytes) client.send(fixed(byte));
    expect(await client.next('connack')).toMatchObject({ returnCode: 0 });
    // Sent at once: messages that arrive before CONNACK are not lost.
    const eager = await RawClient.open(console);
    eager.send(
      Buffer.concat([
        generate({
          cmd: 'connect',
          protocolId: 'MQTT',
          protocolVersion: 4,
          clean: true,
          keepalive: 60,
          clientId: `${user.userId}-eager`,
          username: user.userId,
          password: Buffer.from(await ticketOf()),
        }),
        generate({ cmd: 'subscribe', messageId: 7, subscriptions: [{ topic: usage, qos: 1 }] }),
        generate({ cmd: 'pingreq' }),
      ]),
    );
    expect([
      await eager.next('connack'),
      await eager.next('suback'),
      await eager.next('pingresp'),
    ]).toMatchObject([{ returnCode: 0 }, { messageId: 7, granted: [1] }, {}]);
  });

  it('an unsupported protocol level is answered as such', async () => {
    const client = await RawClient.open(console);
    client.send(
      generate(
        { cmd: 'connect', protocolId: 'MQTT', protocolVersion: 5, clean: true, keepalive: 60, clientId: 'x' },
        { protocolVersion: 5 },
      ),
    );
    expect(await client.next('connack')).toMatchObject({ returnCode: 1 });
    await expect(client.closed).resolves.toBeUndefined();
  });
});

describe('2.G-119: a short-lived single-use ticket is the password', () => {
  it('nothing in the address authenticates', async () => {
    for (const path of [
      `/mqtt?token=${await ticketOf()}`,
      `/mqtt?access_token=${user.token}`,
      '/mqtt?x',
      '/mqtt/',
      '//mqtt',
      '/MQTT',
    ])
      await expect(RawClient.open(console, { path }), path).rejects.toThrow();
    const client = await RawClient.open(console, { headers: { authorization: `Bearer ${user.token}` } });
    expect(await client.sendConnect(user.userId, '', `${user.userId}-1`)).toBe(4);
  });

  it('an access token is not a ticket, and a changed ticket is invalid', async () => {
    const ticket = await ticketOf();
    const [session, until, chance, signature] = ticket.split('.');
    const foreign = (await ticketOf(other)).split('.');
    const wrong = [
      user.token,
      `${foreign[0]}.${until}.${chance}.${signature}`,
      `${session}.zzzzzzzz.${chance}.${signature}`,
      `${session}.${until}.x.${signature}`,
      `${session}.${until}.${chance}.${foreign[3]}`,
      `${session}.${until}.${chance}`,
      `${ticket}.`,
      `${ticket}x`,
      foreign.join('.'),
    ];
    for (const password of wrong) {
      const client = await RawClient.open(console);
      expect(await client.sendConnect(user.userId, password, `${user.userId}-1`), password).toBe(4);
    }
    // None of the failed attempts used up the ticket.
    expect(await (await RawClient.open(console)).sendConnect(user.userId, ticket, `${user.userId}-1`)).toBe(
      0,
    );
    console.clock.advance(16 * 60_000);
    user.token = await signIn(console, 'owner@one.example');
    other.token = await signIn(console, 'owner@two.example');
  });

  it('one of 15 concurrent connections with the same ticket is accepted', async () => {
    const ticket = await ticketOf();
    const answers = await Promise.all(
      Array.from({ length: 15 }, async (_, index) =>
        (await RawClient.open(console)).sendConnect(user.userId, ticket, `${user.userId}-${index}`),
      ),
    );
    expect(answers.filter((answer) => answer === 0)).toHaveLength(1);
    console.clock.advance(16 * 60_000);
    user.token = await signIn(console, 'owner@one.example');
  });

  it('signing out closes the connections of that session immediately, and no others', async () => {
    const own = { ...user, token: await signIn(console, 'owner@one.example') };
    const [mine, another] = [
      await RawClient.connect(console, own, [usage]),
      await RawClient.connect(console, user, [usage]),
    ];
    const { items } = await console.ok(identity.sessions, {}, { token: own.token });
    const current = items.find((each) => each.current);
    await console.ok(
      identity.endSession,
      { sessionId: current?.id ?? ('' as Id<'ses'>) },
      { token: user.token },
    );
    await mine.closed;
    await othersGoOn(another);
    expect(mine.news()).toEqual([]);
  });

  it(
    'the connections of an expired session are closed within a minute, without an event',
    { timeout: 30_000 },
    async () => {
      const client = await RawClient.connect(console, user, [usage]);
      console.clock.advance(sessionDays * 86_400_000 + 1000);
      await expect(client.closed).resolves.toBeUndefined();
      user.token = await signIn(console, 'owner@one.example');
      other.token = await signIn(console, 'owner@two.example');
    },
  );
});

describe('2.G-120: a client has its own topics and client id, and cannot publish', () => {
  it('each foreign topic and wildcard is denied by itself; valid ones in the same request are granted', async () => {
    const client = await RawClient.connect(console, user);
    const foreign = [
      '#',
      '+/+',
      `user/${other.userId}/notifications`,
      'user/+/notifications',
      '$SYS/#',
      '$share/g/#',
      `$share/g/${usage}`,
      `org/${other.organizationId}/usage`,
      'org/+/usage',
      'system/metrics',
      `${usage}/`,
      `/${usage}`,
      `${usage}/#`,
      usage.toUpperCase(),
    ];
    expect(await client.subscribe([...foreign, usage])).toEqual([...foreign.map(() => 0x80), 0]);
    for (const topic of [
      `org/${other.organizationId}/usage`,
      `user/${other.userId}/notifications`,
      'system/metrics',
    ])
      await publish(console, topic, { kind: 'secret' });
    await publish(console, usage, { kind: 'usage' });
    await expect.poll(() => client.news()).toEqual([{ topic: usage, message: { kind: 'usage' } }]);
  });

  it.each([
    ['its own topic', () => usage, {}],
    ['another one’s', () => `user/${other.userId}/notifications`, {}],
    ['metering', () => 'usage/events', {}],
    ['the system', () => '$SYS/broker', {}],
    ['a retained message', () => usage, { retain: true }],
    ['a message with acknowledgment', () => usage, { qos: 1 as const, messageId: 3 }],
  ])('publishing to %s closes the connection and reaches nobody', async (_what, topic, more) => {
    const bystander = await RawClient.connect(console, user, [usage]);
    const client = await RawClient.connect(console, user, [usage]);
    client.send(
      generate({
        cmd: 'publish',
        qos: 0,
        dup: false,
        retain: false,
        topic: topic(),
        payload: '{"kind":"forged"}',
        ...more,
      }),
    );
    await expect(client.closed).resolves.toBeUndefined();
    await othersGoOn(bystander);
    expect(JSON.stringify(bystander.heard())).not.toContain('forged');
    expect(client.packets.some((packet) => packet.cmd === 'puback')).toBe(false);
  });

  it('nothing is kept for the next subscriber: neither what was published before nor what a client tried to leave', async () => {
    for (const payload of ['{"kind":"forged"}', '']) {
      const client = await RawClient.connect(console, user, [usage]);
      client.send(generate({ cmd: 'publish', qos: 0, dup: false, retain: true, topic: usage, payload }));
      await expect(client.closed).resolves.toBeUndefined();
    }
    await publish(console, usage, { kind: 'earlier' });
    const witness = await RawClient.connect(console, user, [usage]);
    await publish(console, usage, { kind: 'now' });
    await expect.poll(() => witness.news()).toEqual([{ topic: usage, message: { kind: 'now' } }]);
    const later = await RawClient.connect(console, user, [usage]);
    await othersGoOn(later);
    for (const kind of ['forged', 'earlier', 'now'])
      expect(JSON.stringify(later.heard())).not.toContain(kind);
    const published = later.packets.filter((packet) => packet.cmd === 'publish');
    expect(published.some((packet) => packet.retain)).toBe(false);
  });

  it('a last will is rejected, and so is the client id of another user', async () => {
    const client = await RawClient.open(console);
    expect(
      await client.sendConnect(user.userId, await ticketOf(), `${user.userId}-1`, 60, {
        will: { topic: usage, payload: Buffer.from('{}'), qos: 0, retain: false },
      }),
    ).toBe(5);
    for (const name of [`${other.userId}-1`, user.userId, 'x', '', 'y'.repeat(200)]) {
      const taken = await RawClient.open(console);
      expect(await taken.sendConnect(user.userId, await ticketOf(), name), name).not.toBe(0);
      await taken.closed;
    }
    console.clock.advance(16 * 60_000);
    user.token = await signIn(console, 'owner@one.example');
    other.token = await signIn(console, 'owner@two.example');
  });

  it('a user who is moved to another organization receives nothing more of the previous one', async () => {
    const client = await RawClient.connect(console, other, [`org/${other.organizationId}/usage`]);
    await console.ok(
      identity.updateUser,
      { userId: other.userId as Id<'usr'>, organizationId: user.organizationId as Id<'org'> },
      { token: await signIn(console, 'admin@cloud.example', 'a long enough passphrase') },
    );
    await expect(client.closed).resolves.toBeUndefined();
    const token = await signIn(console, 'owner@two.example');
    const again = await RawClient.connect(console, { ...other, token });
    expect(await again.subscribe([`org/${other.organizationId}/usage`, usage])).toEqual([0x80, 0]);
  });

  it('a client that unsubscribes receives nothing more of the topic', async () => {
    const client = await RawClient.connect(console, user, [usage, `user/${user.userId}/notifications`]);
    client.send(generate({ cmd: 'unsubscribe', messageId: 9, unsubscriptions: [usage] }));
    expect(await client.next('unsuback')).toMatchObject({ messageId: 9 });
    await publish(console, usage, { kind: 'usage' });
    await publish(console, `user/${user.userId}/notifications`, { kind: 'new' });
    await expect
      .poll(() => client.news())
      .toEqual([{ topic: `user/${user.userId}/notifications`, message: { kind: 'new' } }]);
  });

  it('ids with characters that are special in topics are rejected', () => {
    for (const id of [
      'usr_+',
      'usr_#',
      'usr_a/b',
      `${user.userId}/x`,
      `usr_${'+'.repeat(26)}`,
      `usr_${'#'.repeat(26)}`,
    ])
      expect(isId('usr', id)).toBe(false);
  });
});

// Runs before the keep-alive tests, whose silent clients disconnect at their own time.
it('disconnected clients leave nothing behind', async () => {
  const before = await liveCounts(console);
  const clients = await Promise.all(
    Array.from({ length: 5 }, () =>
      RawClient.connect(console, user, [usage, `user/${user.userId}/sessions`]),
    ),
  );
  expect(await liveCounts(console)).toEqual({
    clients: before.clients + 5,
    subscriptions: before.subscriptions + 10,
  });
  for (const [index, client] of clients.entries()) {
    if (index % 2 === 0) client.send(generate({ cmd: 'disconnect' }));
    else client.socket.terminate();
  }
  await expect.poll(() => liveCounts(console)).toEqual(before);
});

describe('the keep-alive (MQTT-3.1.2-24)', () => {
  it(
    'a client that is silent for 1.5 times of it is disconnected, also before authentication; one that pings stays',
    { timeout: 30_000 },
    async () => {
      const [silent, lively] = [
        await RawClient.connect(console, user, [], 1),
        await RawClient.connect(console, user, [usage], 1),
      ];
      const pings = setInterval(() => lively.send(generate({ cmd: 'pingreq' })), 400);
      await expect(Promise.all([silent.closed, nobody.closed])).resolves.toHaveLength(2);
      clearInterval(pings);
      await othersGoOn(lively);
    },
  );
});
