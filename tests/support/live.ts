// A live client at packet level: sends arbitrary bytes, and reads only when the test says so.
import { generate, parser, type Packet } from 'mqtt-packet';
import { WebSocket } from 'ws';
import { identity } from '#features/access/identity/contract.ts';
import { atFileEnd } from './clean-up.ts';
import type { TestConsole } from './console.ts';

export type Person = { readonly token: string; readonly userId: string };

export class RawClient {
  readonly socket: WebSocket;
  readonly packets: Packet[] = [];
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  #waiting: (() => void)[] = [];

  private constructor(socket: WebSocket) {
    this.socket = socket;
    const reading = parser({ protocolVersion: 4 });
    reading.on('packet', (packet) => {
      this.packets.push(packet);
      for (const each of this.#waiting.splice(0)) each();
    });
    socket.on('message', (bytes: Buffer) => reading.parse(bytes));
    socket.on('error', () => undefined);
    this.closed = new Promise((done) => socket.once('close', () => done()));
    atFileEnd(() => socket.terminate());
  }

  /** Opens the websocket; rejects when it is refused. */
  static async open(
    console: Pick<TestConsole, 'address'>,
    options: { path?: string; origin?: string | null; headers?: Record<string, string> } = {},
  ): Promise<RawClient> {
    const origin = options.origin === undefined ? console.address : options.origin;
    const socket = new WebSocket(
      `${console.address.replace('http', 'ws')}${options.path ?? '/mqtt'}`,
      'mqtt',
      { ...(origin === null ? {} : { origin }), ...(options.headers ? { headers: options.headers } : {}) },
    );
    const client = new RawClient(socket);
    await new Promise<void>((opened, refused) => {
      socket.once('open', () => opened());
      socket.once('error', refused);
    });
    return client;
  }

  /** A user's page: connected, and subscribed to these topics. */
  static async connect(
    console: Pick<TestConsole, 'address' | 'ok'>,
    who: Person,
    topics: readonly string[] = [],
    keepalive = 60,
  ): Promise<RawClient> {
    const client = await RawClient.open(console);
    const { ticket } = await console.ok(identity.liveTicket, {}, { token: who.token });
    const answer = await client.sendConnect(
      who.userId,
      ticket,
      `${who.userId}-${crypto.randomUUID().slice(0, 13)}`,
      keepalive,
    );
    if (answer !== 0) throw new Error(`CONNACK ${answer}`);
    if (topics.length > 0) await client.subscribe(topics);
    return client;
  }

  send(bytes: Buffer): void {
    this.socket.send(bytes);
  }

  /** Sends CONNECT; resolves to the return code. */
  async sendConnect(
    username: string,
    password: string,
    clientId: string,
    keepalive = 60,
    more: object = {},
  ): Promise<number> {
    this.send(
      generate({
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: 4,
        clean: true,
        keepalive,
        clientId,
        username,
        password: Buffer.from(password),
        ...more,
      }),
    );
    const answer = await this.next('connack');
    return answer.cmd === 'connack' ? (answer.returnCode ?? -1) : -1;
  }

  /** Sends SUBSCRIBE; resolves to the granted level of each topic. */
  async subscribe(topics: readonly string[]): Promise<readonly unknown[]> {
    this.send(
      generate({ cmd: 'subscribe', messageId: 1, subscriptions: topics.map((topic) => ({ topic, qos: 0 })) }),
    );
    const answer = await this.next('suback');
    return answer.cmd === 'suback' ? answer.granted : [];
  }

  /** Removes and returns the next packet of a kind; rejects when the connection ends first. */
  async next(cmd: Packet['cmd']): Promise<Packet> {
    for (;;) {
      const place = this.packets.findIndex((packet) => packet.cmd === cmd);
      if (place >= 0) return this.packets.splice(place, 1)[0] as Packet;
      await Promise.race([
        new Promise<void>((done) => this.#waiting.push(done)),
        this.closed.then(() => Promise.reject(new Error(`closed before ${cmd}`))),
      ]);
    }
  }

  /** The messages received so far. */
  heard(): { topic: string; message: unknown }[] {
    return this.packets.flatMap((packet) =>
      packet.cmd === 'publish'
        ? [{ topic: packet.topic, message: JSON.parse(packet.payload.toString()) as unknown }]
        : [],
    );
  }

  /** The messages received, except notices that one may have been missed. */
  news(): { topic: string; message: unknown }[] {
    return this.heard().filter(({ message }) => !JSON.stringify(message).startsWith('{"kind":"missed"'));
  }
}

/** Publishes on a topic as every change does: through the database. */
export async function publish(console: TestConsole, topic: string, message: object): Promise<void> {
  await console.app.database.pool.query('select pg_notify($1, $2)', [
    'skytally_live',
    JSON.stringify({ topics: [topic], message }),
  ]);
}

/** The numbers of clients and subscriptions of the console's broker. */
export async function liveCounts(console: TestConsole): Promise<{ clients: number; subscriptions: number }> {
  const text = await (await fetch(`${console.address}/metrics`)).text();
  const figure = (name: string): number => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  return { clients: figure('live_clients'), subscriptions: figure('live_subscriptions') };
}
