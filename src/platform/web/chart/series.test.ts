import { describe, expect, it } from 'vitest';
import { cutHeight, isDwarfing, seriesAt, sumsOf } from './series.ts';

describe('series over time', () => {
  it('sum their bars, without compared and expected values', () => {
    expect(
      sumsOf(
        [
          { values: [1, null, 3] },
          { values: [2, 2], as: 'bar' },
          { values: [50, 50, 50], as: 'outline' },
          { values: [70], as: 'forecast' },
        ],
        3,
      ),
    ).toEqual([3, 2, 3]);
  });

  it.each<[string, number[], boolean]>([
    ['one day dwarfs the rest', [10, 12, 0, 11, 500], true],
    ['days that are alike', [10, 12, 0, 11, 200], false],
    ['exactly twenty times the median', [10, 10, 200], false],
    ['days without values do not count', [0, 0, 0, 0, 100, 90], false],
    ['nothing', [], false],
    ['two days', [1, 500], false],
  ])('%s', (_, sums, expected) => {
    expect(isDwarfing(sums)).toBe(expected);
  });

  it('cut off bars that dwarf the others a third above the highest of these, whatever they consist of', () => {
    const bars = (...values: number[]) => ({ values });
    expect(cutHeight([bars(10, 10, 12, 60, 500)], 5)).toBe(80);
    expect(cutHeight([bars(5, 5, 6, 30, 250), bars(5, 5, 6, 30, 250)], 5)).toBe(80);
    const expected = { values: [null, 66], as: 'forecast' as const, band: [null, { low: 50, high: 75 }] };
    expect(cutHeight([bars(10, 10, 12, 60, 500), expected], 5)).toBe(100);
    expect(cutHeight([bars(10, 10, 12, 60, 70)], 5)).toBeUndefined();
  });

  it('find the segment of a bar under the pointer', () => {
    const series = [
      { key: 'a', values: [10, 0] },
      { key: 'before', values: [99, 99], as: 'outline' as const },
      { key: 'b', values: [30, 5] },
    ];
    const at = (index: number, value: number) => seriesAt(series, index, value);
    expect([at(0, 5), at(0, 25), at(0, 41), at(1, 2), at(2, 2)]).toEqual([
      'a',
      'b',
      undefined,
      'b',
      undefined,
    ]);
  });
});
