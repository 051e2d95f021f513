// What a kind of job says of itself, whatever console it runs in.

/** One kind of job of a console of type `A`. `run` may be repeated after a crash, so it takes up where it left off. */
export type JobKind<A> = {
  readonly name: string;
  readonly run: (app: A, payload: never, signal: AbortSignal) => Promise<void>;
  /** A cron line in UTC, when it also runs by itself. */
  readonly schedule?: string;
  /** After each run it waits so long and runs again; for what cannot wait for the next minute, which is the least of a schedule. */
  readonly everySeconds?: number;
  /** How many times a failing run is tried again. */
  readonly retryLimit?: number;
  /**
   * When it has something to do next, as far as is known; undefined: nothing is known. Where the clock is moved (sandboxes), a job of a
   * schedule runs once a day, and at its next turn after this moment.
   */
  readonly nextAt?: (app: A) => Promise<Date | undefined>;
  /** What it keeps follows from everything else and may be late; where the clock is moved, it runs when that stands still. */
  readonly keepsFigures?: true;
};
