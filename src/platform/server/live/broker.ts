// MQTT 3.1.1 over websocket at /mqtt, by aedes. A client receives only its own topics, and what a client
// publishes never reaches another client.
import type { EventEmitter } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { Aedes, type AedesOptions, type AuthenticateError, type Client, type PublishPacket } from 'aedes';
import type pg from 'pg';
import type { Logger } from 'pino';
import { asError } from '#kernel/errors.ts';
import { isDatabaseUnavailable } from '../database/unavailable.ts';
import {
  NotAdmitted,
  type AdmitClient,
  type BrokerClient,
  type ClientOrigin,
  type ReviewClients,
} from './broker-clients.ts';
import { listenLive, type LiveMessage } from './broker-listener.ts';
import { ConnectedClient, ConnectedClients, maxUnreleased } from './broker-sessions.ts';
import { takeWebSockets } from './broker-websockets.ts';
import { RecentTopics } from './recent-topics.ts';

/** A client with this many unread bytes is disconnected, because they occupy the process's memory. */
const maxUnreadBytes = 1024 * 1024;
/** A client that reads nothing for this long is disconnected. */
const drainMs = 30_000;
/** A connection must send CONNECT within this time. */
const connectMs = 20_000;
const maxNameLength = 128;
/** Sessions and keys can expire without an event, so they are checked at this interval. */
const reviewMs = 10_000;
/** CONNECT return codes for rejected clients (MQTT 3.1.1, table 3.1). */
const returnCodes = { name: 2, unavailable: 3, credentials: 4, forbidden: 5 } as const;

export type Broker = {
  /** The number of connected clients. */
  readonly clients: () => number;
  /** The number of subscriptions of all clients. */
  readonly subscriptions: () => number;
  readonly close: () => Promise<void>;
};

type BrokerOptions = {
  readonly server: Server;
  readonly connection: pg.PoolConfig;
  readonly admit: AdmitClient;
  readonly review: ReviewClients;
  /** Accepts or rejects a websocket by its Origin header. */
  readonly originAllowed: (request: IncomingMessage) => Promise<boolean>;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly log: Logger;
  /** Topics whose data may be read from a replica; clients get their messages only once the replica has the change. */
  readonly late?: LateTopics;
};

type LateTopics = {
  readonly isLate: (topic: string) => boolean;
  /** Resolves when the replica has everything that was committed at the time of the call. */
  readonly caughtUp: () => Promise<void>;
};

/**
 * Starts the broker on an HTTP server. Messages arrive through the database, so that every console process
 * delivers them to its own clients.
 */
