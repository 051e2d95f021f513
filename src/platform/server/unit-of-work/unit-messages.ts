// Collects what a unit of work writes to the outbox: messages to send, and topics that have changed.
import type { LiveNews } from './ctx.ts';
import type { OutboxMessage } from '../live/outbox.ts';

// A NOTIFY payload in PostgreSQL holds 8,000 bytes, including what `jsonb` adds between and around the
// topics.
const maxBytes = 7000;
const perTopic = 4;

/**
 * Merges a message for many topics into as few outbox messages as NOTIFY's limit allows: closing many bills
 * sends the same news to hundreds of topics.
 */
function* liveMessages(news: LiveNews, changedTopics: ReadonlySet<string>): Generator<OutboxMessage, void> {
  let topics: string[] = [];
  let bytes = 0;
  for (const topic of changedTopics) {
    const more = Buffer.byteLength(topic) + perTopic;
    if (topics.length > 0 && bytes + more > maxBytes) {
      yield { kind: 'live', key: null, payload: { topics, message: news } };
      [topics, bytes] = [[], 0];
    }
    topics.push(topic);
    bytes += more;
  }
  yield { kind: 'live', key: null, payload: { topics, message: news } };
}

/** The messages of one unit; duplicates are merged. */
export class UnitMessages {
  readonly #sent = new Map<string, OutboxMessage>();
  readonly #changes = new Map<string, { news: LiveNews; topics: Set<string> }>();

  /** Records that a topic has changed. */
  publish(topic: string, news: LiveNews): void {
    const key = JSON.stringify(news);
    const change = this.#changes.get(key) ?? { news, topics: new Set() };
    this.#changes.set(key, change);
    change.topics.add(topic);
  }

  /** Records a message; `key` makes it unique within its kind. */
  send(kind: string, key: string, payload: unknown, dueAt: Date | undefined): void {
    this.#sent.set(`${kind} ${key}`, { kind, key, payload, dueAt });
  }

  get isEmpty(): boolean {
    return this.#sent.size === 0 && this.#changes.size === 0;
  }

  /** All messages, in the form in which they are stored. */
  all(): readonly OutboxMessage[] {
    return [
      ...this.#sent.values(),
      ...[...this.#changes.values()].flatMap(({ news, topics }) => [...liveMessages(news, topics)]),
    ];
  }
}
