// Remembers which topics had a message recently. A page that subscribes just too late for one is asked to
// refetch.

/**
 * How long a message is remembered: longer than a page needs from its first query to its first subscription.
 */
const lateMs = 15_000;

export class RecentTopics {
  /** When each topic last had a message, oldest first. */
  readonly #at = new Map<string, number>();

  /** Records that a topic has a message now. */
  add(topic: string): void {
    this.#at.delete(topic);
    this.#at.set(topic, performance.now());
    this.#deleteOld();
  }

  /**
   * How many milliseconds ago the topic had a message; undefined when that is too long ago for a new page to
   * have missed it.
   */
  ageMs(topic: string): number | undefined {
    this.#deleteOld();
    const at = this.#at.get(topic);
    return at === undefined ? undefined : Math.floor(performance.now() - at);
  }

  #deleteOld(): void {
    const from = performance.now() - lateMs;
    for (const [topic, at] of this.#at) {
      if (at >= from) return;
      this.#at.delete(topic);
    }
  }
}