export async function startBroker(options: BrokerOptions): Promise<Broker> {
  const { log } = options;
  const clients = new ConnectedClients();
  const { hooks, from } = makeHooks(options, clients, (topic, payload) => publish(topic, payload));
  const aedes = await Aedes.createBroker({
    ...hooks,
    connectTimeout: connectMs,
    drainTimeout: drainMs,
    maxInflightInbound: maxUnreleased,
    maxClientsIdLength: 2 * maxNameLength,
    // No limit on concurrent messages: each waits for its slowest receiver, and the others must not wait for
    // it.
    concurrency: 0,
  });
  const events: EventEmitter = aedes;
  events.on('error', (error: unknown) => log.error({ err: error }, 'the live broker failed'));
  for (const event of ['clientError', 'connectionError'] as const)
    aedes.on(event, (_client: Client, error: Error) => log.debug({ err: error }, 'live connection'));

  const publish = (topic: string, payload: object, done = noop): void =>
    aedes.publish(messageOf(topic, payload), done);
  const recent = new RecentTopics();
  aedes.on('subscribe', (subscriptions, client) => {
    const connected = clients.get(client);
    if (!connected) return;
    const granted = subscriptions.filter(({ topic }) => connected.client.topics.includes(topic));
    for (const { topic } of granted) {
      connected.topics.add(topic);
      // A page that fetched its data before it subscribed has missed messages sent in between, so it is told
      // how long ago the last one was. Responses to publishers are delivered differently.
      const ago = connected.client.sends ? undefined : recent.ageMs(topic);
      if (ago !== undefined) client.publish(messageOf(topic, { kind: 'missed', ago }), noop);
    }
  });
  aedes.on('unsubscribe', (topics, client) => {
    for (const topic of topics) clients.get(client)?.topics.delete(topic);
  });

  const sendAway = (sessionId: string): void => {
    for (const client of clients.ofSession(sessionId)) client.close();
  };
  const onMessage = ({ topic, message }: LiveMessage): void => {
    recent.add(topic);
    const ended = endedSession(message);
    if (ended === undefined) return publish(topic, message);
    // Clients first receive the message that their session has ended, unless they have stopped reading.
    for (const client of clients.ofSession(ended)) if (client.conn.writableNeedDrain) client.close();
    publish(topic, message, () => sendAway(ended));
  };
  // Messages sent during the outage are lost, so every client must refetch, whatever its topics. Publishers
  // need not.
  const missed = (): void => {
    const topics = new Set(clients.all().flatMap((client) => (client.sends ? [] : client.topics)));
    for (const topic of topics) publish(topic, { kind: 'missed' });
  };
  const listener = await listenLive({
    connection: options.connection,
    log,
    onMessage: options.late ? heldBack(options.late, onMessage) : onMessage,
    missed,
  });
  const sockets = takeWebSockets({
    ...options,
    opened: (stream, origin, whenClosed) => {
      const client = aedes.handle(stream);
      from.set(client, origin);
      whenClosed(() => clients.delete(client));
    },
  });
  const reviews = startReviews(options, clients, sendAway);

  return {
    clients: () => clients.size,
    subscriptions: () => clients.subscriptions,
    close: async () => {
      await Promise.all([listener.close(), reviews.close()]);
      await new Promise<void>((closed) => aedes.close(() => closed()));
      sockets.close();
    },
  };
}

/**
 * A client that is notified of a change and then reads from a replica must find the change there. Messages
 * that arrive meanwhile are delayed together.
 */
function heldBack(
  { isLate, caughtUp }: LateTopics,
  onMessage: (message: LiveMessage) => void,
): (message: LiveMessage) => void {
  const waiting: LiveMessage[] = [];
  let isReleasing = false;
  const release = async (): Promise<void> => {
    isReleasing = true;
    while (waiting.length > 0) {
      const now = waiting.splice(0);
      await caughtUp();
      for (const message of now) onMessage(message);
    }
    isReleasing = false;
  };
  return (message) => {
    if (!isLate(message.topic)) return onMessage(message);
    waiting.push(message);
    if (!isReleasing) void release();
  };
}

/** A message is sent once, to the clients that are connected; a client that missed it refetches when it connects. */
const messageOf = (topic: string, payload: object): PublishPacket => ({
  cmd: 'publish',
  qos: 0,
  dup: false,
  retain: false,
  topic,
  payload: JSON.stringify(payload),
});
const noop = (): void => undefined;

/** Checks every few seconds which clients may stay connected. */
function startReviews(
  { review, log }: BrokerOptions,
  clients: ConnectedClients,
  sendAway: (sessionId: string) => void,
): { readonly close: () => Promise<void> } {
  let reviewing: Promise<void> | undefined;
  const timer = setInterval(() => {
    reviewing ??= review(clients.all())
      .then((endedIds) => {
        for (const sessionId of endedIds) sendAway(sessionId);
      })
      .catch((error: unknown) => log.warn({ err: error }, 'who may still listen could not be asked'))
      .finally(() => {
        reviewing = undefined;
      });
  }, reviewMs).unref();
  return {
    close: async () => {
      clearInterval(timer);
      await reviewing;
    },
  };
}

