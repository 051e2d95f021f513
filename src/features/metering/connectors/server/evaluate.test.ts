import { afterAll, expect, test } from 'vitest';
import { connectorEvaluator } from './evaluate.ts';
import { SourceFailure } from './source.ts';

const evaluator = connectorEvaluator();
afterAll(evaluator.close);

const ask = (quantity: string, values: readonly number[]) =>
  evaluator.evaluate(
    { measures: [{ eventType: 'traffic', quantity, multiplyBy: '1', divideBy: '1', dimensions: {} }] },
    values.map((value) => ({ fields: { value } })),
  );

test('T-CONN: an expression is evaluated correctly after another mapping, and after one that exhausted the memory', async () => {
  const quantities = async (...asked: Parameters<typeof ask>) =>
    (await ask(...asked)).map(([measure]) => measure?.quantity);
  expect(await quantities('value * 2', [1, 2])).toEqual([2, 4]);
  expect(await quantities('value + 1', [3])).toEqual([4]);
  await expect(ask('$count([[1..9000000], [1..9000000], [1..9000000], [1..9000000]])', [1])).rejects.toEqual(
    new SourceFailure('mapping_too_slow', 'memory'),
  );
  expect(await quantities('value * 3', [5])).toEqual([15]);
});
