// MQTT 3.1.1 over websocket at /mqtt: each client hears only its own topics; nothing a client sends reaches another one.
import type { IncomingMessage, Server } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type pg from 'pg';
import type { Logger } from 'pino';
import { WebSocketServer } from 'ws';
import type { AdmitClient, BrokerClient, ClientOrigin, ReviewClients } from './broker-clients.ts';
import { BrokerConnection, type BrokerHall } from './broker-connection.ts';
import { Fanout, missedPayload } from './broker-fanout.ts';
import { listenLive, type LiveMessage } from './broker-listener.ts';
import { maxPacketBytes } from './broker-packets.ts';

const path = '/mqtt';
const lookForSilentMs = 1000;
/** Sessions and keys run out without anybody saying so: they are asked for this often. */
const reviewMs = 10_000;
/** TCP itself notices that the other side is gone, of clients too that set no keep-alive. */
const tcpKeepAliveMs = 60_000;

export type Broker = {
  /** How many clients are connected. */
  readonly clients: () => number;
  /** How many topics they hear, each counted for each of them. */
  readonly subscriptions: () => number;
  readonly close: () => Promise<void>;
};

type BrokerOptions = {
  readonly server: Server;
  readonly connection: pg.PoolConfig;
  readonly admit: AdmitClient;
  readonly review: ReviewClients;
  /** Decides by a websocket's Origin header. */
  readonly originAllowed: (request: IncomingMessage) => boolean;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly log: Logger;
};

/** Starts the broker on an HTTP server. Messages arrive through the database, so that every console on it delivers to its own clients. */
export async function startBroker(options: BrokerOptions): Promise<Broker> {
  const { log } = options;
  const fanout = new Fanout();
  const clients = new Clients();
  const open = new Set<BrokerConnection>();
  const hall: BrokerHall = {
    fanout,
    log,
    admit: options.admit,
    now: () => performance.now(),
    enter: (connection) => clients.add(connection),
    leave: (connection) => {
      clients.delete(connection);
      open.delete(connection);
    },
  };
  const heard = ({ topic, message }: LiveMessage): void => {
    const ended = endedSession(message);
    fanout.publish(
      topic,
      JSON.stringify(message),
      ended === undefined ? undefined : () => clients.sendAway(ended),
    );
  };
  // Nobody knows what was said while it was away: everybody looks again, whatever they hear. Answers to senders come another way.
  const missed = (): void => {
    const topics = new Set(clients.all().flatMap((client) => (client.sends ? [] : client.topics)));
    for (const topic of topics) fanout.publish(topic, missedPayload);
  };
  const listener = await listenLive({ connection: options.connection, log, heard, missed });
  const sockets = takeSockets(options, (connection) => open.add(connection), hall);
  const looking = setInterval(() => {
    const now = hall.now();
    for (const each of open) if (each.isSilent(now)) each.cut();
  }, lookForSilentMs).unref();
  let reviewing: Promise<void> = Promise.resolve();
  let isReviewing = false;
  const review = setInterval(() => {
    if (isReviewing) return;
    isReviewing = true;
    reviewing = options
      .review(clients.all())
      .then((lapsed) => {
        for (const sessionId of lapsed) clients.sendAway(sessionId);
      })
      .catch((error: unknown) => log.warn({ err: error }, 'who may still listen could not be asked'))
      .finally(() => {
        isReviewing = false;
      });
  }, reviewMs).unref();

  return {
    clients: () => clients.size,
    subscriptions: () => fanout.subscriptions,
    close: async () => {
      clearInterval(looking);
      clearInterval(review);
      sockets.refuse();
      await Promise.all([listener.close(), reviewing]);
      for (const each of open) each.cut();
    },
  };
}

/** Takes websockets of the path and with an allowed Origin. */
function takeSockets(
  { server, originAllowed, addressOf }: BrokerOptions,
  opened: (connection: BrokerConnection) => void,
  hall: BrokerHall,
): { refuse: () => void } {
  // Who is sent away has three seconds to take leave (an option that ws has and its types do not).
  const settings = {
    noServer: true,
    clientTracking: false,
    maxPayload: maxPacketBytes,
    closeTimeout: 3000,
    handleProtocols: (protocols: Set<string>) => (protocols.has('mqtt') ? 'mqtt' : false) as string | false,
  };
  const sockets = new WebSocketServer(settings);
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Nothing stands in the address: what is written there ends up in logs.
    if (request.url !== path || !originAllowed(request)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    if (socket instanceof Socket) socket.setKeepAlive(true, tcpKeepAliveMs);
    const from: ClientOrigin = {
      address: addressOf(request),
      hasOrigin: request.headers.origin !== undefined,
      acceptLanguage: request.headers['accept-language'],
    };
    sockets.handleUpgrade(request, socket, head, (webSocket) =>
      opened(new BrokerConnection(hall, webSocket, socket, from)),
    );
  };
  server.on('upgrade', upgrade);
  return { refuse: () => server.off('upgrade', upgrade) };
}

/** The admitted clients, by what ends them. */
class Clients {
  readonly #all = new Set<BrokerConnection>();
  readonly #byName = new Map<string, BrokerConnection>();
  readonly #bySession = new Map<string, Set<BrokerConnection>>();

  get size(): number {
    return this.#all.size;
  }

  /** Who they are. */
  all(): BrokerClient[] {
    return [...this.#all].flatMap(({ client }) => client ?? []);
  }

  /** A client that comes back takes over its name before its old connection has ended. Some have none. */
  add(connection: BrokerConnection): void {
    const { client, name } = connection;
    if (!client) return;
    const earlier = name === '' ? undefined : this.#byName.get(name);
    earlier?.sendAway();
    this.#all.add(connection);
    if (name !== '') this.#byName.set(name, connection);
    const ofSession = this.#bySession.get(client.sessionId);
    if (ofSession) ofSession.add(connection);
    else this.#bySession.set(client.sessionId, new Set([connection]));
  }

  delete(connection: BrokerConnection): void {
    const { client, name } = connection;
    if (!client || !this.#all.delete(connection)) return;
    if (this.#byName.get(name) === connection) this.#byName.delete(name);
    const ofSession = this.#bySession.get(client.sessionId);
    ofSession?.delete(connection);
    if (ofSession?.size === 0) this.#bySession.delete(client.sessionId);
  }

  /** Ends the connections of a session or key that is over. */
  sendAway(sessionId: string): void {
    for (const each of this.#bySession.get(sessionId) ?? []) each.sendAway();
  }
}

/** The session that a message says has ended; its connections end too. */
function endedSession(message: unknown): string | undefined {
  return typeof message === 'object' &&
    message !== null &&
    'ended' in message &&
    typeof message.ended === 'string'
    ? message.ended
    : undefined;
}