/** The aedes hooks: which clients may connect, subscribe and publish. `from` is where each client comes from. */
function makeHooks(
  { admit, log }: BrokerOptions,
  clients: ConnectedClients,
  answer: (topic: string, payload: object) => void,
): { readonly hooks: AedesOptions; readonly from: WeakMap<Client, ClientOrigin> } {
  const from = new WeakMap<Client, ClientOrigin>();
  const connectRequests = new WeakMap<
    Client,
    { readonly name: string; readonly returnCode: number | undefined }
  >();
  const hooks: AedesOptions = {
    preConnect: (client, packet, done) => {
      const { clientId: name, username = '', clean, will } = packet;
      // A client must not set a last will, which would be published after its connection is gone.
      const isNamed = name === '' ? clean !== false : name.length <= maxNameLength && isMqttText(name);
      const returnCode = will ? returnCodes.forbidden : isNamed ? undefined : returnCodes.name;
      connectRequests.set(client, { name, returnCode });
      // No MQTT session outlives its connection, whatever the client asks for.
      packet.clean = true;
      // The account is prefixed to the id, because in MQTT a client with the same id takes over a connection.
      if (name !== '') packet.clientId = `${username}/${name}`;
      done(null, true);
    },
    authenticate: (client, userName, password, done) => {
      const connectRequest = connectRequests.get(client);
      const origin = from.get(client);
      if (!connectRequest || !origin || connectRequest.returnCode !== undefined)
        return done(refused(connectRequest?.returnCode ?? returnCodes.credentials), false);
      admit(userName ?? '', password?.toString() ?? '', origin).then(
        (admitted) => {
          if (!admitted || !mayBeNamed(admitted, connectRequest.name))
            return done(refused(returnCodes.credentials), false);
          if (!client.closed) clients.add(client, new ConnectedClient(admitted, connectRequest.name));
          done(null, true);
        },
        (error: unknown) => {
          log.error({ err: error }, 'live sign-in failed');
          // A device that is told that its key is wrong may give up; during an outage it should retry.
          done(
            refused(isDatabaseUnavailable(error) ? returnCodes.unavailable : returnCodes.credentials),
            false,
          );
        },
      );
    },
    // Only the client's own topics are allowed, so wildcards are denied too.
    authorizeSubscribe: (client, subscription, done) => {
      if (!isMqttText(subscription.topic)) return done(new Error('a topic that is no text'));
      const isOwn = clients.get(client)?.client.topics.includes(subscription.topic) ?? false;
      done(null, isOwn ? subscription : null);
    },
    // aedes acknowledges after this callback, so only durable messages are acknowledged; an error closes the
    // connection.
    authorizePublish: (client, packet, done) => {
      const connected = client ? clients.get(client) : undefined;
      const sends = connected?.client.sends;
      if (!connected || !sends || packet.topic !== sends.topic || packet.retain)
        return done(new NotAdmitted());
      connected.take(packet).then(
        (result) => {
          if (result) answer(sends.answerTopic, result);
          done();
        },
        (error: unknown) => {
          if (!(error instanceof NotAdmitted))
            log.error({ err: error }, 'messages were not taken; their client sends them again');
          done(asError(error));
        },
      );
    },
    authorizeForward: (client, packet) => {
      if (client.conn.writableLength <= maxUnreadBytes) return packet;
      log.warn({ client: client.id }, 'a live client that does not read was cut off');
      client.close();
      return null;
    },
  };
  return { hooks, from };
}

const refused = (returnCode: number): AuthenticateError =>
  Object.assign(new Error('not admitted'), { returnCode });

/** A user's client id must begin with the user's id; a machine may choose its own. */
const mayBeNamed = (client: BrokerClient, name: string): boolean =>
  client.sends !== undefined || name.startsWith(`${client.userId}-`);

/**
 * A valid MQTT name or topic: UTF-8 without NUL. Invalid UTF-8 has been decoded to U+FFFD, which none of our
 * names contains.
 */
// eslint-disable-next-line no-control-regex -- NUL is what must not be there (MQTT-1.5.3-2)
const isMqttText = (text: string): boolean => text.length > 0 && !/[\0\uFFFD]/.test(text);

/** The session whose end a message announces; its connections are then closed. */
function endedSession(message: object): string | undefined {
  return 'ended' in message && typeof message.ended === 'string' ? message.ended : undefined;
}
