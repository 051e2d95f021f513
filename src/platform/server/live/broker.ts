// MQTT 3.1.1 over websocket at /mqtt, by aedes: each client hears only its own topics; nothing a client sends reaches another one.
import type { EventEmitter } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { Aedes, type AedesOptions, type AuthenticateError, type Client, type PublishPacket } from 'aedes';
import type pg from 'pg';
import type { Logger } from 'pino';
import {
  NotAdmitted,
  type AdmitClient,
  type BrokerClient,
  type ClientOrigin,
  type ReviewClients,
} from './broker-clients.ts';
import { listenLive, type LiveMessage } from './broker-listener.ts';
import { ConnectedClient, ConnectedClients, mostUnreleased } from './broker-sessions.ts';
import { takeWebSockets } from './broker-websockets.ts';
import { RecentTopics } from './recent-topics.ts';

/** A client that leaves so much unread is cut off: others must not pay for it with the process's memory. */
const mostUnreadBytes = 1024 * 1024;
/** A client that takes in nothing of what is written to it for so long is cut off. */
const drainMs = 30_000;
/** A connection says who it is within this time. */
const connectMs = 20_000;
const mostNameLength = 128;
/** Sessions and keys run out without anybody saying so: they are asked for this often. */
const reviewMs = 10_000;
/** Why CONNECT is refused (MQTT 3.1.1, table 3.1). */
const refusals = { name: 2, credentials: 4, forbidden: 5 } as const;

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
  const clients = new ConnectedClients();
  const { hooks, from } = makeHooks(options, clients, (topic, payload) => say(topic, payload));
  const aedes = await Aedes.createBroker({
    ...hooks,
    connectTimeout: connectMs,
    drainTimeout: drainMs,
    maxInflightInbound: mostUnreleased,
    maxClientsIdLength: 2 * mostNameLength,
    // No bound on messages under way: one waits for its slowest hearer, and others must not wait for that.
    concurrency: 0,
  });
  const events: EventEmitter = aedes;
  events.on('error', (error: unknown) => log.error({ err: error }, 'the live broker failed'));
  for (const event of ['clientError', 'connectionError'] as const)
    aedes.on(event, (_client: Client, error: Error) => log.debug({ err: error }, 'live connection'));

  const say = (topic: string, payload: object, done = noop): void =>
    aedes.publish(messageOf(topic, payload), done);
  const recent = new RecentTopics();
  aedes.on('subscribe', (subscriptions, client) => {
    const connected = clients.get(client);
    if (!connected) return;
    const granted = subscriptions.filter(({ topic }) => connected.who.topics.includes(topic));
    for (const { topic } of granted) {
      connected.topics.add(topic);
      // Who asked for figures and then came to listen has not heard what was said between. Answers to senders come another way.
      const ago = connected.who.sends ? undefined : recent.age(topic);
      if (ago !== undefined) client.publish(messageOf(topic, { kind: 'missed', ago }), noop);
    }
  });
  aedes.on('unsubscribe', (topics, client) => {
    for (const topic of topics) clients.get(client)?.topics.delete(topic);
  });

  const sendAway = (sessionId: string): void => {
    for (const client of clients.ofSession(sessionId)) client.close();
  };
  const heard = ({ topic, message }: LiveMessage): void => {
    recent.add(topic);
    const ended = endedSession(message);
    if (ended === undefined) return say(topic, message);
    // They still hear that their session has ended, unless they do not read.
    for (const client of clients.ofSession(ended)) if (client.conn.writableNeedDrain) client.close();
    say(topic, message, () => sendAway(ended));
  };
  // Nobody knows what was said while it was away: everybody looks again, whatever they hear. Answers to senders come another way.
  const missed = (): void => {
    const topics = new Set(clients.all().flatMap((client) => (client.sends ? [] : client.topics)));
    for (const topic of topics) say(topic, { kind: 'missed' });
  };
  const listener = await listenLive({ connection: options.connection, log, heard, missed });
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

/** What goes out is sent once, to who is connected: whoever missed it looks again. */
const messageOf = (topic: string, payload: object): PublishPacket => ({
  cmd: 'publish',
  qos: 0,
  dup: false,
  retain: false,
  topic,
  payload: JSON.stringify(payload),
});
const noop = (): void => undefined;

