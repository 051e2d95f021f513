import fc from 'fast-check';
import { expect, it } from 'vitest';
import { spread } from './test-order.ts';

it('spreads files that wait over the first part of a run', () => {
  expect(spread(['A', 'B'], ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']).join(' ')).toBe(
    'A 1 2 3 B 4 5 6 7 8 9 10',
  );
});

it('takes each file once, and both kinds in their own order', () => {
  fc.assert(
    fc.property(fc.nat(30), fc.nat(30), (waiting, others) => {
      const [a, b] = [waiting, others].map((count, kind) =>
        Array.from({ length: count }, (_, index) => `${kind} ${index}`),
      );
      const order = spread(a ?? [], b ?? []);
      expect(order.filter((each) => each.startsWith('0'))).toEqual(a);
      expect(order.filter((each) => each.startsWith('1'))).toEqual(b);
    }),
  );
});
