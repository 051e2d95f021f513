// Remembers which topics recently had a message. A page that subscribes just too late for one is asked to
// refetch.

/** How long a message is remembered: longer than a page takes from its first query to its first subscription. */
const lateMs = 15_000;

export class RecentTopics {
  /** The time of each topic's last message, oldest first. */
  readonly #at = new Map<string, number>();

  /** Records that a topic has a message now. */
  add(topic: string): void {
    this.#at.delete(topic);
    this.#at.set(topic, performance.now());
    this.#deleteOld();
  }

  /** How many milliseconds ago the topic had its last message; undefined when a new page cannot have missed it. */
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
