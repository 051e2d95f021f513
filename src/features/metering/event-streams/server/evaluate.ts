// Makes events of messages by an expression, in a process of its own: an expression may run for ever, and must not stop the console, nor the
// messages behind the one that it hangs on.
import { ChildCrashed, startGuarded, type Guarded } from '#platform/server/processes/child-process.ts';
import type { EvaluateResult, EvaluateTask } from './evaluate-process.ts';

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
  let evaluating: Guarded<EvaluateTask, EvaluateResult> | undefined;
  const close = async (): Promise<void> => {
    const last = evaluating;
    evaluating = undefined;
    await last?.close();
  };
  const attempt = async (rows: EvaluateTask['rows']): Promise<EvaluateResult | undefined> => {
    evaluating ??= startGuarded(new URL('./evaluate-process.ts', import.meta.url), maxHeapMb);
    const time = AbortSignal.timeout(longestMs);
    try {
      return await evaluating.ask({ expression, rows }, time);
    } catch (error) {
      await close();
      if (time.aborted || error instanceof ChildCrashed) return undefined;
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
