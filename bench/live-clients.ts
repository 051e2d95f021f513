// Thousands of MQTT clients over websockets in a separate process. They only count bytes, so that they cost
// the same with every server.
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { generate } from 'mqtt-packet';

/** How to reach a server: without `passwords` it accepts every client; a bare one does not speak MQTT. */
export type Target = {
  readonly port: number;
  readonly topic: string;
  readonly userName: string;
  readonly isBare: boolean;
};
export type Order =
  | { readonly order: 'connect'; readonly target: Target; readonly passwords: readonly string[] }
  | {
      readonly order: 'storm';
      readonly target: Target;
      readonly count: number;
      readonly ticketUrl: string;
      readonly token: string;
    }
  | { readonly order: 'calibrate' }
  | { readonly order: 'measure'; readonly messages: number; readonly inFlight: number }
  | { readonly order: 'drop'; readonly count: number };

type Client = { readonly socket: Socket; bytes: number; messages: number; ready: boolean };
const clients: Client[] = [];
/** Bytes of one message, with the server's framing. */
let unit = 0;
let total = 0;
let crossed: (client: Client, message: number) => void = () => undefined;
const now = (): number => performance.timeOrigin + performance.now();

/** A client's frame: masked, as the websocket protocol demands of clients. */
function frame(packet: Buffer): Buffer {
  const mask = randomBytes(4);
  const head =
    packet.length < 126
      ? Buffer.from([0x82, 0x80 | packet.length])
      : Buffer.from([0x82, 0xfe, packet.length >> 8, packet.length & 255]);
  return Buffer.concat([head, mask, packet.map((byte, index) => byte ^ (mask[index & 3] ?? 0))]);
}

/** The payload of a server's small frames. */
function unframed(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at + 1 < bytes.length; at += 2 + (bytes[at + 1] ?? 0))
    parts.push(bytes.subarray(at + 2, at + 2 + (bytes[at + 1] ?? 0)));
  return Buffer.concat(parts);
}

/** Connects one client; resolves when its subscription is acknowledged. */
function open(target: Target, number: number, password: string): Promise<Client> {
  return new Promise((ready, failed) => {
    const socket = connect({ port: target.port, host: '127.0.0.1' });
    const client: Client = { socket, bytes: 0, messages: 0, ready: false };
    let state: 'upgrade' | 'connack' | 'suback' | 'ready' = 'upgrade';
    let received = Buffer.alloc(0);
    const done = () => {
      state = 'ready';
      client.ready = true;
      ready(client);
    };
    socket.on('data', (bytes) => {
      if (state === 'ready') return count(client, bytes.length);
      received = Buffer.concat([received, bytes]);
      if (state === 'upgrade') {
        const end = received.indexOf('\r\n\r\n');
        if (end < 0) return;
        if (!received.subarray(0, 12).toString().includes('101'))
          return failed(new Error(received.toString()));
        if (target.isBare) return done();
        received = received.subarray(end + 4);
        state = 'connack';
        socket.write(
          frame(
            generate({
              cmd: 'connect',
              protocolId: 'MQTT',
              protocolVersion: 4,
              clean: true,
              keepalive: 600,
              clientId: `${target.userName}-${process.pid}-${number}-${randomBytes(4).toString('hex')}`,
              username: target.userName,
              password: Buffer.from(password),
            }),
          ),
        );
        return;
      }
      const packets = unframed(received);
      if (state === 'connack' && packets.length >= 4) {
        if (packets[3] !== 0) return failed(new Error(`CONNACK ${packets[3]}`));
        received = Buffer.alloc(0);
        state = 'suback';
        socket.write(
          frame(
            generate({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: target.topic, qos: 0 }] }),
          ),
        );
      } else if (state === 'suback' && packets.length >= 5) {
        // That something may have been missed in the last seconds comes right behind it, often in the same piece.
        if (packets[4] === 0x80) return failed(new Error('SUBACK denied'));
        done();
      }
    });
    socket.once('error', failed);
    socket.once('close', () => failed(new Error('closed')));
    socket.write(
      `GET /mqtt HTTP/1.1\r\nHost: 127.0.0.1:${target.port}\r\nOrigin: http://127.0.0.1:${target.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\nSec-WebSocket-Protocol: mqtt\r\n\r\n`,
    );
  });
}