/** Asks every few seconds who may still be connected. */
function startReviews(
  { review, log }: BrokerOptions,
  clients: ConnectedClients,
  sendAway: (sessionId: string) => void,
): { readonly close: () => Promise<void> } {
  let reviewing: Promise<void> | undefined;
  const timer = setInterval(() => {
    reviewing ??= review(clients.all())
      .then((over) => {
        for (const sessionId of over) sendAway(sessionId);
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

/** What aedes asks: who may connect, hear and send. `from` is where each client comes from. */
function makeHooks(
  { admit, log }: BrokerOptions,
  clients: ConnectedClients,
  answer: (topic: string, payload: object) => void,
): { readonly hooks: AedesOptions; readonly from: WeakMap<Client, ClientOrigin> } {
  const from = new WeakMap<Client, ClientOrigin>();
  const hellos = new WeakMap<Client, { readonly name: string; readonly refusal: number | undefined }>();
  const hooks: AedesOptions = {
    preConnect: (client, packet, done) => {
      const { clientId: name, username = '', clean, will } = packet;
      // Nobody leaves a message to be sent after they are gone.
      const isNamed = name === '' ? clean !== false : name.length <= mostNameLength && isMqttText(name);
      const refusal = will ? refusals.forbidden : isNamed ? undefined : refusals.name;
      hellos.set(client, { name, refusal });
      // No session outlives its connection, whatever a client asks for.
      packet.clean = true;
      // A name belongs to the account: nobody takes over another one's connection.
      if (name !== '') packet.clientId = `${username}/${name}`;
      done(null, true);
    },
    authenticate: (client, userName, password, done) => {
      const hello = hellos.get(client);
      const origin = from.get(client);
      if (!hello || !origin || hello.refusal !== undefined)
        return done(refused(hello?.refusal ?? refusals.credentials), false);
      admit(userName ?? '', password?.toString() ?? '', origin).then(
        (who) => {
          if (!who || !mayBeNamed(who, hello.name)) return done(refused(refusals.credentials), false);
          if (!client.closed) clients.add(client, new ConnectedClient(who, hello.name));
          done(null, true);
        },
        (error: unknown) => {
          log.error({ err: error }, 'live sign-in failed');
          done(refused(refusals.credentials), false);
        },
      );
    },
    // What is not among the client's own is denied by itself, patterns included.
    authorizeSubscribe: (client, subscription, done) => {
      if (!isMqttText(subscription.topic)) return done(new Error('a topic that is no text'));
      const isOwn = clients.get(client)?.who.topics.includes(subscription.topic) ?? false;
      done(null, isOwn ? subscription : null);
    },
    // aedes acknowledges when this has called back, so only what is durable is acknowledged; an error ends the connection.
    authorizePublish: (client, packet, done) => {
      const connected = client ? clients.get(client) : undefined;
      const sends = connected?.who.sends;
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
          done(error instanceof Error ? error : new Error(String(error)));
        },
      );
    },
    authorizeForward: (client, packet) => {
      if (client.conn.writableLength <= mostUnreadBytes) return packet;
      log.warn({ client: client.id }, 'a live client that does not read was cut off');
      client.close();
      return null;
    },
  };
  return { hooks, from };
}

const refused = (returnCode: number): AuthenticateError =>
  Object.assign(new Error('not admitted'), { returnCode });

/** A person's client has a name that begins with their id; a machine's has any. */
const mayBeNamed = (client: BrokerClient, name: string): boolean =>
  client.sends !== undefined || name.startsWith(`${client.userId}-`);

/** A name or topic as MQTT has it: UTF-8 without NUL. What was no UTF-8 has been read as U+FFFD, which nothing of ours contains. */
// eslint-disable-next-line no-control-regex -- NUL is what must not be there (MQTT-1.5.3-2)
const isMqttText = (text: string): boolean => text.length > 0 && !/[\0\uFFFD]/.test(text);

/** The session that a message says has ended; its connections end too. */
function endedSession(message: object): string | undefined {
  return 'ended' in message && typeof message.ended === 'string' ? message.ended : undefined;
}
