// Live delivery: MQTT 3.1.1 over websocket at /mqtt. Only the server publishes; each client hears only its own topics.
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Aedes } from 'aedes';
import pg from 'pg';
import type { Logger } from 'pino';
import { liveChannel } from './outbox.ts';
import { createWebSocketStream, WebSocketServer } from 'ws';

/** Who a live client is and which topics it may hear. */
export type LiveClient = { readonly userId: string; readonly sessionId: string; readonly topics: readonly string[] };
/** Checks a client's user name and ticket; undefined refuses it. `address` is where it comes from. */
export type AdmitLive = (userName: string, ticket: string, address: string) => Promise<LiveClient | undefined>;

const maxPacketBytes = 64 * 1024;
const badCredentials = 4;

type LiveMessage = { topic: string; message: unknown };

export type Broker = {
  /** How many clients are connected. */
  readonly clients: () => number;
  readonly close: () => Promise<void>;
};

/**
 * Starts the broker on an HTTP server. Messages arrive through the database (NOTIFY), so that every console on it
 * delivers to its own clients. `originAllowed` decides by a websocket's Origin header.
 */
export async function startBroker(options: { server: Server; connection: pg.PoolConfig; admit: AdmitLive; originAllowed: (request: IncomingMessage) => boolean; addressOf: (request: IncomingMessage) => string; log: Logger }): Promise<Broker> {
  const { log } = options;
  const clients = new Map<string, { live: LiveClient; close: () => void }>();
  const aedes = await Aedes.createBroker({
    connectTimeout: 10_000,
    maxClientsIdLength: 128,
    authenticate: (client, userName, password, done) => {
      const refuse = (): void => done(Object.assign(new Error('refused'), { returnCode: badCredentials }), null);
      options.admit(userName ?? '', password?.toString() ?? '', client.req ? options.addressOf(client.req) : '').then(
        (live) => {
          // A client id that belongs to its user: nobody can take over another one's connection.
          if (!live || !client.id.startsWith(`${live.userId}-`)) return refuse();
          clients.set(client.id, { live, close: () => client.close() });
          done(null, true);
        },
        (error: unknown) => {
          log.error({ err: error }, 'live sign-in failed');
          refuse();
        },
      );
    },
    authorizePublish: (client, _packet, done) => done(client ? new Error('only the server publishes') : null),
    authorizeSubscribe: (client, subscription, done) => {
      const allowed = clients.get(client.id)?.live.topics.includes(subscription.topic) ?? false;
      done(null, allowed ? subscription : null);
    },
    authorizeForward: (client, packet) => (clients.get(client.id)?.live.topics.includes(packet.topic) ? packet : null),
  });
  aedes.on('clientDisconnect', (client) => clients.delete(client.id));
  aedes.on('clientError', (_client, error) => log.debug({ err: error }, 'live client'));
  aedes.on('connectionError', (_client, error) => log.debug({ err: error }, 'live connection'));

  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxPacketBytes, handleProtocols: (protocols) => (protocols.has('mqtt') ? 'mqtt' : false) });
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (request.url?.split('?')[0] !== '/mqtt' || !options.originAllowed(request)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const stream = createWebSocketStream(webSocket);
      stream.on('error', (error) => log.debug({ err: error }, 'live stream'));
      aedes.handle(stream, request);
    });
  };
  options.server.on('upgrade', upgrade);

  const publish = ({ topic, message }: LiveMessage): void => {
    aedes.publish({ cmd: 'publish', qos: 0, retain: false, dup: false, topic, payload: JSON.stringify(message) }, (error) => {
      if (error) log.warn({ err: error, topic }, 'live message not published');
      const ended = endedSession(message);
      if (ended !== undefined) for (const { live, close } of clients.values()) if (live.sessionId === ended) close();
    });
  };
  const listener = await listen(options.connection, log, publish);

  return {
    clients: () => aedes.connectedClients,
    close: async () => {
      options.server.off('upgrade', upgrade);
      await listener.close();
      for (const socket of sockets.clients) socket.terminate();
      await new Promise<void>((done) => aedes.close(done));
    },
  };
}

/** The session that a message says has ended; its connections end too. */
function endedSession(message: unknown): string | undefined {
  return typeof message === 'object' && message !== null && 'ended' in message && typeof message.ended === 'string' ? message.ended : undefined;
}

/** Listens on the database's channel with a connection of its own, and reconnects when it is lost. */
async function listen(connection: pg.PoolConfig, log: Logger, publish: (message: LiveMessage) => void): Promise<{ close: () => Promise<void> }> {
  let closed = false;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  const connect = async (): Promise<void> => {
    const fresh = new pg.Client({ ...connection, application_name: 'skytally live' });
    fresh.on('notification', (notification) => {
      if (notification.payload) publish(JSON.parse(notification.payload) as LiveMessage);
    });
    fresh.on('error', (error) => log.warn({ err: error }, 'live listener lost its connection'));
    fresh.on('end', () => {
      if (!closed) retry = setTimeout(() => void connect().catch(again), 1000);
    });
    await fresh.connect();
    await fresh.query(`listen ${liveChannel}`);
    client = fresh;
  };
  const again = (error: unknown): void => {
    log.warn({ err: error }, 'live listener will try again');
    if (!closed) retry = setTimeout(() => void connect().catch(again), 1000);
  };
  await connect();
  return {
    close: async () => {
      closed = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
}
