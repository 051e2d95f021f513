// Evaluates a mapping's expressions in a thread of their own: an expression of an Admin may run for ever, and must not stop the console.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import jsonata from 'jsonata';
import { heapLimits } from '#platform/server/worker-heap.ts';
import { hasCode } from '#platform/server/system-error.ts';
import type { Mapping } from '../contract.ts';
import type { Evaluated, EvaluateResult, EvaluateTask } from './evaluate-worker.ts';
import { SourceFailure, type Reading } from './source.ts';

const longestMs = 10_000;
const maxHeapMb = 256;

export type EvaluatedMeasure = {
  readonly quantity: Evaluated;
  readonly dimensions: Readonly<Record<string, Evaluated>>;
};

/** What is wrong with an expression; undefined when it can be read. */
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

/** Per reading what each measure of the mapping comes to. @throws SourceFailure `mapping_too_slow` */
export async function evaluateMapping(
  { measures }: Pick<Mapping, 'measures'>,
  readings: readonly Pick<Reading, 'fields'>[],
): Promise<EvaluatedMeasure[][]> {
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
      dimensions: Object.fromEntries(Object.entries(dimensions).map(([name, each]) => [name, valueOf(each)])),
    }));
  });
}

async function run(task: EvaluateTask): Promise<EvaluateResult> {
  const worker = new Worker(new URL('./evaluate-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: heapLimits(maxHeapMb),
  });
  const time = AbortSignal.timeout(longestMs);
  try {
    const [result]: EvaluateResult[] = await once(worker, 'message', { signal: time });
    return result ?? [];
  } catch (error) {
    if (time.aborted) throw new SourceFailure('mapping_too_slow', `${longestMs / 1000} s`);
    if (hasCode(error, 'ERR_WORKER_OUT_OF_MEMORY')) throw new SourceFailure('mapping_too_slow', 'memory');
    throw error;
  } finally {
    await worker.terminate();
  }
}
