import { describe, expect, it } from 'vitest';
import { idMaker } from './unit-of-work.ts';

const isRising = (ids: readonly string[]): boolean =>
  ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? ''));

describe('ids of a transaction', () => {
  it('rise, although transactions of other times create theirs in between', () => {
    const [early, late] = [idMaker(new Date(1_700_000_000_000)), idMaker(new Date(1_700_000_000_001))];
    const made = Array.from({ length: 200 }, () => [early('bil'), late('bil')] as const);
    expect(isRising(made.map(([first]) => first))).toBe(true);
    expect(isRising(made.map(([, second]) => second))).toBe(true);
  });

  it('rise, although more times occur in between than are remembered', () => {
    const maker = idMaker(new Date(1_700_000_001_000));
    const made = Array.from({ length: 20 }, (_, index) => {
      for (let other = 1; other <= 200; other++)
        idMaker(new Date(1_700_000_100_000 + 1000 * index + other))('bil');
      return maker('bil');
    });
    expect(isRising(made)).toBe(true);
  });

  it('of one time rise from transaction to transaction', () => {
    const now = new Date(1_700_000_002_000);
    expect(isRising(Array.from({ length: 200 }, () => idMaker(now)('bil')))).toBe(true);
  });
});
