// Caches a document of another server that changes rarely: refreshed regularly, and still used while that
// server is down.
import { hourMs } from '#kernel/durations.ts';
import type { Log } from '#platform/server/log.ts';

const freshMs = 10 * 60_000;
/** Survives an outage of a day; keys older than that may have been revoked. */
const longestMs = 24 * hourMs;
const betweenFailuresMs = 5000;
const betweenRefreshesMs = 60_000;

type Cached<T> = { readonly value: T; readonly atMs: number };

/** One document. Concurrent callers share one request. */
export class RemoteDocument<T> {
  readonly #load: () => Promise<T>;
  readonly #log: Log;
  #cached: Cached<T> | undefined;
  #failedAtMs = Number.NEGATIVE_INFINITY;
  #failure: unknown;
  #running: Promise<void> | undefined;

  /** `load` fetches the document and validates it. */
  constructor(load: () => Promise<T>, log: Log) {
    this.#load = load;
    this.#log = log;
  }

  /** The document; throws the error of the last fetch when the cached one is too old. */
  async get(now: Date): Promise<T> {
    if (!this.#cached || now.getTime() - this.#cached.atMs >= freshMs) await this.#refresh(now);
    if (this.#cached && now.getTime() - this.#cached.atMs < longestMs) return this.#cached.value;
    throw this.#failure;
  }

  /**
   * Fetches the document again because something is missing in it; at most once a minute. Returns the current
   * document.
   */
  async refresh(now: Date): Promise<T> {
    if (!this.#cached || now.getTime() - this.#cached.atMs >= betweenRefreshesMs) await this.#refresh(now);
    return this.get(now);
  }

  async #refresh(now: Date): Promise<void> {
    if (now.getTime() - this.#failedAtMs < betweenFailuresMs) return;
    this.#running ??= this.#tryLoad(now).finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  async #tryLoad(now: Date): Promise<void> {
    try {
      this.#cached = { value: await this.#load(), atMs: now.getTime() };
      this.#failedAtMs = Number.NEGATIVE_INFINITY;
    } catch (error) {
      this.#failedAtMs = now.getTime();
      this.#failure = error;
      this.#log.warn({ err: error }, 'a sign-in provider cannot be asked');
    }
  }
}
