// Who hears which topic, and the handing out of messages: each encoded once, written to thousands of sockets in short turns.
import { messageFrame } from './broker-packets.ts';

/** What says: something may have been said that you have not heard, look again. */
export const missedPayload = JSON.stringify({ kind: 'missed' });
/** The same, to who may have asked for their figures after it was said: so many milliseconds ago. */
export const missedLately = (ago: number): string => JSON.stringify({ kind: 'missed', ago });

/** One client's ear. `hear` looks itself whether it may still be written to. */
export type Hearer = { readonly hear: (frames: Buffer) => void };

/**
 * The longest turn of handing out, in milliseconds: between two of them the process answers requests, so that a message
 * to ten thousand clients makes nobody wait for the last of them.
 */
const turnMs = 1;
/** The clock is read once for so many. */
const betweenLooks = 16;
/** As much of what waits goes together: far below what a client may leave unread. */
const maxBatchBytes = 64 * 1024;

/** How long a topic is remembered to have had a message: longer than a page needs from its first question to its first subscription. */
const lateMs = 15_000;

type Topic = {
  readonly hearers: Set<Hearer>;
  /** Frames by their message: what came while the ones before were being handed out goes together, equal ones once. */
  readonly waiting: Map<string, Buffer>;
  readonly afterwards: (() => void)[];
  isQueued: boolean;
};
type HandingOut = {
  readonly topic: Topic;
  readonly frames: Buffer;
  readonly left: Iterator<Hearer>;
  readonly afterwards: readonly (() => void)[];
};

/** Topics, their hearers and what is on its way to them. The messages of one topic keep their order. */
export class Fanout {
  readonly #topics = new Map<string, Topic>();
  /** When each topic last had a message, heard or not; in the order of time. */
  readonly #saidAt = new Map<string, number>();
  #queue: (Topic | HandingOut)[] = [];
  #isAtWork = false;
  #subscriptions = 0;

  /** How many subscriptions there are. */
  get subscriptions(): number {
    return this.#subscriptions;
  }

  add(name: string, hearer: Hearer): void {
    let topic = this.#topics.get(name);
    if (!topic)
      this.#topics.set(
        name,
        (topic = { hearers: new Set(), waiting: new Map(), afterwards: [], isQueued: false }),
      );
    if (topic.hearers.has(hearer)) return;
    topic.hearers.add(hearer);
    this.#subscriptions++;
  }

  remove(name: string, hearer: Hearer): void {
    const topic = this.#topics.get(name);
    if (!topic?.hearers.delete(hearer)) return;
    this.#subscriptions--;
    if (topic.hearers.size === 0) this.#topics.delete(name);
  }

  /** Hands an answer to its few hearers, now. */
  answer(name: string, payload: string): void {
    const hearers = this.#topics.get(name)?.hearers ?? [];
    const frame = messageFrame(name, payload);
    for (const each of hearers) each.hear(frame);
  }

  /**
   * Hands a message that says "look again" to all who hear the topic: of equal ones that wait, one is enough. `afterwards`
   * is called when it was written to the last hearer, or nobody hears it.
   */
  publish(name: string, payload: string, afterwards?: () => void): void {
    this.#saidAt.delete(name);
    this.#saidAt.set(name, performance.now());
    this.#forgetEarlier();
    const topic = this.#topics.get(name);
    if (!topic) return afterwards?.();
    if (!topic.waiting.has(payload)) topic.waiting.set(payload, messageFrame(name, payload));
    if (afterwards) topic.afterwards.push(afterwards);
    if (topic.isQueued) return;
    topic.isQueued = true;
    this.#queue.push(topic);
    if (this.#isAtWork) return;
    this.#isAtWork = true;
    setImmediate(() => this.#turn());
  }

  /** How many milliseconds ago the topic had a message, so lately that somebody who comes now may have asked for its figures before, and not have heard it; undefined otherwise. */
  saidLately(name: string): number | undefined {
    this.#forgetEarlier();
    const at = this.#saidAt.get(name);
    return at === undefined ? undefined : Math.floor(performance.now() - at);
  }

  #forgetEarlier(): void {
    const from = performance.now() - lateMs;
    for (const [topic, at] of this.#saidAt) {
      if (at >= from) return;
      this.#saidAt.delete(topic);
    }
  }

  #turn(): void {
    const end = performance.now() + turnMs;
    // Those that still have hearers to go let the others go first: a topic of one does not wait for one of thousands.
    while (this.#queue.length > 0 && performance.now() < end) {
      const next = this.#queue.shift();
      if (!next) break;
      const handing = 'left' in next ? next : this.#begin(next);
      if (handOut(handing, end)) this.#finish(handing);
      else this.#queue.push(handing);
    }
    this.#isAtWork = this.#queue.length > 0;
    if (this.#isAtWork) setImmediate(() => this.#turn());
  }

  #begin(topic: Topic): HandingOut {
    const together: Buffer[] = [];
    let bytes = 0;
    for (const [payload, frame] of topic.waiting) {
      if (bytes > 0 && bytes + frame.length > maxBatchBytes) break;
      together.push(frame);
      bytes += frame.length;
      topic.waiting.delete(payload);
    }
    // Some of what waits may stay behind: only after the last of it was everything heard.
    const afterwards = topic.waiting.size === 0 ? topic.afterwards.splice(0) : [];
    return {
      topic,
      frames: together.length === 1 && together[0] ? together[0] : Buffer.concat(together),
      left: topic.hearers.values(),
      afterwards,
    };
  }

  #finish({ topic, afterwards }: HandingOut): void {
    for (const each of afterwards) each();
    if (topic.waiting.size > 0) this.#queue.push(topic);
    else topic.isQueued = false;
  }
}

/** Writes to hearers until the turn ends; true after the last of them. */
function handOut({ frames, left }: HandingOut, end: number): boolean {
  for (let count = 1; ; count++) {
    const next = left.next();
    if (next.done) return true;
    next.value.hear(frames);
    if (count % betweenLooks === 0 && performance.now() >= end) return false;
  }
}
