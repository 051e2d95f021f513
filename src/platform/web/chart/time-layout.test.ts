import { describe, expect, it } from 'vitest';
import { layOut } from './time-layout.ts';
import { nextPlace } from './places.ts';
import { textWidth } from './scale.ts';

const make = (
  width: number,
  count: number,
  series: Parameters<typeof layOut>[0]['series'] = [{ values: Array.from({ length: count }, () => 10) }],
) =>
  layOut({
    width,
    series,
    places: Array.from({ length: count }, (_, index) => `10/${index + 1}`),
    marks: [],
    formatTick: String,
  });

describe('a chart over time', () => {
  it('keeps bars and labels inside, from phone to wide screen', () => {
    for (const width of [280, 375, 768, 1440]) {
      const layout = make(width, 31);
      expect(layout.centre(30) + layout.barWidth / 2).toBeLessThanOrEqual(width);
      expect(layout.centre(0) - layout.barWidth / 2).toBeGreaterThanOrEqual(layout.left);
    }
    for (const width of [280, 311, 375, 768, 1440])
      for (const count of [7, 31, 37, 60]) {
        const layout = make(width, count);
        const labelled = Array.from({ length: count }, (_, index) => index).filter(layout.isLabelled);
        expect(labelled[0]).toBe(0);
        for (const [nth, index] of labelled.entries()) {
          const half = textWidth(`10/${index + 1}`) / 2;
          expect(layout.centre(index) + half, `${width} ${count}`).toBeLessThanOrEqual(width);
          if (nth > 0)
            expect(layout.centre(index) - layout.centre(labelled[nth - 1] ?? 0)).toBeGreaterThan(2 * half);
        }
      }
  });
  it('finds the place under the pointer', () => {
    const layout = make(700, 31);
    for (let index = 0; index < 31; index++) expect(layout.placeAt(layout.centre(index))).toBe(index);
    expect(layout.placeAt(0)).toBeUndefined();
    expect(layout.placeAt(9999)).toBeUndefined();
  });
  it('finds the segment of a bar under the pointer', () => {
    const layout = layOut({
      width: 400,
      series: [{ values: [10, 0] }, { values: [30, 5] }],
      places: ['a', 'b'],
      marks: [],
      formatTick: String,
    });
    const at = (value: number) => layout.share(value);
    expect([
      layout.barAt(0, at(5)),
      layout.barAt(0, at(25)),
      layout.barAt(0, at(41)),
      layout.barAt(1, at(2)),
      layout.barAt(2, at(2)),
    ]).toEqual([0, 1, undefined, 1, undefined]);
  });
  it('makes room for forecasts, comparisons and reference lines', () => {
    const most = (series: Parameters<typeof layOut>[0]['series'], marks: number[] = []) =>
      layOut({
        width: 400,
        series,
        places: ['a'],
        marks: marks.map((value) => ({ value, label: '' })),
        formatTick: String,
      }).ticks.at(-1)?.value ?? 0;
    const bar = { values: [10] };
    expect(most([bar, { values: [15], as: 'forecast' }])).toBeGreaterThanOrEqual(25);
    expect(most([bar, { values: [40], as: 'outline' }])).toBeGreaterThanOrEqual(40);
    expect(
      most([bar, { values: [15], as: 'forecast', band: [{ low: 5, high: 60 }] }]),
    ).toBeGreaterThanOrEqual(60);
    expect(most([bar], [100])).toBeGreaterThanOrEqual(100);
  });
  it('survives having nothing', () => {
    const layout = make(0, 0, []);
    expect(layout.ticks).toHaveLength(2);
    expect(layout.placeAt(10)).toBeUndefined();
    expect(Number.isFinite(layout.share(0))).toBe(true);
  });
});

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
