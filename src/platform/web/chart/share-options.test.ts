// Rings and radars as rendered by ECharts itself.
import { describe, expect, it } from 'vitest';
import { loadEngine, type ChartOption } from './engine.ts';
import { radarOption, radarPicture } from './radar-option.ts';
import { ringOption, ringPicture, type RingInput } from './ring-option.ts';
import { testLook as look } from './test-look.ts';

const engine = await loadEngine('picture');
function draw(...options: readonly ChartOption[]): string {
  const chart = engine.init(null, undefined, { renderer: 'svg', ssr: true, width: 1200, height: 640 });
  for (const option of options) chart.setOption(option);
  return chart.renderToSVGString();
}
const countOf = (svg: string, text: string): number => svg.split(text).length - 1;

describe('a ring chart', () => {
  const part = (key: string, value: number) => ({
    key,
    label: `Service ${key}`,
    value,
    text: `NT$${value}`,
    percent: `${value}%`,
    colour: `var(--${key})`,
  });
  const input = (more: Partial<RingInput> = {}): RingInput => ({
    description: 'Shares',
    parts: [part('a', 60), part('b', 40)],
    active: undefined,
    middle: { label: 'Sum', text: 'NT$100' },
    look,
    ...more,
  });

  it('has a part in its color for each share, and the total in the middle', () => {
    const svg = draw(ringOption(input()));
    expect([countOf(svg, 'fill="var(--a)"'), countOf(svg, 'fill="var(--b)"')]).toEqual([1, 1]);
    expect(svg).toContain('>Sum<');
    expect(svg).toContain('>NT$100<');
    expect(svg).not.toContain('opacity="0.35"');
  });

  it('dims all but the focused one', () => {
    const paths = draw(ringOption(input({ active: 1 }))).match(/<path [^>]*opacity="0.35"[^>]*>/g) ?? [];
    expect(paths.filter((path) => path.includes('fill="var(--a)"'))).toHaveLength(1);
    expect(paths.filter((path) => path.includes('fill="var(--b)"'))).toEqual([]);
  });

  it('shows names unchanged, whatever they contain', () => {
    expect(draw(ringOption(input({ middle: { label: '{a|b}', text: '<script>' } })))).not.toContain(
      '<script>',
    );
  });

  it.each([
    ['of nothing', { parts: [], middle: undefined }],
    ['of zeros', { parts: [part('a', 0)] }],
    ['of negative values', { parts: [part('a', -5), part('b', 5)] }],
  ])('can be rendered %s', (_, more) => {
    expect(draw(ringOption(input(more)))).not.toContain('NaN');
  });

  it('shows every share in a saved picture', () => {
    const svg = draw(ringOption(input()), ringPicture(input()));
    for (const text of ['Service a', 'NT$60 · 60%', 'Service b', 'NT$40 · 40%', 'NT$100'])
      expect(svg).toContain(text);
  });
});

describe('a radar chart', () => {
  const axes = [1, 0.5, Number.NaN, 7].map((share, index) => ({
    key: `s${index}`,
    label: `Service ${index}`,
    share,
    text: `${share}%`,
  }));
  const input = { description: 'Shares', axes, active: undefined, isNumbered: false, look };

  it('names its axes, or numbers them for a list', () => {
    expect(draw(radarOption(input))).toContain('>Service 3<');
    const numbered = draw(radarOption({ ...input, isNumbered: true }));
    expect(numbered).toContain('>4<');
    expect(numbered).not.toContain('Service');
  });

  it('stays within its axes for any share', () => {
    expect(draw(radarOption(input))).not.toContain('NaN');
  });

  it('shows the focused axis', () => {
    const thick = (active: number | undefined) =>
      countOf(draw(radarOption({ ...input, active })), 'stroke-width="5"');
    expect([thick(undefined), thick(2)]).toEqual([0, 1]);
  });

  it('shows every name and figure in a saved picture', () => {
    const svg = draw(radarOption({ ...input, isNumbered: true }), radarPicture(input));
    expect(svg).toContain('Service 1');
    expect(svg).toContain('0.5%');
  });
});
