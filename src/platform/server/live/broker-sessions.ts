// The broker's connected clients by session, and the results of their messages.
import type { Client, PublishPacket } from 'aedes';
import { LRUCache } from 'lru-cache';
import { Inbox, type BrokerClient } from './broker-clients.ts';

/** The maximum number of QoS 2 messages that one client may leave unreleased. */
export const maxUnreleased = 1000;

/** An admitted client. */
export class ConnectedClient {
  readonly client: BrokerClient;
  /** The topics that it has subscribed to. */
  readonly topics = new Set<string>();
  readonly #name: string;
  readonly #inbox: Inbox | undefined;
  /** QoS 2 messages by packet id, with their results. */
  #numbered: LRUCache<number, Promise<Answer>> | undefined;

  constructor(client: BrokerClient, name: string) {
    this.client = client;
    this.#name = name;
    this.#inbox = client.sends && new Inbox(client.sends);
  }

  /**
   * Processes a message and resolves with its response once it is durable; undefined when the client repeated
   * it. Rejects when the message was not recorded.
   */
  async take(packet: PublishPacket): Promise<Answer | undefined> {
    const messageId = packet.qos === 0 ? null : (packet.messageId ?? null);
    if (packet.qos !== 2 || messageId === null) return this.#record(packet.payload, messageId);
    const numbered = (this.#numbered ??= new LRUCache({ max: maxUnreleased }));
    const earlier = packet.dup ? numbered.get(messageId) : undefined;
    if (earlier) {
      await earlier;
      return undefined;
    }
    const answer = this.#record(packet.payload, messageId);
    numbered.set(messageId, answer);
    return answer;
  }

  #record(payload: string | Buffer, messageId: number | null): Promise<Answer> {
    return new Promise((answered, failed) => {
      this.#inbox?.push(Buffer.from(payload), { clientId: this.#name, messageId }, (result) =>
        result instanceof Error ? failed(result) : answered(result),
      );
    });
  }
}
type Answer = Readonly<Record<string, unknown>>;

/** The connected clients. */
export class ConnectedClients {
  readonly #all = new Map<Client, ConnectedClient>();
  readonly #bySession = new Map<string, Set<Client>>();

  get size(): number {
    return this.#all.size;
  }

  get subscriptions(): number {
    let count = 0;
    for (const { topics } of this.#all.values()) count += topics.size;
    return count;
  }

  get(client: Client): ConnectedClient | undefined {
    return this.#all.get(client);
  }

  /** Their identities. */
  all(): BrokerClient[] {
    return [...this.#all.values()].map(({ client }) => client);
  }

  add(client: Client, connected: ConnectedClient): void {
    this.#all.set(client, connected);
    const ofSession = this.#bySession.get(connected.client.sessionId);
    if (ofSession) ofSession.add(client);
    else this.#bySession.set(connected.client.sessionId, new Set([client]));
  }

  delete(client: Client): void {
    const connected = this.#all.get(client);
    if (!connected) return;
    this.#all.delete(client);
    const { sessionId } = connected.client;
    const ofSession = this.#bySession.get(sessionId);
    ofSession?.delete(client);
    if (ofSession?.size === 0) this.#bySession.delete(sessionId);
  }

  /** The clients of a session or key. */
  ofSession(sessionId: string): readonly Client[] {
    return [...(this.#bySession.get(sessionId) ?? [])];
  }
}
