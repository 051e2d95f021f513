// Tries a call again while it may pass: no answer, 429, 502, 503 and 504. A write keeps its Idempotency-Key, so it happens once.

export type RetryOptions = {
  /** How often a call is tried; 1 tries it once. */
  readonly maxAttempts: number;
  /** The longest that one attempt may take, in milliseconds. */
  readonly timeoutMs: number;
  readonly fetch: typeof fetch;
  readonly pause: (ms: number) => Promise<void>;
};

const firstPauseMs = 500;
const longestPauseMs = 30_000;
/** The longest Retry-After that is kept to. */
const longestRetryAfterMs = 300_000;
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** How long the answer asks to wait, in milliseconds; 0 when it does not. */
function askedPause(response: Response | undefined): number {
  const after = response?.headers.get('retry-after') ?? '';
  return /^\d+$/.test(after) ? Math.min(longestRetryAfterMs, Number(after) * 1000) : 0;
}

/** A fetch that tries again. */
export function retrying(options: RetryOptions): (request: Request) => Promise<Response> {
  return async (first) => {
    const request = new Request(first);
    // Made once for all attempts.
    if (request.method !== 'GET' && !request.headers.has('idempotency-key'))
      request.headers.set('idempotency-key', crypto.randomUUID());
    for (let attempt = 1; ; attempt++) {
      let response: Response | undefined;
      try {
        // A body can be read once, so each attempt has its own.
        response = await options.fetch(
          new Request(request.clone(), {
            signal: AbortSignal.any([request.signal, AbortSignal.timeout(options.timeoutMs)]),
          }),
        );
        if (!passing.has(response.status)) return response;
      } catch (error) {
        if (request.signal.aborted || attempt >= options.maxAttempts) throw error;
      }
      if (response !== undefined && attempt >= options.maxAttempts) return response;
      await response?.body?.cancel();
      // Half of the pause is left to chance, so that many clients do not come back at once.
      const longest = Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1));
      await options.pause(Math.max(askedPause(response), longest * (0.5 + Math.random() / 2)));
    }
  };
}
