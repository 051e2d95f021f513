// A client for POST /api/usage/events of a Skytally console: batches, retries, ids that are made once, and a queue with an end.

/** A usage event. What is left out is filled in once, when it is given to `send`, so that a repeated attempt is the same event. */
export type UsageEvent = {
  /** The meter's event type. */
  readonly type: string;
  /** The subscription's id. */
  readonly subject: string;
  /** What makes the event the same one; a random id when left out. Name it after your own record when you may send that again. */
  readonly id?: string;
  /** Who sends; the client's `source` when left out. */
  readonly source?: string;
  /** When it happened; now when left out. */
  readonly time?: Date | string;
  /** `value` is how much, best as a decimal text; the rest are properties and dimensions. */
  readonly data?: Readonly<Record<string, unknown>>;
};

/** The event in the form in which it is sent: CloudEvents 1.0. */
export type SentEvent = {
  readonly specversion: '1.0';
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject: string;
  readonly time: string;
  readonly data?: Readonly<Record<string, unknown>>;
};

/** What became of an event. */
export type EventResult =
  /** It is recorded, now or by an earlier attempt: a repeated event counts once. */
  | { readonly outcome: 'recorded'; readonly event: SentEvent }
  /** The console will not take it as it is; `code` and `message` say why. Sending it again does not help. */
  | {
      readonly outcome: 'rejected';
      readonly event: SentEvent;
      readonly code: string;
      readonly message: string;
    }
  /** It could not be delivered: the attempts are used up, or the console refuses the key. It may be sent again. */
  | { readonly outcome: 'failed'; readonly event: SentEvent; readonly error: MeteringError };

/** Why a batch could not be delivered; `status` is that of the last answer, 0 when there was none. */
export class MeteringError extends Error {
  override readonly name: string = 'MeteringError';
  readonly status: number;

  constructor(message: string, status: number, options?: { cause: unknown }) {
    super(message, options);
    this.status = status;
  }
}

/** The queue is full, and the client was asked not to wait. */
export class QueueFullError extends MeteringError {
  override readonly name = 'QueueFullError';
}

export type MeteringOptions = {
  /** The console's address, such as `https://console.example.com`. */
  readonly address: string;
  /** The secret of an API key with the scope metering. */
  readonly key: string;
  /** The source of events that name none: your system. */
  readonly source: string;
  /** The most events of a batch (1,000; at most 10,000). */
  readonly maxBatchEvents?: number;
  /** The most bytes of a batch (1,000,000; the console takes 4 MB). */
  readonly maxBatchBytes?: number;
  /** How long an event waits for others at most, in milliseconds (1,000). */
  readonly maxDelayMs?: number;
  /** The most events that wait (10,000). */
  readonly maxQueuedEvents?: number;
  /** What `send` does while the queue is full: wait (the default), or throw {@link QueueFullError}. */
  readonly whenFull?: 'wait' | 'throw';
  /** How often a batch is tried (10); the pauses double from a half second to half a minute. */
  readonly maxAttempts?: number;
  /** The longest that one attempt may take, in milliseconds (30,000). */
  readonly timeoutMs?: number;
  /** Told of each event once it is decided. What it throws ends nothing. */
  readonly onResult?: (result: EventResult) => void;
  /** For tests: another fetch, another pause. */
  readonly fetch?: typeof fetch;
  readonly pause?: (ms: number) => Promise<void>;
};

type Queued = {
  readonly event: SentEvent;
  readonly json: string;
  readonly bytes: number;
  readonly settle: (result: EventResult) => void;
};
/** An event that is in the queue; `result` resolves, never rejects, when it is decided. */
export type Sending = { readonly event: SentEvent; readonly result: Promise<EventResult> };

const firstPauseMs = 500;
const longestPauseMs = 30_000;
/** The longest Retry-After that is kept to. */
const longestRetryAfterMs = 300_000;
const largestBatch = 10_000;
const usual = {
  maxBatchEvents: 1000,
  maxBatchBytes: 1_000_000,
  maxDelayMs: 1000,
  maxQueuedEvents: 10_000,
  maxAttempts: 10,
  timeoutMs: 30_000,
};

