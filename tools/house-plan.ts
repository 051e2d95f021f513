// Turns a judged tree into a floor plan: which room stands where, how large it is, and how many arrows join two rooms.
import { countFloors, reach } from './house-graph.ts';
import type { SourceFile, Tree } from './house-read.ts';
import { isTest, type Place, placeOf, type Side } from './house-rooms.ts';
import type { Verdict } from './house-rules.ts';
import { type Box, layChips, thousands } from './house-svg.ts';

export type Room = Box & {
  readonly key: string;
  readonly label: string;
  readonly side: Side;
  readonly files: number;
  readonly lines: number;
  readonly names: readonly string[];
};
export type ColumnPlan = Box & {
  readonly at: number;
  readonly name: string;
  readonly files: number;
  readonly lines: number;
  readonly rooms: readonly Room[];
};
/** All imports from one room into another; refused ones are counted apart. */
export type Bundle = {
  readonly from: Place;
  readonly to: Place;
  readonly count: number;
  readonly isWrong: boolean;
};
/** `mood` says how a figure stands to its target; plain figures have none. */
export type Figure = {
  readonly name: string;
  readonly value: string;
  readonly mood: 'plain' | 'right' | 'watch' | 'wrong';
};

export type Plan = {
  readonly width: number;
  readonly height: number;
  readonly summary: readonly Figure[];
  readonly roof: Box;
  readonly roofRooms: readonly Room[];
  readonly columns: readonly ColumnPlan[];
  readonly slabs: readonly Room[];
  readonly kernel: Room;
  readonly bundles: readonly Bundle[];
  /** The most lines in one cell: the full length of the bars. */
  readonly mostLines: number;
  isWrong(room: string): boolean;
};

export const wall = { left: 80, right: 1520, width: 1600, archTop: 262, columnTop: 424, gap: 16 } as const;
const cell = { head: 40, height: 46, gap: 6, pad: 8, foot: 24 } as const;

/** Lays out the house. Equal trees give equal plans. */
export function planHouse(tree: Tree, verdict: Verdict): Plan {
  const product = tree.files.filter((file) => !isTest(file.path));
  const stock = stockRooms(product);
  const columns = tree.columns.map((name, at) => planColumn(name, at, tree.columns.length, stock));
  const bundles = bundleArrows(verdict);
  const wrong = new Set(bundles.filter((one) => one.isWrong).flatMap((one) => [one.from.room, one.to.room]));
  const slabTop = wall.columnTop + columnHeight() + 104;
  const platform = planPlatform(stock, slabTop);
  const kernel = planSlab(stock, 'kernel', 'kernel', 'pure', {
    x: 40,
    y: slabTop + platform.height + 46,
    width: wall.width - 80,
  });
  const roof = { x: 24, y: 92, width: wall.width - 48, height: 168 };
  const roofRooms = (['server', 'pure', 'web'] as const).map((side, at) =>
    room(stock, `app/${side}`, side, side, {
      x: 800 - 330 + at * 224,
      y: roof.y + 94,
      width: 212,
      height: 48,
    }),
  );
  return {
    width: wall.width,
    height: kernel.y + kernel.height + 84,
    summary: summarise(product, tree, verdict),
    roof,
    roofRooms,
    columns,
    slabs: [...platform.slabs, kernel],
    kernel,
    bundles,
    isWrong: (key) => wrong.has(key),
    mostLines: Math.max(
      100,
      ...[...columns.flatMap((one) => one.rooms), ...roofRooms].map(
        (one) => Math.ceil(one.lines / 100) * 100,
      ),
    ),
  };
}

function summarise(product: readonly SourceFile[], tree: Tree, verdict: Verdict): readonly Figure[] {
  const count = (rule: string): number => verdict.findings.filter((one) => one.rule === rule).length;
  const none = (name: string, value: number): Figure => ({
    name,
    value: String(value),
    mood: value === 0 ? 'right' : 'wrong',
  });
  const [reached, floors] = [Math.round(reach(verdict.graph) * 100), countFloors(verdict.graph)];
  return [
    { name: 'files', value: String(product.length), mood: 'plain' },
    { name: 'lines', value: thousands(product.reduce((sum, file) => sum + file.lines, 0)), mood: 'plain' },
    { name: 'test files', value: String(tree.files.length - product.length), mood: 'plain' },
    none('circles', count('circular')),
    none('climbing', count('climbing')),
    { name: 'reach ≤ 15 %', value: `${reached} %`, mood: reached <= 15 ? 'right' : 'watch' },
    { name: 'floors ≤ 12', value: String(floors), mood: floors <= 12 ? 'right' : 'watch' },
  ];
}

