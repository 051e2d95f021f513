// Charts over time as rendered by ECharts itself: the bars, their heights, and whether everything fits.
import { describe, expect, it } from 'vitest';
import { loadEngine } from './engine.ts';
import type { TimeSeries } from './series.ts';
import { testLook as look } from './test-look.ts';
import { timeOption, type TimeInput } from './time-option.ts';

const series = (key: string, values: TimeSeries['values'], more: Partial<TimeSeries> = {}): TimeSeries => ({
  key,
  label: key,
  values,
  texts: values.map(String),
  ...more,
});
const input = (all: readonly TimeSeries[], more: Partial<TimeInput> = {}): TimeInput => ({
  description: 'Bars',
  places: (all[0]?.values ?? []).map((_, index) => `10/${index + 1}`),
  series: all,
  colours: new Map(all.map((one) => [one.key, `var(--${one.key})`])),
  flags: [],
  selected: undefined,
  isLog: false,
  cutAt: undefined,
  isZoomable: false,
  formatTick: String,
  explain: () => undefined,
  look,
  ...more,
});

const engine = await loadEngine('zoom');
/** Half a line’s width, and the pixel that it is moved to. */
const near = 1.5;

/** Renders `option` after `before`, as a switch of the chart does. */
function draw(option: TimeInput, { width = 800, before }: { width?: number; before?: TimeInput } = {}) {
  const height = 320;
  const chart = engine.init(null, undefined, { renderer: 'svg', ssr: true, width, height });
  for (const one of before ? [before, option] : [option])
    chart.setOption(timeOption(one), { replaceMerge: ['dataZoom', 'series'] });
  const svg = chart.renderToSVGString();
  /** The top and the bottom of each part of a color, in pixels from above, and its middle from the left. */
  const parts = (colour: string, as: 'fill' | 'stroke' = 'fill') =>
    [...svg.matchAll(/<path d="([^"]*)"[^>]*>/g)]
      .map(([tag, path = ''], order) => ({ tag, path, order }))
      .filter(({ tag }) => tag.includes(`${as}="${colour}"`))
      .map(({ path, order }) => {
        // Moves are absolute, lines are relative to the end of the previous one.
        let [x, y] = [0, 0];
        const points = [...path.matchAll(/([MLl])(-?[\d.]+) (-?[\d.]+)/g)].map(([, command, right, down]) => {
          const from = command === 'l' ? [x, y] : [0, 0];
          [x, y] = [Number(from[0]) + Number(right), Number(from[1]) + Number(down)];
          return { x, y };
        });
        const [across, along] = [points.map((point) => point.x), points.map((point) => point.y)];
        return {
          order,
          middle: (Math.min(...across) + Math.max(...across)) / 2,
          top: Math.min(...along),
          bottom: Math.max(...along),
        };
      });
  const yOf = (value: number): number => Number(chart.convertToPixel({ yAxisIndex: 0 }, value));
  return { svg, parts, yOf };
}

const isNear = (y: number | undefined, expected: number): void =>
  expect(Math.abs((y ?? Number.NaN) - expected)).toBeLessThanOrEqual(near);

