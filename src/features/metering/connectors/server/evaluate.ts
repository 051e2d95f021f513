// Evaluates a mapping's expressions in a separate process: an Admin's expression may run forever and must not
// block the console.
import jsonata from 'jsonata';
import { ChildCrashed, ChildTooSlow, reusableProcess } from '#platform/server/processes/child-process.ts';
import type { Mapping } from '../contract.ts';
import type { Evaluated, EvaluateResult, EvaluateTask } from './evaluate-process.ts';
import { SourceFailure, type Reading } from './source.ts';

const longestMs = 10_000;
const maxHeapMb = 256;

export type EvaluatedMeasure = {
  readonly quantity: Evaluated;
  readonly dimensions: Readonly<Record<string, Evaluated>>;
};

/** Returns the syntax error of an expression; undefined if it is valid. */
export function expressionIssue(expression: string): string | undefined {
  try {
    jsonata(expression);
    return undefined;
  } catch (error) {
    return error instanceof Error || (typeof error === 'object' && error !== null && 'message' in error)
      ? String(error.message)
      : 'unreadable';
  }
}

export type Evaluator = {
  /** Evaluates each measure of the mapping for each reading. @throws SourceFailure `mapping_too_slow` */
  readonly evaluate: (
    mapping: Pick<Mapping, 'measures'>,
    readings: readonly Pick<Reading, 'fields'>[],
  ) => Promise<EvaluatedMeasure[][]>;
  readonly close: () => Promise<void>;
};

/**
 * Evaluates one connector's mapping until it is closed. Its process starts with the first readings and is
 * reused: starting it takes longer than everything else done for a window.
 */
export function connectorEvaluator(): Evaluator {
  const evaluating = reusableProcess<EvaluateTask, EvaluateResult>(
    new URL('./evaluate-process.ts', import.meta.url),
    { heapMb: maxHeapMb, longestMs },
  );
  const run = async (task: EvaluateTask): Promise<EvaluateResult> => {
    try {
      return await evaluating.ask(task);
    } catch (error) {
      if (error instanceof ChildTooSlow) throw new SourceFailure('mapping_too_slow', `${longestMs / 1000} s`);
      if (error instanceof ChildCrashed) throw new SourceFailure('mapping_too_slow', 'memory');
      throw error;
    }
  };
  const evaluate: Evaluator['evaluate'] = async ({ measures }, readings) => {
    if (readings.length === 0) return [];
    const expressions = [
      ...new Set(measures.flatMap(({ quantity, dimensions }) => [quantity, ...Object.values(dimensions)])),
    ];
    const place = new Map(expressions.map((each, index) => [each, index]));
    const results = await run({ expressions, rows: readings.map(({ fields }) => fields) });
    return results.map((values) => {
      const valueOf = (expression: string): Evaluated => values[place.get(expression) ?? -1] ?? null;
      return measures.map(({ quantity, dimensions }) => ({
        quantity: valueOf(quantity),
        dimensions: Object.fromEntries(
          Object.entries(dimensions).map(([name, each]) => [name, valueOf(each)]),
        ),
      }));
    });
  };
  return { evaluate, close: evaluating.close };
}

/** Evaluates a mapping once, like {@link Evaluator.evaluate}. */
export async function evaluateMapping(
  ...asked: Parameters<Evaluator['evaluate']>
): Promise<EvaluatedMeasure[][]> {
  const evaluator = connectorEvaluator();
  try {
    return await evaluator.evaluate(...asked);
  } finally {
    await evaluator.close();
  }
}
