// What a unit of work leaves for the outbox: messages to be sent, and topics whose watchers look again.
import type { LiveNews } from './ctx.ts';
import type { OutboxMessage } from '../live/outbox.ts';

// A notification of the database holds 8,000 bytes; what `jsonb` writes between topics and around them is counted with them.
const mostBytes = 7000;
const perTopic = 4;

/** One message for as many topics as a notification holds: a close of many bills says the same to hundreds. */
function* liveMessages(news: LiveNews, touched: ReadonlySet<string>): Generator<OutboxMessage, void> {
  let topics: string[] = [];
  let bytes = 0;
  for (const topic of touched) {
    const more = Buffer.byteLength(topic) + perTopic;
    if (topics.length > 0 && bytes + more > mostBytes) {
      yield { kind: 'live', key: null, payload: { topics, message: news } };
      [topics, bytes] = [[], 0];
    }
    topics.push(topic);
    bytes += more;
  }
  yield { kind: 'live', key: null, payload: { topics, message: news } };
}

/** The messages of one unit; equal ones are one. */
export class UnitMessages {
  readonly #sent = new Map<string, OutboxMessage>();
  readonly #touched = new Map<string, { news: LiveNews; topics: Set<string> }>();

  /** Notes that a topic's watchers look again. */
  publish(topic: string, news: LiveNews): void {
    const key = JSON.stringify(news);
    const same = this.#touched.get(key) ?? { news, topics: new Set() };
    this.#touched.set(key, same);
    same.topics.add(topic);
  }

  /** Notes a message; `key` makes it unique among those of its kind. */
  send(kind: string, key: string, payload: unknown, dueAt: Date | undefined): void {
    this.#sent.set(`${kind} ${key}`, { kind, key, payload, dueAt });
  }

  get isEmpty(): boolean {
    return this.#sent.size === 0 && this.#touched.size === 0;
  }

  /** All of them, as they are stored. */
  all(): readonly OutboxMessage[] {
    return [
      ...this.#sent.values(),
      ...[...this.#touched.values()].flatMap(({ news, topics }) => [...liveMessages(news, topics)]),
    ];
  }
}
