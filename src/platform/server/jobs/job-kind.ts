// The definition of a kind of job, independent of the console that runs it.

/**
 * A kind of job for a console of type `A`. `run` may be repeated after a crash, so it must resume where it
 * left off.
 */
export type JobKind<A> = {
  readonly name: string;
  readonly run: (app: A, payload: never, signal: AbortSignal) => Promise<void>;
  /** A cron expression in UTC, when the job also runs on a schedule. */
  readonly schedule?: string;
  /**
   * Runs the job again this many seconds after each run; for work that is needed more often than once a
   * minute, which is the shortest schedule.
   */
  readonly everySeconds?: number;
  /** How many times a failed run is retried. */
  readonly retryLimit?: number;
  /**
   * When the job next has something to do, as far as is known; undefined: unknown. Where the clock is moved
   * (sandboxes), a scheduled job runs once a day, and at its next scheduled time after this moment.
   */
  readonly nextAt?: (app: A) => Promise<Date | undefined>;
  /** Computes derived data that may be late; where the clock is moved, the job runs once the clock stands still. */
  readonly keepsFigures?: true;
};
