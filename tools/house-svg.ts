// Small, deterministic SVG pieces: text, boxes, chips and arrows, in one set of colours.
import type { Side } from './house-rooms.ts';

export const ink = {
  text: '#1f2733',
  muted: '#667080',
  faint: '#9aa1ab',
  paper: '#fbfaf6',
  edge: '#ddd8cc',
  line: '#8a8f98',
  wrong: '#e11d2e',
  right: '#15803d',
  watch: '#b45309',
} as const;
export const sideInk: Readonly<
  Record<Side, { readonly line: string; readonly fill: string; readonly edge: string }>
> = {
  server: { line: '#0f766e', fill: '#e3f2ee', edge: '#a9d3ca' },
  web: { line: '#6d3fc4', fill: '#eee8fa', edge: '#c9b8ec' },
  pure: { line: '#8a6a1f', fill: '#f5eeda', edge: '#dccfa4' },
};
const columnInks = [
  '#0e7490',
  '#0369a1',
  '#1d4ed8',
  '#4338ca',
  '#6d28d9',
  '#86198f',
  '#9d174d',
  '#9a3412',
  '#a16207',
  '#4d7c0f',
];

/** The colour of the n-th column, also of the arrows that leave it. */
export function columnInk(at: number): string {
  return columnInks[at % columnInks.length] ?? ink.text;
}

export const fonts = {
  sans: '"Segoe UI","Helvetica Neue",Arial,"Noto Sans","DejaVu Sans",sans-serif',
  mono: 'SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace',
} as const;

export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
export type Point = { readonly x: number; readonly y: number };

export function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

// One decimal is finer than any screen shows and keeps the file free of floating noise.
function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}

type TextStyle = {
  readonly size: number;
  readonly fill?: string;
  readonly weight?: number;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly mono?: boolean;
};

export function text(at: Point, words: string, style: TextStyle): string {
  const family = style.mono === true ? ' class="m"' : '';
  const weight = style.weight === undefined ? '' : ` font-weight="${style.weight}"`;
  const anchor =
    style.anchor === undefined || style.anchor === 'start' ? '' : ` text-anchor="${style.anchor}"`;
  return `<text x="${round(at.x)}" y="${round(at.y)}" font-size="${style.size}" fill="${style.fill ?? ink.text}"${family}${weight}${anchor}>${escape(words)}</text>`;
}

export function box(at: Box, fill: string, edge: string, radius = 6, thick = 1): string {
  return `<rect x="${round(at.x)}" y="${round(at.y)}" width="${round(at.width)}" height="${round(at.height)}" rx="${radius}" fill="${fill}" stroke="${edge}" stroke-width="${thick}"/>`;
}

/** Lines of code in steps of a hundred, so that the drawing stays still while one edits. */
export function thousands(lines: number): string {
  return lines === 0 ? '0' : `${(Math.ceil(lines / 100) / 10).toFixed(1)}k`;
}

/** The width of an arrow that stands for `count` imports: one step per doubling, for the same reason. */
export function thickness(count: number): number {
  return Math.min(1.2 + 0.9 * Math.floor(Math.log2(Math.max(1, count))), 9);
}

/** A line through points that ends in an arrowhead; `curve` is the SVG path up to the last point. */
export function arrow(
  curve: string,
  end: Point,
  towards: 'down' | 'left' | 'right',
  colour: string,
  width: number,
  opacity = 1,
): string {
  const size = 4 + width * 1.1;
  const half = size * 0.62;
  const head =
    towards === 'down'
      ? `${round(end.x)},${round(end.y)} ${round(end.x - half)},${round(end.y - size)} ${round(end.x + half)},${round(end.y - size)}`
      : `${round(end.x)},${round(end.y)} ${round(end.x + (towards === 'left' ? size : -size))},${round(end.y - half)} ${round(end.x + (towards === 'left' ? size : -size))},${round(end.y + half)}`;
  return `<g opacity="${opacity}"><path d="${curve}" fill="none" stroke="${colour}" stroke-width="${round(width)}" stroke-linejoin="round"/><polygon points="${head}" fill="${colour}"/></g>`;
}

/** A straight or bent path through points, stopping short of the last one where the arrowhead sits. */
export function path(points: readonly Point[]): string {
  return points.map((point, at) => `${at === 0 ? 'M' : 'L'}${round(point.x)} ${round(point.y)}`).join(' ');
}

export function arch(from: Point, to: Point, height: number): string {
  return `M${round(from.x)} ${round(from.y)} C${round(from.x)} ${round(from.y - height)} ${round(to.x)} ${round(to.y - height)} ${round(to.x)} ${round(to.y)}`;
}

const chip = { letter: 6.35, pad: 7, height: 19, gap: 5 } as const;

/** Puts names into rows no wider than `width`; returns each name with its place, relative to 0,0, and the height of it all. */
export function layChips(
  names: readonly string[],
  width: number,
): { readonly chips: readonly (Box & { readonly name: string })[]; readonly height: number } {
  let [x, y] = [0, 0];
  const chips = names.map((name) => {
    const wide = name.length * chip.letter + 2 * chip.pad;
    if (x > 0 && x + wide > width) [x, y] = [0, y + chip.height + chip.gap];
    const placed = { name, x, y, width: wide, height: chip.height };
    x += wide + chip.gap;
    return placed;
  });
  return { chips, height: names.length === 0 ? 0 : y + chip.height };
}

export function drawChips(at: Point, names: readonly string[], width: number, edge: string): string {
  return layChips(names, width)
    .chips.map(
      (one) =>
        box({ ...one, x: at.x + one.x, y: at.y + one.y }, '#ffffff', edge, 4, 0.8) +
        text({ x: at.x + one.x + chip.pad, y: at.y + one.y + 13 }, one.name, { size: 10.5, mono: true }),
    )
    .join('');
}
