import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generate, parser, type Packet } from 'mqtt-packet';
import { WebSocketServer, type WebSocket } from 'ws';
import { afterEach, describe, expect, it } from 'vitest';
import { hear } from './mqtt-listener.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0).toReversed()) close();
});

type Served = {
  readonly socket: WebSocket;
  readonly packets: Packet[];
  readonly next: (cmd: Packet['cmd']) => Promise<Packet>;
};

/** A websocket that reads MQTT with a reader of its own (mqtt-packet) and says what the test says. */
async function served(talk: (side: Served) => Promise<void>): Promise<string> {
  const server: Server = createServer();
  const web = new WebSocketServer({ server });
  web.on('connection', (socket) => {
    const packets: Packet[] = [];
    const waiting: { cmd: Packet['cmd']; done: (packet: Packet) => void }[] = [];
    const reader = parser({ protocolVersion: 4 });
    reader.on('packet', (packet: Packet) => {
      packets.push(packet);
      waiting.find((one) => one.cmd === packet.cmd)?.done(packet);
    });
    socket.on('message', (data) => void reader.parse(data as Buffer));
    const next: Served['next'] = (cmd) => {
      const known = packets.find((one) => one.cmd === cmd);
      return known ? Promise.resolve(known) : new Promise((done) => waiting.push({ cmd, done }));
    };
    void talk({ socket, packets, next });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closers.push(() => {
    for (const client of web.clients) client.terminate();
    server.close();
  });
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/mqtt`;
}

/** Hears until it ends, or `count` messages came. */
async function heard(url: string, count = Infinity) {
  const messages: [string, string][] = [];
  const events: string[] = [];
  let end = (): void => undefined;
  await new Promise<void>((done) => {
    end = hear({
      url,
      clientId: 'usr_1-a',
      userName: 'usr_1',
      password: '票 ticket',
      topics: ['org/a/usage', 'org/a/帳單'],
      onLive: () => void events.push('live'),
      onMessage: (topic, payload) => {
        messages.push([topic, payload]);
        if (messages.length === count) done();
      },
      onClose: () => {
        events.push('closed');
        done();
      },
    });
    closers.push(() => end());
  });
  return { messages, events, end };
}

const accept = generate({ cmd: 'connack', returnCode: 0, sessionPresent: false });
const granted = (messageId: number) => generate({ cmd: 'suback', messageId, granted: [0] });
const message = (topic: string, payload: string) =>
  generate({ cmd: 'publish', topic, payload, qos: 0, dup: false, retain: false });

describe('R-NOTE-03 the listener of MQTT 3.1.1', () => {
  it('says who it is and what it wants in packets that another reader understands, and is live after the last answer', async () => {
    let said: readonly Packet[] = [];
    const url = await served(async ({ socket, next, packets }) => {
      await next('connect');
      socket.send(accept);
      await next('subscribe');
      socket.send(Buffer.concat([granted(1), granted(2), message('org/a/usage', '{"kind":"用量"}')]));
      said = packets;
    });
    const { messages, events } = await heard(url, 1);
    expect(messages).toEqual([['org/a/usage', '{"kind":"用量"}']]);
    expect(events).toEqual(['live']);
    expect(said[0]).toMatchObject({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: true,
      keepalive: 30,
      clientId: 'usr_1-a',
      username: 'usr_1',
    });
    expect(said[0] && 'password' in said[0] && said[0].password?.toString()).toBe('票 ticket');
    expect(
      said.slice(1).map((one) => one.cmd === 'subscribe' && [one.messageId, one.subscriptions]),
    ).toMatchObject([
      [1, [{ topic: 'org/a/usage', qos: 0 }]],
      [2, [{ topic: 'org/a/帳單', qos: 0 }]],
    ]);
  });

  it('reads packets that come in pieces, several in one frame, and longer than one byte can say', async () => {
    const long = 'x'.repeat(20_000);
    const all = Buffer.concat([
      message('org/a/usage', 'one'),
      message('org/a/usage', long),
      message('org/a/usage', 'three'),
    ]);
    const url = await served(async ({ socket, next }) => {
      await next('connect');
      socket.send(Buffer.concat([accept, granted(1), granted(2)]));
      for (const [from, to] of [
        [0, 1],
        [1, 4],
        [4, 9000],
        [9000, all.length - 2],
        [all.length - 2, all.length],
      ])
        socket.send(all.subarray(from, to));
    });
    const { messages } = await heard(url, 3);
    expect(messages.map(([, payload]) => payload)).toEqual(['one', long, 'three']);
  });

  it.each([
    ['refuses the ticket', generate({ cmd: 'connack', returnCode: 4, sessionPresent: false })],
    ['says something that no server says', generate({ cmd: 'pingreq' })],
    ['says a length that there is not', Buffer.from([0x30, 0xff, 0xff, 0xff, 0xff, 0x01])],
    ['announces a packet larger than anything is', Buffer.from([0x30, 0xff, 0xff, 0x7f])],
  ])('ends once when the server %s', async (_what, bytes) => {
    const url = await served(async ({ socket, next }) => {
      await next('connect');
      socket.send(bytes);
    });
    const { messages, events } = await heard(url);
    expect([messages, events]).toEqual([[], ['closed']]);
  });

  it('is told when the connection is lost, and says goodbye when it ends by itself', async () => {
    const lost = await served(async ({ socket, next }) => {
      await next('connect');
      socket.send(Buffer.concat([accept, granted(1), granted(2)]));
      socket.terminate();
    });
    expect((await heard(lost)).events).toEqual(['live', 'closed']);
    let goodbye: Promise<Packet> | undefined;
    const left = await served(async ({ socket, next }) => {
      goodbye = next('disconnect');
      await next('connect');
      socket.send(Buffer.concat([accept, granted(1), granted(2), message('org/a/usage', 'one')]));
    });
    const { end, events } = await heard(left, 1);
    end();
    await goodbye;
    expect(events).toEqual(['live']);
  });
});
