// The geometry of charts as plain arithmetic: ticks, stacks, arcs, polygons. Numbers here are for drawing only.

/** Round values from 0 (or below) to at least `max`, about `count` steps apart. Never empty, never NaN. */
export function niceTicks(max: number, count = 4, min = 0): number[] {
  const low = Math.min(0, finite(min));
  const high = Math.max(finite(max), low);
  if (high === low) return [0, 1];
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((nice) => nice * power >= rough) ?? 10) * power;
  const first = Math.floor(low / step);
  const last = Math.ceil(high / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
}

const finite = (value: number): number => (Number.isFinite(value) ? value : 0);

/** Bottom and top of each series at each place, stacked from 0; what is below zero counts as zero. */
export function stack(
  series: readonly (readonly number[])[],
  length: number,
): { from: number; to: number }[][] {
  const tops = Array.from({ length }, () => 0);
  return series.map((values) =>
    tops.map((top, index) => {
      const to = top + Math.max(finite(values[index] ?? 0), 0);
      tops[index] = to;
      return { from: top, to };
    }),
  );
}

/** Every how many-th label fits, when each needs `labelPx` and has `bandPx`. */
export const labelStep = (labelPx: number, bandPx: number): number =>
  Math.max(1, Math.ceil(labelPx / Math.max(bandPx, 1)));

/** Roughly how wide a text of 12 px is: Han characters are square. */
export const textWidth = (text: string, px = 12): number =>
  [...text].reduce((sum, letter) => sum + ((letter.codePointAt(0) ?? 0) > 0x2e7f ? px : px * 0.58), 0);

/** A ring segment between two shares of a turn (0 to 1), from the top, clockwise. */
export function ringPath(from: number, to: number, outer: number, inner: number): string {
  // A whole ring would begin where it ends and vanish: leave a hair.
  const end = Math.min(to, from + 0.9999);
  const [a, b] = [point(from, outer), point(end, outer)];
  const [c, d] = [point(end, inner), point(from, inner)];
  const large = end - from > 0.5 ? 1 : 0;
  return `M${a}A${outer},${outer} 0 ${large} 1 ${b}L${c}A${inner},${inner} 0 ${large} 0 ${d}Z`;
}

/** Where each value's part of the whole turn begins and ends; nothing when the whole is nothing. */
export function turns(values: readonly number[]): { from: number; to: number; share: number }[] {
  const sizes = values.map((value) => Math.max(finite(value), 0));
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  let from = 0;
  return sizes.map((size) => {
    const share = whole > 0 ? size / whole : 0;
    const turn = { from, to: from + share, share };
    from = turn.to;
    return turn;
  });
}

/** A point on a circle around 0,0 as "x,y"; `turn` from the top, clockwise. */
export function point(turn: number, radius: number): string {
  const angle = turn * 2 * Math.PI - Math.PI / 2;
  return `${round(Math.cos(angle) * radius)},${round(Math.sin(angle) * radius)}`;
}

/** A closed shape over evenly spread axes; shares are 0 to 1 of `radius`. */
export const polygonPath = (shares: readonly number[], radius: number): string =>
  shares.length === 0
    ? ''
    : `M${shares.map((share, index) => point(index / shares.length, Math.min(Math.max(finite(share), 0), 1) * radius)).join('L')}Z`;

const round = (value: number): number => Math.round(value * 100) / 100;

export type Slice = {
  readonly key: string;
  readonly label: string;
  readonly value: number;
  readonly text: string;
};

/** The biggest slices, and the rest as one. `sum` writes the rest's text. */
export function topAndRest(
  slices: readonly Slice[],
  most: number,
  rest: { label: string; text: (value: number, parts: readonly Slice[]) => string },
): Slice[] {
  const sorted = slices.toSorted((a, b) => b.value - a.value);
  if (sorted.length <= most) return sorted;
  const small = sorted.slice(most);
  const value = small.reduce((sum, slice) => sum + slice.value, 0);
  return [
    ...sorted.slice(0, most),
    { key: 'other', label: rest.label, value, text: rest.text(value, small) },
  ];
}
