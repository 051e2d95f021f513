// One client's connection, from CONNECT to its end: what it may hear and send, and when it is sent away (MQTT 3.1.1).
import type { Duplex } from 'node:stream';
import type { IConnectPacket, IPublishPacket, ISubscribePacket, Packet } from 'mqtt-packet';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import {
  Inbox,
  NotAdmitted,
  type AdmitClient,
  type BrokerClient,
  type ClientOrigin,
} from './broker-clients.ts';
import { missedLately, type Fanout, type Hearer } from './broker-fanout.ts';
import {
  answer,
  connectAnswer,
  connectRefusals,
  isMqttText,
  isSpoken,
  Malformed,
  messageFrame,
  PacketAssembler,
  pingAnswer,
  readPacket,
  subscribeAnswer,
  unsubscribeAnswer,
} from './broker-packets.ts';

/** A client that leaves so much unread is cut off: others must not pay for it with the process's memory. */
const mostUnreadBytes = 1024 * 1024;
/** A connection says who it is within this time. */
const connectMs = 10_000;
const mostNameLength = 128;
/** So many messages of one client may be on their way into the database; then it is not read from until they are recorded. */
const mostUnderWay = 100;
const policyViolation = 1008;

/** What the connections of one broker share. `enter` makes a name known and sends its earlier holder away. */
export type BrokerHall = {
  readonly fanout: Fanout;
  readonly admit: AdmitClient;
  readonly log: Logger;
  readonly now: () => number;
  readonly enter: (connection: BrokerConnection) => void;
  readonly leave: (connection: BrokerConnection) => void;
};

export class BrokerConnection implements Hearer {
  readonly #hall: BrokerHall;
  readonly #webSocket: WebSocket;
  readonly #socket: Duplex;
  readonly #packets = new PacketAssembler();
  #from: ClientOrigin | undefined;
  #state: 'new' | 'admitting' | 'in' | 'gone' = 'new';
  /** Packets that came while it was being asked who this is. */
  #early: Buffer[] = [];
  #client: BrokerClient | undefined;
  #name = '';
  #clientId = '';
  #inbox: Inbox | undefined;
  #underWay = 0;
  /** Messages of quality of service 2 that are recorded and not yet released by their sender. */
  #unreleased: Set<number> | undefined;
  #topics: string[] = [];
  #heardAt: number;
  #silenceMs = connectMs;

