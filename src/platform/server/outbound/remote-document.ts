// A document of another server that changes seldom: kept, looked at again in time, and still good while that server is down.
import type { Log } from '../log.ts';

const freshMs = 10 * 60_000;
/** An outage may last a day; older keys may have been withdrawn without our hearing of it. */
const longestMs = 24 * 3_600_000;
const betweenFailuresMs = 5000;
const betweenRefreshesMs = 60_000;

type Kept<T> = { readonly value: T; readonly atMs: number };

/** One document. All who need it at once wait for one request. */
export class RemoteDocument<T> {
  readonly #load: () => Promise<T>;
  readonly #log: Log;
  #kept: Kept<T> | undefined;
  #failedAtMs = Number.NEGATIVE_INFINITY;
  #failure: unknown;
  #running: Promise<void> | undefined;

  /** `load` asks the other server and checks what it says. */
  constructor(load: () => Promise<T>, log: Log) {
    this.#load = load;
    this.#log = log;
  }

  /** The document; throws what went wrong when there is none that is young enough. */
  async get(now: Date): Promise<T> {
    if (!this.#kept || now.getTime() - this.#kept.atMs >= freshMs) await this.#ask(now);
    if (this.#kept && now.getTime() - this.#kept.atMs < longestMs) return this.#kept.value;
    throw this.#failure;
  }

  /** Looks again because the document lacks something; at most once a minute. Answers what there is afterwards. */
  async refresh(now: Date): Promise<T> {
    if (!this.#kept || now.getTime() - this.#kept.atMs >= betweenRefreshesMs) await this.#ask(now);
    return this.get(now);
  }

  async #ask(now: Date): Promise<void> {
    if (now.getTime() - this.#failedAtMs < betweenFailuresMs) return;
    this.#running ??= this.#once(now).finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  async #once(now: Date): Promise<void> {
    try {
      this.#kept = { value: await this.#load(), atMs: now.getTime() };
      this.#failedAtMs = Number.NEGATIVE_INFINITY;
    } catch (error) {
      this.#failedAtMs = now.getTime();
      this.#failure = error;
      this.#log.warn({ err: error }, 'a sign-in provider cannot be asked');
    }
  }
}
