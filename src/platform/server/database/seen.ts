// What was read a moment ago may be used again, as long as nothing can have changed since.
import type { App } from '../unit-of-work/ctx.ts';

/** So long at most: what another console changes meanwhile is not seen before. */
const lastsMs = 100;
const renewedAfterMs = lastsMs / 2;
const changes = new WeakMap<App, number>();
const countOf = (app: App): number => changes.get(app) ?? 0;

/** The moment before a reading. */
type Moment = { readonly changes: number; readonly readAtMs: number; readonly clockMs: number };

/**
 * What was read last, for as long as it is what a reading would answer now: no unit of work of this process has ended since, but those that leave
 * it as it is (see `leaves` of `work`), and what others do is at most 100 ms away.
 */
export class LastSeen<T> {
  readonly #world: App;
  #last: { readonly moment: Moment; readonly value: T } | undefined;
  #isRenewed = false;

  constructor(app: App) {
    this.#world = app;
  }

  /** What was read last; undefined when it may no longer be so. */
  value(): T | undefined {
    return this.#standing()?.value;
  }

  /** Reads. What `reading` takes over from what was read before and still stands is as old as it was. */
  async read(reading: (before: T | undefined) => Promise<T>): Promise<T> {
    const before = this.#standing();
    const moment = before?.moment ?? this.#now();
    const value = await reading(before?.value);
    this.#last = { moment, value };
    return value;
  }

  /**
   * Reads anew what will soon be too old, once its half time is over: under a stream of callers nobody waits, each uses what is there. `reading` is given
   * what was read before and answers all of it anew. When it fails, whoever reads next is told.
   */
  renewInTime(reading: (before: T) => Promise<T>): void {
    const before = this.#standing();
    if (!before || this.#isRenewed || performance.now() - before.moment.readAtMs < renewedAfterMs) return;
    this.#isRenewed = true;
    const moment = this.#now();
    void reading(before.value)
      .then(
        (value) => void (this.#last = { moment, value }),
        () => undefined,
      )
      .finally(() => void (this.#isRenewed = false));
  }

  #now(): Moment {
    return {
      changes: countOf(this.#world),
      readAtMs: performance.now(),
      clockMs: this.#world.clock.now().getTime(),
    };
  }

  #standing(): { readonly moment: Moment; readonly value: T } | undefined {
    const last = this.#last;
    if (
      !last ||
      last.moment.changes !== countOf(this.#world) ||
      performance.now() - last.moment.readAtMs > lastsMs
    )
      return undefined;
    return Math.abs(this.#world.clock.now().getTime() - last.moment.clockMs) <= lastsMs ? last : undefined;
  }
}

/** A unit of work has ended, before anybody hears of it. */
export function countChange(app: App): void {
  changes.set(app, countOf(app) + 1);
}
