// Which topics had a message lately, so that a page that comes a moment too late for it is told to look again.

/** How long it is remembered: longer than a page needs from its first question to its first subscription. */
const lateMs = 15_000;

export class RecentTopics {
  /** When each topic last had a message; in the order of time. */
  readonly #at = new Map<string, number>();

  /** Notes that a topic has a message now. */
  add(topic: string): void {
    this.#at.delete(topic);
    this.#at.set(topic, performance.now());
    this.#forgetEarlier();
  }

  /** How many milliseconds ago the topic had a message; undefined when that was too long ago to be missed. */
  age(topic: string): number | undefined {
    this.#forgetEarlier();
    const at = this.#at.get(topic);
    return at === undefined ? undefined : Math.floor(performance.now() - at);
  }

  #forgetEarlier(): void {
    const from = performance.now() - lateMs;
    for (const [topic, at] of this.#at) {
      if (at >= from) return;
      this.#at.delete(topic);
    }
  }
}
