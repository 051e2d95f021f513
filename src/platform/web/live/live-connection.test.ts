import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Aedes } from 'aedes';
import { createWebSocketStream, WebSocketServer } from 'ws';
import { afterEach, describe, expect, it } from 'vitest';
import { nowMs } from '../time/clock.ts';
import { connectLive } from './live-connection.ts';
import { mayBeMissed, type LiveMessage, type LiveState } from './live-message.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0).toReversed()) close();
});

/** A real broker over websocket that accepts each ticket once and refuses the topic 'forbidden'. */
async function broker(port = 0) {
  const tickets = new Set<string>();
  const seen: { user: string; ticket: string; clientId: string }[] = [];
  const aedes = await Aedes.createBroker({
    authenticate: (client, user, password, done) => {
      const ticket = password?.toString() ?? '';
      seen.push({ user: user ?? '', ticket, clientId: client.id });
      done(null, tickets.delete(ticket));
    },
    authorizeSubscribe: (_client, subscription, done) =>
      done(null, subscription.topic === 'forbidden' ? null : subscription),
  });
  const sockets = new Set<{ destroy: () => void }>();
  const server: Server = createServer();
  const web = new WebSocketServer({ server, path: '/mqtt' });
  web.on('connection', (socket, request) => {
    const stream = createWebSocketStream(socket);
    stream.on('error', () => undefined);
    sockets.add(stream);
    aedes.handle(stream, request);
  });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  const drop = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  closers.push(() => {
    drop();
    server.close();
    aedes.close();
  });
  const publish = (topic: string, payload: string) =>
    aedes.publish(
      { topic, payload: Buffer.from(payload), cmd: 'publish', qos: 0, dup: false, retain: false },
      () => undefined,
    );
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/mqtt`,
    tickets,
    seen,
    drop,
    publish,
    server,
    subscribed: (count: number) =>
      new Promise<void>((done) => {
        let left = count;
        aedes.on('subscribe', () => {
          if (--left === 0) done();
        });
      }),
  };
}

function listen(app: Awaited<ReturnType<typeof broker>>, topics: readonly string[]) {
  const messages: [string, LiveMessage][] = [];
  const states: LiveState[] = [];
  const missed: LiveState[][] = [];
  const waiting: { holds: () => boolean; done: () => void }[] = [];
  const look = () => {
    for (const one of waiting) if (one.holds()) one.done();
  };
  let issued = 0;
  const stop = connectLive({
    url: app.url,
    userId: 'usr_1',
    topics,
    startedAtMs: nowMs(),
    firstPauseMs: 40,
    askTicket: () => {
      const ticket = `ticket-${++issued}`;
      app.tickets.add(ticket);
      return Promise.resolve(ticket);
    },
    onState: (state) => {
      states.push(state);
      look();
    },
    onMissed: () => void missed.push([...states]),
    onMessage: (topic, message) => {
      messages.push([topic, message]);
      look();
    },
  });
  closers.push(stop);
  return {
    messages,
    states,
    missed,
    stop,
    until: (holds: () => boolean) =>
      holds() ? Promise.resolve() : new Promise<void>((done) => waiting.push({ holds, done })),
  };
}

describe('R-NOTE-03 the live connection', () => {
  it('receives its topics with user id and ticket, although another topic is rejected', async () => {
    const app = await broker();
    const subscribed = app.subscribed(2);
    const client = listen(app, ['org/a/usage', 'forbidden', 'user/usr_1/notifications']);
    await subscribed;
    app.publish('org/a/usage', '{"kind":"usage"}');
    app.publish('org/a/usage', 'no json');
    app.publish('user/usr_1/notifications', '{"kind":"new"}');
    await client.until(() => client.messages.length === 2);
    expect(client.messages).toEqual([
      ['org/a/usage', { kind: 'usage' }],
      ['user/usr_1/notifications', { kind: 'new' }],
    ]);
    expect(app.seen).toHaveLength(1);
    expect(app.seen[0]).toMatchObject({ user: 'usr_1', ticket: 'ticket-1' });
    expect(app.seen[0]?.clientId).toMatch(/^usr_1-/);
    expect(client.missed).toEqual([]);
  });

  it('reconnects with a new ticket after it was cut off', async () => {
    const app = await broker();
    const client = listen(app, ['org/a/usage']);
    await client.until(() => client.states.at(-1) === 'live');
    const again = app.subscribed(1);
    app.drop();
    await client.until(
      () =>
        client.states.includes('waiting') && client.states.filter((state) => state === 'live').length === 2,
    );
    await again;
    app.publish('org/a/usage', '{"kind":"usage"}');
    await client.until(() => client.messages.length === 1);
    expect(app.seen.map((one) => one.ticket)).toEqual(['ticket-1', 'ticket-2']);
    expect(client.states).toEqual(['waiting', 'live', 'waiting', 'live']);
    expect(client.missed).toEqual([['waiting', 'live', 'waiting', 'live']]);
  });

  it('F14: waits for a broker that is gone, and connects to its replacement', async () => {
    const first = await broker();
    const client = listen(first, ['org/a/usage']);
    await client.until(() => client.states.at(-1) === 'live');
    const { port } = new URL(first.url);
    const gone = new Promise((done) => first.server.once('close', done));
    first.server.close();
    first.drop();
    await gone;
    // At least two attempts find no broker.
    await client.until(() => client.states.filter((state) => state === 'waiting').length >= 3);
    const second = await broker(Number(port));
    for (const ticket of Array.from({ length: 20 }, (_, number) => `ticket-${number}`))
      second.tickets.add(ticket);
    const again = second.subscribed(1);
    await client.until(() => client.states.at(-1) === 'live');
    await again;
    second.publish('org/a/usage', '{"kind":"usage"}');
    await client.until(() => client.messages.length === 1);
    expect(client.messages).toEqual([['org/a/usage', { kind: 'usage' }]]);
    // Never the previous connection’s ticket.
    expect(second.seen.every(({ ticket }) => ticket !== 'ticket-1')).toBe(true);
  });

  it('stays off once it is stopped', async () => {
    const app = await broker();
    const client = listen(app, ['org/a/usage']);
    await client.until(() => client.states.at(-1) === 'live');
    client.stop();
    expect(client.states.at(-1)).toBe('off');
    expect(app.tickets.size).toBe(0);
  });

  it.each([
    [undefined, 10, true],
    [0, 10, true],
    [1200, 1500, true],
    [1500, 1200, false],
    [14_000, 900, false],
  ])('a message %s ms ago for a page of %s ms: reload, %s', (ago, age, looks) =>
    expect(mayBeMissed({ kind: 'missed', ...(ago !== undefined && { ago }) }, age)).toBe(looks),
  );
});
