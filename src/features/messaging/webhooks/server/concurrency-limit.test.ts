// The limiter never runs more than its limit, drops no function, and keeps the order.
import { expect, it } from 'vitest';
import { concurrencyLimit } from './concurrency-limit.ts';

it('runs at most the limit at once, in order, also after failures', async () => {
  const gate = concurrencyLimit(3);
  const [order, running]: [number[], Set<number>] = [[], new Set()];
  let most = 0;
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, (_, index) =>
      gate(async () => {
        order.push(index);
        running.add(index);
        most = Math.max(most, running.size);
        for (let wait = 0; wait < index % 7; wait++) await Promise.resolve();
        running.delete(index);
        if (index % 5 === 0) throw new Error('no');
        return index;
      }),
    ),
  );
  expect([most, order]).toEqual([3, Array.from({ length: 50 }, (_, index) => index)]);
  expect(results.filter((each) => each.status === 'rejected')).toHaveLength(10);
  // All slots are free again.
  expect(await Promise.all([1, 2, 3].map((value) => gate(() => Promise.resolve(value))))).toEqual([1, 2, 3]);
});