/** Sends usage events; one batch after the other, so that the console's answers slow the sender down. */
export class MeteringClient {
  readonly #options: MeteringOptions & typeof usual;
  readonly #queue: Queued[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #encoder = new TextEncoder();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sending: Promise<void> | undefined;
  #isClosed = false;
  /** Events of the batch that is being sent: they count as waiting until they are decided. */
  #inFlight = 0;
  #queuedBytes = 0;
  /** Calls of `send` that wait for a place: `close` waits for them. */
  #senders = 0;

  constructor(options: MeteringOptions) {
    this.#options = { ...usual, ...options };
    if (!/^https?:\/\//.test(options.address))
      throw new TypeError('address must begin with https:// or http://');
    if (options.key === '') throw new TypeError('key is empty');
    if (this.#options.maxBatchEvents > largestBatch)
      throw new TypeError(`maxBatchEvents is at most ${largestBatch}`);
  }

  /** How many events are not decided yet. */
  get queued(): number {
    return this.#queue.length + this.#inFlight;
  }

  /**
   * Puts an event into the queue, and resolves when it is in it; while the queue is full it waits or throws, as `whenFull` says. What becomes
   * of the event is in `result`.
   */
  async send(event: UsageEvent): Promise<Sending> {
    if (this.#isClosed) throw new MeteringError('the client is closed', 0);
    const completed = this.#complete(event);
    const json = JSON.stringify(completed);
    this.#senders++;
    try {
      while (this.queued >= this.#options.maxQueuedEvents) {
        if (this.#options.whenFull === 'throw')
          throw new QueueFullError(`${this.queued} events wait already`, 0);
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
      }
    } finally {
      this.#senders--;
    }
    let settle: (result: EventResult) => void = () => undefined;
    const result = new Promise<EventResult>((resolve) => (settle = resolve));
    const bytes = this.#encoder.encode(json).length + 1;
    this.#queue.push({ event: completed, json, bytes, settle });
    this.#queuedBytes += bytes;
    this.#wake();
    return { event: completed, result };
  }

  /** Sends all that waits, and resolves when it is decided. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // Who waits for a place gets it when a batch is decided, and puts the event into the queue right after.
    while (this.#queue.length > 0 || this.#sending || this.#senders > 0)
      await (this.#sending ?? this.#start());
  }

  /** Takes no more events, sends all that waits, and resolves when it is decided. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.flush();
  }

  #complete({ id, source, time, data, type, subject }: UsageEvent): SentEvent {
    return {
      specversion: '1.0',
      id: id ?? crypto.randomUUID(),
      source: source ?? this.#options.source,
      type,
      subject,
      time:
        time === undefined ? new Date().toISOString() : typeof time === 'string' ? time : time.toISOString(),
      ...(data !== undefined && { data }),
    };
  }

  /** Begins at once when a batch is full, otherwise when the first of its events has waited long enough. */
  #wake(): void {
    if (this.#sending) return;
    const { maxBatchEvents, maxBatchBytes, maxDelayMs } = this.#options;
    if (this.#queue.length >= maxBatchEvents || this.#queuedBytes >= maxBatchBytes) void this.#start();
    else this.#timer ??= setTimeout(() => void this.#start(), maxDelayMs);
  }

  #start(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendBatch().finally(() => {
      this.#sending = undefined;
      if (this.#queue.length > 0) this.#wake();
    });
    return this.#sending;
  }

  #nextBatch(): Queued[] {
    const { maxBatchEvents, maxBatchBytes } = this.#options;
    let [count, bytes] = [0, 2];
    for (const { bytes: own } of this.#queue) {
      // An event that is too long for a batch goes alone, and the console says that it is.
      if (count >= maxBatchEvents || (count > 0 && bytes + own > maxBatchBytes)) break;
      count++;
      bytes += own;
    }
    const batch = this.#queue.splice(0, count);
    for (const { bytes: own } of batch) this.#queuedBytes -= own;
    return batch;
  }

  async #sendBatch(): Promise<void> {
    const batch = this.#nextBatch();
    if (batch.length === 0) return;
    this.#inFlight = batch.length;
    const results = await this.#deliver(batch);
    this.#inFlight = 0;
    for (const [place, { settle, event }] of batch.entries()) {
      const result = results[place] ?? { outcome: 'recorded', event };
      settle(result);
      try {
        this.#options.onResult?.(result);
      } catch {
        // The listener's own fault must not end the sending of others' events.
      }
    }
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Tries a batch until the console has answered for it; never rejects. */
  async #deliver(batch: readonly Queued[]): Promise<EventResult[]> {
    const body = `[${batch.map(({ json }) => json).join(',')}]`;
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#attempt(body);
      if (!(answer instanceof Failed)) return resultsOf(batch, answer);
      if (!answer.isPassing || attempt >= this.#options.maxAttempts)
        return batch.map(({ event }) => ({ outcome: 'failed', event, error: answer.error }));
      await this.#pause(pauseOf(attempt, answer.retryAfterMs));
    }
  }

  #pause(ms: number): Promise<void> {
    return this.#options.pause?.(ms) ?? new Promise((resolve) => setTimeout(resolve, ms));
  }

