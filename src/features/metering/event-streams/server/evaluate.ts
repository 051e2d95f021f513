// Makes events of messages by an expression, in a thread of its own: an expression may run for ever, and must not stop the console, nor the
// messages behind the one that it hangs on.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { heapLimits } from '#platform/server/worker-heap.ts';
import { hasCode } from '#platform/server/system-error.ts';
import type { EvaluateResult, EvaluateTask } from './evaluate-worker.ts';

/** Shorter than a lease, which is renewed between two tries. */
const longestMs = 3000;
const maxHeapMb = 256;
const tooSlow = [{ error: 'too slow', isSlow: true }] as const;

export type Evaluator = {
  /** Per message what the expression makes of it. `renew` is called between the tries of messages that hang. */
  readonly evaluate: (rows: EvaluateTask['rows'], renew: () => Promise<void>) => Promise<EvaluateResult>;
  readonly close: () => Promise<void>;
};

/** Evaluates one expression until it is closed. */
export function evaluatorOf(expression: string): Evaluator {
  let worker: Worker | undefined;
  const close = async (): Promise<void> => {
    const last = worker;
    worker = undefined;
    await last?.terminate();
  };
  const attempt = async (rows: EvaluateTask['rows']): Promise<EvaluateResult | undefined> => {
    worker ??= new Worker(new URL('./evaluate-worker.ts', import.meta.url), {
      resourceLimits: heapLimits(maxHeapMb),
    });
    // A waiting evaluator must not keep a process alive.
    worker.unref();
    const time = AbortSignal.timeout(longestMs);
    worker.postMessage({ expression, rows } satisfies EvaluateTask);
    try {
      const [results]: EvaluateResult[] = await once(worker, 'message', { signal: time });
      return results;
    } catch (error) {
      await close();
      if (time.aborted || hasCode(error, 'ERR_WORKER_OUT_OF_MEMORY')) return undefined;
      throw error;
    }
  };
  const evaluate: Evaluator['evaluate'] = async (rows, renew) => {
    if (rows.length === 0) return [];
    const results = await attempt(rows);
    if (results) return results;
    if (rows.length === 1) return tooSlow;
    // One of them hangs: halves find out which.
    await renew();
    const middle = Math.ceil(rows.length / 2);
    const first = await evaluate(rows.slice(0, middle), renew);
    await renew();
    return [...first, ...(await evaluate(rows.slice(middle), renew))];
  };
  return { evaluate, close };
}
