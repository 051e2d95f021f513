// The broker's connected clients, by what ends them; and what their messages come to.
import type { Client, PublishPacket } from 'aedes';
import { LRUCache } from 'lru-cache';
import { Inbox, type BrokerClient } from './broker-clients.ts';

/** So many messages of quality of service 2 one client may have unreleased. */
export const mostUnreleased = 1000;

/** An admitted client. */
export class ConnectedClient {
  readonly who: BrokerClient;
  /** What it is subscribed to. */
  readonly topics = new Set<string>();
  readonly #name: string;
  readonly #inbox: Inbox | undefined;
  /** Messages of quality of service 2 by their number, with what became of them. */
  #numbered: LRUCache<number, Promise<Answer>> | undefined;

  constructor(who: BrokerClient, name: string) {
    this.who = who;
    this.#name = name;
    this.#inbox = who.sends && new Inbox(who.sends);
  }

  /** Deals with a message and resolves with its answer once that is durable; undefined when it was sent before. Rejects when it was not taken. */
  async take(packet: PublishPacket): Promise<Answer | undefined> {
    const messageId = packet.qos === 0 ? null : (packet.messageId ?? null);
    if (packet.qos !== 2 || messageId === null) return this.#record(packet.payload, messageId);
    const numbered = (this.#numbered ??= new LRUCache({ max: mostUnreleased }));
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

/** The clients that are connected. */
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

  /** Who they are. */
  all(): BrokerClient[] {
    return [...this.#all.values()].map(({ who }) => who);
  }

  add(client: Client, connected: ConnectedClient): void {
    this.#all.set(client, connected);
    const ofSession = this.#bySession.get(connected.who.sessionId);
    if (ofSession) ofSession.add(client);
    else this.#bySession.set(connected.who.sessionId, new Set([client]));
  }

  delete(client: Client): void {
    const connected = this.#all.get(client);
    if (!connected) return;
    this.#all.delete(client);
    const { sessionId } = connected.who;
    const ofSession = this.#bySession.get(sessionId);
    ofSession?.delete(client);
    if (ofSession?.size === 0) this.#bySession.delete(sessionId);
  }

  /** The clients of a session or key. */
  ofSession(sessionId: string): readonly Client[] {
    return [...(this.#bySession.get(sessionId) ?? [])];
  }
}