function count(client: Client, length: number): void {
  client.bytes += length;
  total += length;
  if (unit === 0) return;
  for (; client.bytes >= (client.messages + 1) * unit;) crossed(client, client.messages++);
}

/** Runs `each` for every number, at most `atOnce` at the same time. */
async function all(count: number, atOnce: number, each: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count) await each(next++);
    }),
  );
}

/** Waits until nothing arrives any more. */
async function quiet(): Promise<void> {
  for (let before = -1; total !== before;) {
    before = total;
    await new Promise((done) => setTimeout(done, 400));
  }
}

/** Sends one message to all clients and returns its size in bytes with the server's framing. */
async function calibrate(): Promise<number> {
  unit = 0;
  // New subscribers may still be told that they missed something.
  await quiet();
  total = 0;
  for (const client of clients) Object.assign(client, { bytes: 0, messages: 0 });
  process.send?.({ publish: 0 });
  do await quiet();
  while (total === 0);
  unit = total / clients.length;
  if (!Number.isInteger(unit)) throw new Error(`${total} bytes for ${clients.length} clients`);
  return unit;
}

/**
 * Publishes with a fixed number of messages under way, and returns deliveries per second and the times of all
 * deliveries.
 */
async function measure(
  messages: number,
  inFlight: number,
): Promise<{ perSecond: number; p50: number; p99: number; lastP99: number }> {
  for (const client of clients) Object.assign(client, { bytes: 0, messages: 0 });
  const sentAt: number[] = [];
  const got: number[] = [];
  const times = new Float64Array(messages * clients.length);
  const lasts: number[] = [];
  let deliveries = 0;
  const began = now();
  await new Promise<void>((done) => {
    const publish = () => {
      if (sentAt.length === messages) return;
      sentAt.push(now());
      got.push(0);
      process.send?.({ publish: sentAt.length });
    };
    crossed = (_client, message) => {
      const ms = now() - (sentAt[message] ?? 0);
      times[deliveries++] = ms;
      const there = (got[message] = (got[message] ?? 0) + 1);
      if (there < clients.length) return;
      lasts.push(ms);
      if (lasts.length === messages) done();
      else publish();
    };
    for (let count = 0; count < inFlight; count++) publish();
  });
  const seconds = (now() - began) / 1000;
  const sorted = times.toSorted();
  const at = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
  return {
    perSecond: deliveries / seconds,
    p50: at(0.5),
    p99: at(0.99),
    lastP99: lasts.toSorted((a, b) => a - b)[Math.ceil(lasts.length * 0.99) - 1] ?? 0,
  };
}

async function obey(order: Order): Promise<unknown> {
  if (order.order === 'connect') {
    const began = now();
    await all(
      order.passwords.length,
      200,
      async (number) => void clients.push(await open(order.target, number, order.passwords[number] ?? '')),
    );
    return now() - began;
  }
  if (order.order === 'storm') {
    const began = now();
    // As browsers reconnect: each first requests a ticket, then connects.
    await all(order.count, 400, async (number) => {
      const answer = await fetch(order.ticketUrl, {
        method: 'POST',
        headers: { authorization: `Bearer ${order.token}`, 'content-type': 'application/json' },
        body: '{}',
      });
      if (!answer.ok) throw new Error(`ticket: ${answer.status}`);
      const { data } = (await answer.json()) as { data: { ticket: string } };
      clients.push(await open(order.target, number, data.ticket));
    });
    return now() - began;
  }
  if (order.order === 'calibrate') return calibrate();
  if (order.order === 'measure') return measure(order.messages, order.inFlight);
  const gone = clients.splice(0, order.count);
  await Promise.all(
    gone.map(
      ({ socket }) =>
        new Promise<void>((done) => {
          socket.removeAllListeners('close');
          socket.once('close', () => done());
          socket.destroy();
        }),
    ),
  );
  return gone.length;
}

process.on('message', (order: Order) => {
  obey(order).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.({ result: 'up' });
