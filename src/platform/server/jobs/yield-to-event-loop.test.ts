import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { yieldToEventLoop } from './yield-to-event-loop.ts';

it('long steps that are requested together run in order, and other work runs between them', async () => {
  const order: string[] = [];
  const small = async (): Promise<void> => {
    for (let step = 0; step < 4; step++) {
      await nextTurn();
      order.push('small');
    }
  };
  await Promise.all([
    ...['a', 'b', 'c'].map(async (name) => {
      await yieldToEventLoop();
      order.push(name);
    }),
    small(),
  ]);
  expect(order.filter((each) => each !== 'small')).toEqual(['a', 'b', 'c']);
  for (const [before, after] of [
    ['a', 'b'],
    ['b', 'c'],
  ] as const)
    expect(order.slice(order.indexOf(before) + 1, order.indexOf(after))).toContain('small');
});
