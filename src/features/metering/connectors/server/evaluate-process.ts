// The child process that evaluates a mapping's expressions; evaluate.ts starts it and limits its time and
// memory.
import jsonata from 'jsonata';
import { obeyConsole } from '#platform/server/processes/child-side.ts';

export type EvaluateTask = {
  readonly expressions: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
};
/** The result of an expression: a number, text or boolean; null for anything else and for an error. */
export type Evaluated = string | number | boolean | null;
/** Per row, the results of the expressions in order. */
export type EvaluateResult = readonly (readonly Evaluated[])[];

async function evaluate({ expressions, rows }: EvaluateTask): Promise<EvaluateResult> {
  const compiled = expressions.map((each) => jsonata(each));
  const results: Evaluated[][] = [];
  for (const row of rows) {
    const values: Evaluated[] = [];
    for (const each of compiled) values.push(await valueOf(each, row));
    results.push(values);
  }
  return results;
}

async function valueOf(expression: jsonata.Expression, row: unknown): Promise<Evaluated> {
  try {
    const value: unknown = await expression.evaluate(row);
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? value
      : null;
  } catch {
    // An expression that fails on a reading yields no quantity: the reading waits, and the page shows why.
    return null;
  }
}

process.on('message', (task: EvaluateTask) => {
  void evaluate(task).then((result) => process.send?.(result));
});
obeyConsole();