  async #attempt(body: string): Promise<Answer | Failed> {
    const { address, key, timeoutMs } = this.#options;
    try {
      const response = await (this.#options.fetch ?? fetch)(
        `${address.replace(/\/$/, '')}/api/usage/events`,
        {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/cloudevents-batch+json' },
          body,
          signal: AbortSignal.timeout(timeoutMs),
        },
      );
      const text = await response.text();
      // What is no answer of the console, of a proxy in between for example, says nothing of the events.
      if (response.ok) return answerOf(JSON.parse(text));
      const { status } = response;
      const isPassing = status === 408 || status === 425 || status === 429 || status >= 500;
      return new Failed(
        new MeteringError(`the console answered ${status}: ${text.slice(0, 300)}`, status),
        isPassing,
        retryAfterOf(response.headers.get('retry-after')),
      );
    } catch (error) {
      // No answer, or half of one: whether the events were recorded shows the next attempt, which counts nothing twice.
      return new Failed(
        new MeteringError('the console did not answer', 0, { cause: error }),
        true,
        undefined,
      );
    }
  }
}

type Answer = {
  readonly rejected: readonly { readonly index: number; readonly code: string; readonly message: string }[];
};

/** The answer in the console's envelope. @throws TypeError */
function answerOf(envelope: unknown): Answer {
  const { data } = envelope as { data?: Partial<Answer> };
  if (!Array.isArray(data?.rejected)) throw new TypeError('not an answer of the console');
  return data as Answer;
}

class Failed {
  readonly error: MeteringError;
  /** Whether another attempt may succeed. */
  readonly isPassing: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(error: MeteringError, isPassing: boolean, retryAfterMs: number | undefined) {
    this.error = error;
    this.isPassing = isPassing;
    this.retryAfterMs = retryAfterMs;
  }
}

function resultsOf(batch: readonly Queued[], { rejected }: Answer): EventResult[] {
  const reasons = new Map(rejected.map((each) => [each.index, each]));
  return batch.map(({ event }, place): EventResult => {
    const reason = reasons.get(place);
    return reason
      ? { outcome: 'rejected', event, code: reason.code, message: reason.message }
      : { outcome: 'recorded', event };
  });
}

/** Seconds or a date (RFC 9110, 10.2.3), in milliseconds from now. */
export function retryAfterOf(header: string | null, now: number = Date.now()): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), longestRetryAfterMs) : undefined;
}

/** The pause after an attempt: doubled each time, shortened by chance so that many senders do not come back at once, never below Retry-After. */
export function pauseOf(
  attempt: number,
  retryAfterMs: number | undefined,
  chance: number = Math.random(),
): number {
  const own = Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1));
  return Math.max(retryAfterMs ?? 0, own / 2 + (own / 2) * chance);
}