describe('a chart over time', () => {
  it('cuts off what dwarfs the rest and shows its total, and shows it completely when switched', () => {
    const bars = [series('a', [10, 10, 12, 60, 487])];
    const cut = input(bars, { cutAt: 80 });
    const { svg, parts, yOf } = draw(cut);
    expect(svg).toContain('>487<');
    isNear(parts('var(--a)')[3]?.top, yOf(60));
    expect(yOf(60) - yOf(80)).toBeGreaterThan(40);
    const whole = draw(input(bars), { before: cut });
    expect(whole.svg).not.toContain('>487<');
    isNear(whole.parts('var(--a)')[4]?.top, whole.yOf(487));
    expect(whole.yOf(487)).toBeGreaterThan(0);
  });

  it('stacks bars; gaps and zeros take no room', () => {
    const { parts, yOf } = draw(input([series('a', [10, null, 0]), series('b', [30, 5, 0])]));
    expect(parts('var(--a)')).toHaveLength(1);
    isNear(parts('var(--a)')[0]?.top, yOf(10));
    expect(parts('var(--b)')).toHaveLength(2);
    isNear(parts('var(--b)')[0]?.top, yOf(40));
    isNear(parts('var(--b)')[0]?.bottom, yOf(10));
    isNear(parts('var(--b)')[1]?.bottom, yOf(0));
  });

  it('draws the previous period as outlines from the baseline, and expected values dashed on top', () => {
    const { parts, svg, yOf } = draw(
      input([
        series('a', [10]),
        series('before', [25], { as: 'outline' }),
        series('next', [15], { as: 'forecast', band: [{ low: 12, high: 30 }] }),
      ]),
    );
    const [outline] = parts('var(--other)', 'stroke').filter((part) => part.bottom > yOf(1));
    isNear(outline?.top, yOf(25));
    expect(svg).toMatch(/stroke-dasharray/);
    const expected = parts('color-mix(in srgb, var(--other) 15%, transparent)')[0];
    isNear(expected?.top, yOf(25));
    isNear(expected?.bottom, yOf(10));
  });

  it('keeps an outline around its bar, whatever else is drawn', () => {
    const values = Array.from({ length: 31 }, (_, index) => index + 1);
    const band = values.map((low) => ({ low, high: 40 }));
    const all = [series('a', values, { band }), series('before', values, { as: 'outline' })];
    const { parts } = draw(input(all));
    const outlines = parts('var(--other)', 'stroke');
    expect(outlines).toHaveLength(31);
    for (const [index, bar] of parts('var(--a)').entries()) isNear(outlines[index]?.middle, bar.middle);
  });

  it.each<[string, readonly TimeSeries[], Partial<TimeInput>, number]>([
    ['forecasts', [series('a', [10]), series('f', [15], { as: 'forecast' })], {}, 25],
    ['comparisons', [series('a', [10]), series('o', [40], { as: 'outline' })], {}, 40],
    [
      'ranges',
      [series('a', [10]), series('f', [15], { as: 'forecast', band: [{ low: 5, high: 60 }] })],
      {},
      60,
    ],
  ])('makes room for %s', (_, all, more, highest) => {
    expect(draw(input(all, more)).yOf(highest)).toBeGreaterThanOrEqual(17);
  });

  it.each([true, false])(
    'on a logarithmic axis every bar starts at the baseline and ends at its total; switched to: %s',
    (isSwitched) => {
      const all = [series('a', [10, null, 5000]), series('b', [30, 20, null])];
      const { parts, yOf } = draw(input(all, { isLog: true }), isSwitched ? { before: input(all) } : {});
      const [a, b] = [parts('var(--a)'), parts('var(--b)')];
      const ground = Math.max(...a.map((part) => part.bottom));
      isNear(a[0]?.top, yOf(10));
      isNear(b[0]?.top, yOf(40));
      isNear(b[1]?.top, yOf(20));
      for (const part of [...a, ...b]) isNear(part.bottom, ground);
      // Lower ones are drawn later, otherwise they would be hidden.
      expect(a[0]?.order).toBeGreaterThan(b[0]?.order ?? 0);
    },
  );

  it('marks positions with a flag', () => {
    const { parts } = draw(input([series('a', [1, 2])], { flags: [undefined, 'more than usual'] }));
    expect(parts('var(--warning)')).toHaveLength(1);
  });

  it('keeps labels inside and apart, from phone to wide screen', () => {
    const textWidth = (text: string): number => text.length * 7;
    for (const width of [280, 311, 375, 768, 1440])
      for (const count of [7, 31, 37, 60]) {
        const values = Array.from({ length: count }, () => 10);
        const { svg } = draw(input([series('a', values)]), { width });
        const labels = [...svg.matchAll(/<text[^>]*translate\(([\d.-]+) [^>]*>(10\/\d+)</g)].map(
          ([tag, x, text = '']) => {
            const to = Number(x) + textWidth(text) / (tag.includes('text-anchor="end"') ? Infinity : 2);
            return { text, from: to - textWidth(text), to };
          },
        );
        expect(labels[0]?.text).toBe('10/1');
        // The latest day, which is looked at most.
        expect(labels.at(-1)?.text, `${width} ${count}`).toBe(`10/${count}`);
        for (const [nth, { from, to }] of labels.entries()) {
          expect(to, `${width} ${count}`).toBeLessThanOrEqual(width);
          expect(from).toBeGreaterThan(labels[nth - 1]?.to ?? 0);
        }
      }
  });

  it('has edges and patterns with forced colors', () => {
    const { svg, parts } = draw(
      input([series('a', [10]), series('b', [5])], { look: { ...look, isForced: true, edge: 'CanvasText' } }),
    );
    expect(parts('CanvasText', 'stroke').length).toBeGreaterThanOrEqual(2);
    expect(svg).toContain('<pattern');
  });

  it('is rendered without data', () => {
    expect(draw(input([])).svg).toContain('<svg');
  });

  it.each([
    [13, false, 0],
    [31, true, 1],
    [92, true, 2],
  ])('of %d places, zoomable %s, has %d ways to zoom', (count, isZoomable, ways) => {
    const { dataZoom = [] } = timeOption(
      input(
        [
          series(
            'a',
            Array.from({ length: count }, () => 1),
          ),
        ],
        { isZoomable },
      ),
    );
    expect(dataZoom).toHaveLength(ways);
  });
});

describe('T-MET: lost revenue', () => {
  const heights = (more: Partial<TimeSeries>, isLog = false): unknown => {
    const option = timeOption(input([series('a', [5, -3, 0, null], more)], { isLog }));
    const all = Array.isArray(option.series) ? option.series : [option.series];
    return all.find((one) => one?.id === 'a')?.data;
  };

  it('is drawn downwards where a series says so, and not elsewhere or on a logarithmic axis', () => {
    expect(heights({ isSigned: true })).toEqual([5, -3, null, null]);
    expect(heights({})).toEqual([5, null, null, null]);
    expect(heights({ isSigned: true }, true)).toEqual([5, null, null, null]);
  });
});
