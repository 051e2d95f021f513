// What a long job says of itself while it works: how far it is, that it is alive, and whether it may go on.
import type { Log } from '../log.ts';

const reportEveryMs = 1000;

/** Somebody asked for the end of a job. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/**
 * Stores a job's progress once a second, also without news, as a sign of life; ends its signal when `store` answers that the job may not
 * go on.
 */
export class ProgressReporter<Progress> {
  readonly #store: (news: Progress | undefined) => Promise<boolean>;
  readonly #log: Log;
  readonly #stop = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #news: Progress | undefined;
  #reporting: Promise<void> = Promise.resolve();
  isStopped = false;
  /** Aborted when the job has to end, by `outer` or because somebody asked for it. */
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
  /** Resolves when nothing is stored any more. */
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