  constructor(hall: BrokerHall, webSocket: WebSocket, socket: Duplex, from: ClientOrigin) {
    this.#hall = hall;
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#from = from;
    this.#heardAt = hall.now();
    webSocket.on('message', (bytes: Buffer, isBinary) => (isBinary ? this.#receive(bytes) : this.cut()));
    webSocket.on('close', () => this.#end());
    webSocket.on('error', (error) => hall.log.debug({ err: error }, 'live connection'));
  }

  /** Who this is; undefined until it was admitted and after its end. */
  get client(): BrokerClient | undefined {
    return this.#client;
  }

  /** Its name among all clients: a newer connection of the same name takes over. */
  get name(): string {
    return this.#name;
  }

  /** Writes frames as they are. Who was sent away hears nothing more; who does not read is cut off. */
  hear(frames: Buffer): void {
    if (this.#state !== 'in') return;
    if (this.#socket.writableLength > mostUnreadBytes) {
      this.#hall.log.warn({ user: this.#name }, 'a live client that does not read was cut off');
      this.cut();
    } else this.#socket.write(frames);
  }

  /** Whether it has been silent for longer than it may: one and a half times its keep-alive (MQTT-3.1.2-24). */
  isSilent(now: number): boolean {
    return now - this.#heardAt > this.#silenceMs && !this.#webSocket.isPaused;
  }

  /** Sends it away; what was written to it before still arrives. */
  sendAway(): void {
    this.#end();
    this.#webSocket.close(policyViolation);
    // Paused, it could not hear the other side's farewell.
    if (this.#webSocket.isPaused) this.#webSocket.resume();
  }

  /** Ends it at once. */
  cut(): void {
    this.#end();
    this.#webSocket.terminate();
  }

  #end(): void {
    if (this.#state === 'gone') return;
    this.#state = 'gone';
    for (const topic of this.#topics) this.#hall.fanout.remove(topic, this);
    this.#topics = [];
    this.#early = [];
    this.#hall.leave(this);
    this.#client = undefined;
  }

  #send(packet: Buffer): void {
    if (this.#state !== 'gone') this.#webSocket.send(packet);
  }

  #receive(bytes: Buffer): void {
    if (this.#state === 'gone') return;
    this.#heardAt = this.#hall.now();
    try {
      for (const packet of this.#packets.take(bytes)) this.#take(packet);
    } catch (error) {
      if (!(error instanceof Malformed)) this.#hall.log.error({ err: error }, 'a live connection failed');
      this.cut();
    }
  }

  #take(bytes: Buffer): void {
    if (this.#state === 'admitting') {
      // It is paused: only what had been read with its CONNECT can come here.
      this.#early.push(Buffer.from(bytes));
      return;
    }
    if (this.#state === 'gone') return;
    const packet = readPacket(bytes);
    if (this.#state === 'new') {
      if (packet.cmd !== 'connect') throw new Malformed(`${packet.cmd} before connect`);
      this.#connect(packet);
    } else this.#handle(packet);
  }

  #handle(packet: Packet): void {
    switch (packet.cmd) {
      case 'pingreq':
        return this.#send(pingAnswer);
      case 'publish':
        return this.#publish(packet);
      case 'pubrel':
        this.#unreleased?.delete(packet.messageId ?? 0);
        return this.#send(answer('pubcomp', packet.messageId ?? 0));
      case 'subscribe':
        return this.#subscribe(packet);
      case 'unsubscribe':
        for (const topic of packet.unsubscriptions) {
          this.#hall.fanout.remove(topic, this);
          this.#topics = this.#topics.filter((each) => each !== topic);
        }
        return this.#send(unsubscribeAnswer(packet.messageId ?? 0));
      case 'disconnect':
        return this.cut();
      // Nothing that it could acknowledge is ever sent, and nobody connects twice.
      default:
        throw new Malformed(`${packet.cmd} from a client`);
    }
  }

  #connect(packet: IConnectPacket): void {
    const from = this.#from;
    this.#from = undefined;
    if (!isSpoken(packet)) return this.#refuse(connectRefusals.protocol);
    // Nobody leaves a message to be sent after they are gone.
    if (packet.will) return this.#refuse(connectRefusals.forbidden);
    const { clientId, username = '', password, keepalive = 0 } = packet;
    if (
      clientId.length > mostNameLength ||
      (clientId === '' && !packet.clean) ||
      (clientId !== '' && !isMqttText(clientId))
    )
      return this.#refuse(connectRefusals.name);
    if (!from || !isMqttText(username)) return this.#refuse(connectRefusals.credentials);
    this.#state = 'admitting';
    this.#webSocket.pause();
    this.#hall.admit(username, password?.toString() ?? '', from).then(
      (who) => this.#admitted(who, clientId, keepalive),
      (error: unknown) => {
        this.#hall.log.error({ err: error }, 'live sign-in failed');
        this.#refuse(connectRefusals.credentials);
      },
    );
  }

  #admitted(client: BrokerClient | undefined, clientId: string, keepAliveSeconds: number): void {
    if (this.#state !== 'admitting') return;
    const name = client && nameOf(client, clientId);
    if (!client || name === undefined) return this.#refuse(connectRefusals.credentials);
    this.#client = client;
    this.#name = name;
    this.#clientId = clientId;
    if (client.sends) this.#inbox = new Inbox(client.sends);
    this.#silenceMs = keepAliveSeconds === 0 ? Infinity : keepAliveSeconds * 1500;
    this.#hall.enter(this);
    this.#state = 'in';
    this.#send(connectAnswer(0));
    this.#goOn();
    const early = this.#early;
    this.#early = [];
    try {
      for (const packet of early) this.#take(packet);
    } catch {
      // What is no MQTT ends the connection, as it would have when it had come later.
      this.cut();
    }
  }

  /** Reads on after a pause, which was no silence of the client's. */
  #goOn(): void {
    this.#heardAt = this.#hall.now();
    this.#webSocket.resume();
  }

  #refuse(returnCode: number): void {
    this.#send(connectAnswer(returnCode));
    this.sendAway();
  }

  /** Each topic for itself: what is not among the client's own is denied, patterns included. */
  #subscribe({ messageId, subscriptions }: ISubscribePacket): void {
    if (subscriptions.some(({ topic }) => !isMqttText(topic))) throw new Malformed('a topic that is no text');
    const granted = subscriptions.map(({ topic }) => this.#client?.topics.includes(topic) ?? false);
    const added = subscriptions
      .map(({ topic }) => topic)
      .filter((topic, index) => granted[index] && !this.#topics.includes(topic));
    for (const topic of new Set(added)) {
      this.#topics.push(topic);
      this.#hall.fanout.add(topic, this);
    }
    this.#send(subscribeAnswer(messageId ?? 0, granted));
    // Who asked for figures and then came to listen has not heard what was said between. Answers to senders come another way.
    if (this.#client?.sends) return;
    for (const topic of new Set(added)) {
      const ago = this.#hall.fanout.saidLately(topic);
      if (ago !== undefined) this.hear(messageFrame(topic, missedLately(ago)));
    }
  }

  /** A client's message is acknowledged when it was dealt with, so only what is durable is. Who may not send is sent away. */
  #publish({ topic, payload, qos, retain, messageId }: IPublishPacket): void {
    const sends = this.#client?.sends;
    if (!isMqttText(topic) || !sends || !this.#inbox || topic !== sends.topic || retain)
      return this.sendAway();
    if (qos > 0 && messageId === undefined) throw new Malformed('a message without its number');
    const number = qos === 0 ? null : (messageId ?? null);
    // Sent again before it was released: it is recorded already.
    if (qos === 2 && number !== null && this.#unreleased?.has(number))
      return this.#send(answer('pubrec', number));
    if (++this.#underWay >= mostUnderWay) this.#webSocket.pause();
    // A copy: what was read holds up to 64 KB of others.
    this.#inbox.push(Buffer.from(payload), { clientId: this.#clientId, messageId: number }, (result) => {
      if (--this.#underWay < mostUnderWay && this.#webSocket.isPaused) this.#goOn();
      if (result instanceof Error) {
        if (!(result instanceof NotAdmitted))
          this.#hall.log.error({ err: result }, 'messages were not taken; their client sends them again');
        return this.sendAway();
      }
      this.#hall.fanout.answer(sends.answerTopic, JSON.stringify(result));
      if (number === null) return;
      if (qos === 2) (this.#unreleased ??= new Set()).add(number);
      this.#send(answer(qos === 2 ? 'pubrec' : 'puback', number));
    });
  }
}

/** A client under a name of its own: nobody takes over another one's connection. Undefined when it took a name that is not its own. */
function nameOf(client: BrokerClient, clientId: string): string | undefined {
  if (client.sends) return clientId === '' ? '' : `${client.keyId}/${clientId}`;
  return clientId.startsWith(`${client.userId}-`) ? clientId : undefined;
}
