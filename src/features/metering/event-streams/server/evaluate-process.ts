// The child process that evaluates a stream's expression; evaluate.ts starts it, and ends it if it takes too
// long.
import jsonata from 'jsonata';
import { obeyConsole } from '#platform/server/processes/child-side.ts';

export type EvaluateTask = {
  readonly expression: string;
  readonly rows: readonly { readonly value: unknown; readonly topic: string; readonly sentAt: string }[];
};
/** Per message, its result or its error message. */
export type EvaluateResult = readonly (
  | { readonly result: unknown }
  | { readonly error: string; readonly isSlow: boolean }
)[];

/** The time limit per message in milliseconds, and the recursion limit of its expression. */
const longestMs = 500;
const deepest = 300;
const slow = 'too slow';

/** https://docs.jsonata.org/embedding-extending: JSONata calls these before and after each step. */
const [entry, exit] = [Symbol.for('jsonata.__evaluate_entry'), Symbol.for('jsonata.__evaluate_exit')];

async function evaluate({ expression, rows }: EvaluateTask): Promise<EvaluateResult> {
  const compiled = jsonata(expression);
  let [until, depth] = [0, 0];
  const step = (change: number) => () => {
    depth += change;
    if (depth > deepest * 10 || performance.now() > until) throw new Error(slow);
  };
  const assign = compiled.assign.bind(compiled) as (name: string | symbol, value: unknown) => void;
  assign(entry, step(1));
  assign(exit, step(-1));
  const results: EvaluateResult[number][] = [];
  for (const { value, topic, sentAt } of rows) {
    [until, depth] = [performance.now() + longestMs, 0];
    try {
      // Values that change on every call would create a different event from the same message; these values
      // depend on the message only.
      const result: unknown = await compiled.evaluate(value, {
        topic,
        sentAt,
        now: () => sentAt,
        millis: () => Date.parse(sentAt),
        random: () => {
          throw new Error('$random is not available: the same message must make the same event');
        },
      });
      // Removes the markers that JSONata puts on its lists, and functions.
      results.push({
        result: result === undefined ? null : (JSON.parse(JSON.stringify(result) ?? 'null') as unknown),
      });
    } catch (error) {
      const message =
        typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : 'failed';
      results.push({ error: message.slice(0, 300), isSlow: message === slow });
    }
  }
  return results;
}

process.on('message', (task: EvaluateTask) => {
  void evaluate(task).then((results) => process.send?.(results));
});
obeyConsole();
