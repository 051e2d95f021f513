import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextPlace, nextWindow, windowWith, type Window } from './keyboard-window.ts';

describe('arrow keys', () => {
  it.each([
    ['ArrowRight', undefined, 0],
    ['ArrowRight', 2, 3],
    ['ArrowRight', 4, 4],
    ['ArrowLeft', undefined, 4],
    ['ArrowLeft', 0, 0],
    ['Home', 3, 0],
    ['End', 0, 4],
    ['Tab', 1, undefined],
  ])('%s from %s leads to %s', (key, from, to) => {
    expect(nextPlace(key, from, 5)).toBe(to);
  });
});

describe('the window of a long chart', () => {
  it.each<[string, Window, number | undefined, Window | undefined]>([
    ['+', [0, 30], 15, [7, 22]],
    ['=', [0, 30], undefined, [7, 22]],
    ['+', [0, 30], 30, [15, 30]],
    ['+', [0, 30], 0, [0, 15]],
    ['+', [4, 6], 5, [4, 6]],
    ['-', [10, 15], 12, [6, 17]],
    ['-', [0, 30], 12, [0, 30]],
    ['0', [10, 15], 12, [0, 30]],
    ['a', [10, 15], 12, undefined],
  ])('%s on %j around %s shows %j', (key, window, active, expected) => {
    expect(nextWindow(key, window, active, 31)).toEqual(expected);
  });

  it('stays inside and contains the current position, for any keys', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 14, max: 100 }),
        fc.nat(99),
        fc.array(fc.constantFrom('+', '-', '0')),
        (count, any, keys) => {
          const active = any % count;
          let window: Window = [0, count - 1];
          for (const key of keys) {
            window = nextWindow(key, window, active, count) ?? window;
            expect(window[0]).toBeGreaterThanOrEqual(0);
            expect(window[1]).toBeLessThan(count);
            expect(window[0] <= active && active <= window[1]).toBe(true);
          }
        },
      ),
    );
  });

  it.each<[number, Window, Window]>([
    [5, [3, 8], [3, 8]],
    [1, [3, 8], [1, 6]],
    [12, [3, 8], [7, 12]],
  ])('moves to position %d: %j becomes %j', (place, window, expected) => {
    expect(windowWith(place, window)).toEqual(expected);
  });
});