type Stock = ReadonlyMap<
  string,
  { readonly files: number; readonly lines: number; readonly names: readonly string[] }
>;

function stockRooms(files: readonly SourceFile[]): Stock {
  const stock = new Map<string, { files: number; lines: number; names: string[] }>();
  for (const file of files) {
    const place = placeOf(file.path);
    if (place === null) continue;
    const held = stock.get(place.room) ?? { files: 0, lines: 0, names: [] };
    stock.set(place.room, held);
    held.files += 1;
    held.lines += file.lines;
    held.names.push(file.path.slice(`src/${place.room}/`.length).replace(/\.tsx?$/, ''));
  }
  return stock;
}

function room(stock: Stock, key: string, label: string, side: Side, at: Box): Room {
  const held = stock.get(key) ?? { files: 0, lines: 0, names: [] };
  return { ...at, ...held, key, label, side };
}

function columnHeight(): number {
  return cell.head + 3 * (cell.height + cell.gap) + cell.foot;
}

function planColumn(name: string, at: number, count: number, stock: Stock): ColumnPlan {
  const pitch = (wall.right - wall.left + wall.gap) / count;
  const frame = {
    x: wall.left + at * pitch,
    y: wall.columnTop,
    width: pitch - wall.gap,
    height: columnHeight(),
  };
  const half = (frame.width - 2 * cell.pad - cell.gap) / 2;
  const [left, right] = [frame.x + cell.pad, frame.x + cell.pad + half + cell.gap];
  const row = (n: number): number => frame.y + cell.head + n * (cell.height + cell.gap);
  const make = (part: string, side: Side, x: number, n: number, width: number): Room =>
    room(stock, `features/${name}/${part}`, part, side, { x, y: row(n), width, height: cell.height });
  const rooms = [
    make('server', 'server', left, 0, half),
    make('web', 'web', right, 0, half),
    make('rules', 'pure', left, 1, half),
    make('locales', 'pure', right, 1, half),
    make('contract', 'pure', left, 2, frame.width - 2 * cell.pad),
  ];
  const sum = (field: 'files' | 'lines'): number => rooms.reduce((total, one) => total + one[field], 0);
  return { ...frame, at, name, rooms, files: sum('files'), lines: sum('lines') };
}

// Between the machines of the server and of the browser an alley stays free, through which the columns reach the kernel.
function planPlatform(stock: Stock, y: number): { readonly slabs: readonly Room[]; readonly height: number } {
  const drafts = [
    planSlab(stock, 'platform/server', 'platform / server', 'server', { x: wall.left, y, width: 610 }),
    planSlab(stock, 'platform/locales', 'locales', 'pure', { x: 704, y, width: 104 }),
    planSlab(stock, 'platform/web', 'platform / web', 'web', {
      x: 910 - 14,
      y,
      width: wall.right - 910 + 14,
    }),
  ];
  const height = Math.max(...drafts.map((one) => one.height));
  return { slabs: drafts.map((one) => ({ ...one, height })), height };
}

function planSlab(stock: Stock, key: string, label: string, side: Side, at: Omit<Box, 'height'>): Room {
  const names = stock.get(key)?.names ?? [];
  return room(stock, key, label, side, {
    ...at,
    height: Math.max(60, 52 + layChips(names, at.width - 32).height),
  });
}

function bundleArrows(verdict: Verdict): readonly Bundle[] {
  const bundles = new Map<string, Bundle>();
  for (const arrow of verdict.arrows) {
    const [from, to] = [placeOf(arrow.from), placeOf(arrow.to)];
    if (from === null || to === null || isTest(arrow.from) || (from.room === to.room && arrow.rule === null))
      continue;
    const isWrong = arrow.rule !== null;
    const key = `${from.room} ${to.room} ${isWrong}`;
    bundles.set(key, { from, to, isWrong, count: (bundles.get(key)?.count ?? 0) + 1 });
  }
  return [...bundles.values()];
}
