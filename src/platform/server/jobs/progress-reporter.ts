// Reports the state of a long job: its progress, a heartbeat, and whether it may continue.
import type { Log } from '../log.ts';

const reportEveryMs = 1000;

/** Somebody requested that the job stop. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/**
 * Stores a job's progress once a second, even when it is unchanged, as a heartbeat; aborts its signal when
 * `store` returns that the job may not continue.
 */
export class ProgressReporter<Progress> {
  readonly #store: (news: Progress | undefined) => Promise<boolean>;
  readonly #log: Log;
  readonly #stop = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #news: Progress | undefined;
  #reporting: Promise<void> = Promise.resolve();
  isStopped = false;
  /** Aborted when the job must end, because `outer` was aborted or somebody requested it. */
  readonly signal: AbortSignal;

  constructor(log: Log, outer: AbortSignal, store: (news: Progress | undefined) => Promise<boolean>) {
    this.#log = log;
    this.#store = store;
    this.signal = AbortSignal.any([outer, this.#stop.signal]);
    this.#timer = setInterval(() => this.#report(), reportEveryMs);
  }
  update(progress: Progress): void {
    this.#news = progress;
  }
  /** Resolves when no more progress is being stored. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#reporting;
  }
  #report(): void {
    const news = this.#news;
    this.#news = undefined;
    this.#reporting = this.#reporting
      .then(() => this.#store(news))
      .then((mayGoOn) => {
        if (mayGoOn) return;
        this.isStopped = true;
        this.#stop.abort(new Stopped());
      })
      .catch((error: unknown) => this.#log.warn({ err: error }, 'how far a job is could not be kept'));
  }
}
