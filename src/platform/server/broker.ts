// MQTT 3.1.1 over websocket at /mqtt: each client hears only its own topics; nothing a client sends reaches another one.
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Aedes, type Client, type PublishPacket } from 'aedes';
import pg from 'pg';
import type { Logger } from 'pino';
import { Inbox, NotAdmitted, type AdmitClient, type BrokerClient } from './broker-clients.ts';
import { liveChannel } from './outbox.ts';
import { packetMeter } from './packet-meter.ts';
import { createWebSocketStream, WebSocketServer } from 'ws';

const maxPacketBytes = 64 * 1024;
const badCredentials = 4;

type LiveMessage = { topic: string; message: unknown };

export type Broker = {
  /** How many clients are connected. */
  readonly clients: () => number;
  readonly close: () => Promise<void>;
};

type BrokerOptions = { readonly server: Server; readonly connection: pg.PoolConfig; readonly admit: AdmitClient; readonly originAllowed: (request: IncomingMessage) => boolean; readonly addressOf: (request: IncomingMessage) => string; readonly log: Logger };

/**
 * Starts the broker on an HTTP server. Messages arrive through the database (NOTIFY), so that every console on it
 * delivers to its own clients. `originAllowed` decides by a websocket's Origin header.
 */
export async function startBroker(options: BrokerOptions): Promise<Broker> {
  const { log } = options;
  // By connection, not by name: a client that comes back takes over its name before its old connection has ended.
  const clients = new Map<Client, Connected>();
  const aedes = await Aedes.createBroker({
    connectTimeout: 10_000,
    maxClientsIdLength: 128,
    maxInflightInbound: 100,
    // Nobody leaves a message to be sent after they are gone.
    preConnect: (_client, packet, done) => (packet.will ? done(new Error('no last will'), false) : done(null, true)),
    authenticate: (client, userName, password, done) => {
      const refuse = (): void => done(Object.assign(new Error('refused'), { returnCode: badCredentials }), null);
      const from = { address: client.req ? options.addressOf(client.req) : '', hasOrigin: client.req?.headers.origin !== undefined, acceptLanguage: client.req?.headers['accept-language'] };
      options.admit(userName ?? '', password?.toString() ?? '', from).then(
        (who) => {
          const connected = who && connectedAs(client, who);
          if (!connected || client.closed) return refuse();
          clients.set(client, connected);
          client.conn.once('close', () => clients.delete(client));
          done(null, true);
        },
        (error: unknown) => {
          log.error({ err: error }, 'live sign-in failed');
          refuse();
        },
      );
    },
    authorizePublish: (client, packet, done) => {
      if (client) receive(clients.get(client), packet, done);
      else done(null);
    },
    authorizeSubscribe: (client, subscription, done) => {
      const allowed = clients.get(client)?.who.topics.includes(subscription.topic) ?? false;
      done(null, allowed ? subscription : null);
    },
    authorizeForward: (client, packet) => (clients.get(client)?.who.topics.includes(packet.topic) ? packet : null),
  });

  /** A client's message: it is acknowledged after `done`, so only when it was dealt with. Without, the client is sent away. */
  const receive = (connected: Connected | undefined, packet: PublishPacket, done: (error?: Error | null) => void): void => {
    const sends = connected?.who.sends;
    if (!sends || !connected.inbox || packet.topic !== sends.topic || packet.retain) return done(new NotAdmitted());
    const payload = Buffer.from(packet.payload);
    // The broker goes on with the packet, which nobody hears: it need not keep what is in it.
    packet.payload = Buffer.alloc(0);
    connected.inbox.push(payload, { clientId: connected.clientId, messageId: packet.qos === 0 ? null : (packet.messageId ?? null) }, (answer) => {
      if (answer instanceof Error) {
        if (!(answer instanceof NotAdmitted)) log.error({ err: answer }, 'messages were not taken; their client sends them again');
        return done(answer);
      }
      publish({ topic: sends.answerTopic, message: answer });
      done(null);
    });
  };
  aedes.on('clientError', (_client, error) => log.debug({ err: error }, 'live client'));
  aedes.on('connectionError', (_client, error) => log.debug({ err: error }, 'live connection'));

  const sockets = takeSockets(options, (stream, request) => aedes.handle(stream, request));

  const publish = ({ topic, message }: LiveMessage): void => {
    aedes.publish({ cmd: 'publish', qos: 0, retain: false, dup: false, topic, payload: JSON.stringify(message) }, (error) => {
      if (error) log.warn({ err: error, topic }, 'live message not published');
      const ended = endedSession(message);
      if (ended !== undefined) for (const [client, { who }] of clients) if (who.sessionId === ended) client.close();
    });
  };
  const listener = await listen(options.connection, log, publish);

  return {
    clients: () => aedes.connectedClients,
    close: async () => {
      sockets.refuse();
      await listener.close();
      sockets.end();
      await new Promise<void>((done) => aedes.close(done));
    },
  };
}

/** Takes websockets of the path and with an allowed Origin, and hands on what comes through them. */
function takeSockets({ server, originAllowed, log }: BrokerOptions, handle: (stream: Duplex, request: IncomingMessage) => void): { refuse: () => void; end: () => void } {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxPacketBytes, handleProtocols: (protocols) => (protocols.has('mqtt') ? 'mqtt' : false) });
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (request.url?.split('?')[0] !== '/mqtt' || !originAllowed(request)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const isSmall = packetMeter(maxPacketBytes);
      webSocket.on('message', (bytes: Buffer) => {
        if (!isSmall(bytes)) webSocket.terminate();
      });
      const stream = createWebSocketStream(webSocket);
      stream.on('error', (error) => log.debug({ err: error }, 'live stream'));
      handle(stream, request);
    });
  };
  server.on('upgrade', upgrade);
  return {
    refuse: () => server.off('upgrade', upgrade),
    end: () => {
      for (const socket of sockets.clients) socket.terminate();
    },
  };
}

type Connected = { readonly who: BrokerClient; /** What the client calls itself. */ readonly clientId: string; readonly inbox: Inbox | undefined };

/** A client under its own name: nobody can take over another one's connection. Undefined when it took a name that is not its own. */
function connectedAs(client: Client, who: BrokerClient): Connected | undefined {
  const clientId = client.id;
  if (!who.sends) return clientId.startsWith(`${who.userId}-`) ? { who, clientId, inbox: undefined } : undefined;
  // Machines choose any name; ours for them begins with their key. Nothing is kept for them between connections.
  client.id = `${who.keyId}/${clientId}`;
  client.clean = true;
  return { who, clientId, inbox: new Inbox(who.sends) };
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
