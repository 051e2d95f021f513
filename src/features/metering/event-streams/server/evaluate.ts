// Converts messages to events by an expression, in a separate process: an expression may run forever and must
// block neither the console nor the messages behind the one it hangs on.
import { ChildCrashed, ChildTooSlow, reusableProcess } from '#platform/server/processes/child-process.ts';
import type { EvaluateResult, EvaluateTask } from './evaluate-process.ts';

/** Shorter than a lease, which is renewed between two attempts. */
const longestMs = 3000;
const maxHeapMb = 256;
const tooSlow = [{ error: 'too slow', isSlow: true }] as const;

export type Evaluator = {
  /** Evaluates the expression for each message. `renew` is called between the attempts when messages hang. */
  readonly evaluate: (rows: EvaluateTask['rows'], renew: () => Promise<void>) => Promise<EvaluateResult>;
  readonly close: () => Promise<void>;
};

/** Evaluates one expression until it is closed. */
export function evaluatorOf(expression: string): Evaluator {
  const evaluating = reusableProcess<EvaluateTask, EvaluateResult>(
    new URL('./evaluate-process.ts', import.meta.url),
    { heapMb: maxHeapMb, longestMs },
  );
  const attempt = async (rows: EvaluateTask['rows']): Promise<EvaluateResult | undefined> => {
    try {
      return await evaluating.ask({ expression, rows });
    } catch (error) {
      if (error instanceof ChildTooSlow || error instanceof ChildCrashed) return undefined;
      throw error;
    }
  };
  const evaluate: Evaluator['evaluate'] = async (rows, renew) => {
    if (rows.length === 0) return [];
    const results = await attempt(rows);
    if (results) return results;
    if (rows.length === 1) return tooSlow;
    // One of them hangs: bisect to find it.
    await renew();
    const middle = Math.ceil(rows.length / 2);
    const first = await evaluate(rows.slice(0, middle), renew);
    await renew();
    return [...first, ...(await evaluate(rows.slice(middle), renew))];
  };
  return { evaluate, close: evaluating.close };
}
