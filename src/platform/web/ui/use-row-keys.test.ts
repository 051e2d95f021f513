import { expect, it } from 'vitest';
import { nextRow } from './use-row-keys.ts';

it.each([
  ['ArrowDown', 0, 3, 1],
  ['ArrowDown', 2, 3, 2],
  ['ArrowUp', 2, 3, 1],
  ['ArrowUp', 0, 3, 0],
  ['Home', 2, 3, 0],
  ['End', 0, 3, 2],
  ['x', 1, 3, undefined],
  ['ArrowDown', 0, 0, undefined],
])('%s in row %d of %d leads to %s', (key, from, count, to) => {
  expect(nextRow(key, from, count)).toBe(to);
});
