// Says for every path below src/ which room of the house it lives in.

export const floors = ['kernel', 'platform', 'features', 'app'] as const;
export type Floor = (typeof floors)[number];

/** `pure` runs anywhere, `server` has Node, `web` has a browser. */
export type Side = 'pure' | 'server' | 'web';

/** `room` is the cell of the drawing: `kernel`, `platform/web`, `features/billing/rules`, `app/server` … */
export type Place = {
  readonly floor: Floor;
  readonly column: string | null;
  readonly side: Side;
  readonly room: string;
};

const pureRoofFiles = new Set(['menu.ts', 'columns.ts']);

/** The place of a file, or null when the house has no room for it. Tests live in the room of what they test. */
export function placeOf(file: string): Place | null {
  const [src, floor, ...rest] = file.split('/');
  if (src !== 'src' || rest.length === 0) return null;
  if (floor === 'kernel')
    return rest.length === 1 ? { floor, column: null, side: 'pure', room: 'kernel' } : null;
  if (floor === 'platform') return placeInPlatform(rest);
  if (floor === 'features') return placeInColumn(rest);
  return floor === 'app' ? placeInRoof(rest) : null;
}

function placeInPlatform(rest: readonly string[]): Place | null {
  const side = sideOfFolder(rest[0] ?? '');
  if (side === null || rest.length < 2) return null;
  return { floor: 'platform', column: null, side, room: `platform/${rest[0]}` };
}

function placeInColumn([column, ...rest]: readonly string[]): Place | null {
  const first = rest[0];
  if (column === undefined || first === undefined) return null;
  const room = rest.length > 1 ? first : /^(contract|rules)(-[a-z0-9-]+)?\.(test\.)?ts$/.exec(first)?.[1];
  const side = room === 'contract' || room === 'rules' ? 'pure' : sideOfFolder(room ?? '');
  return side === null ? null : { floor: 'features', column, side, room: `features/${column}/${room}` };
}

function placeInRoof(rest: readonly string[]): Place {
  const first = rest[0] ?? '';
  const side = rest.length > 1 && (first === 'web' || first === 'locales') ? sideOfFolder(first) : null;
  const isPure =
    rest.length === 1
      ? pureRoofFiles.has(first.replace('.test.ts', '.ts'))
      : rest.length === 2 && rest[1] === 'contract.ts';
  const plain = isPure ? 'pure' : 'server';
  return { floor: 'app', column: null, side: side ?? plain, room: `app/${side ?? plain}` };
}

function sideOfFolder(folder: string): Side | null {
  if (folder === 'server' || folder === 'web') return folder;
  return folder === 'locales' ? 'pure' : null;
}

/** Tests and the files made only for tests (`test-world.ts`, `fixtures/`). They keep the order of the floors but are no part of the product. */
export function isTest(file: string): boolean {
  const name = file.slice(file.lastIndexOf('/') + 1);
  return /\.test\.tsx?$/.test(name) || name.startsWith('test-') || file.includes('/fixtures/');
}

/** The path of a file inside its column (`server/index.ts`), or null outside the columns. */
export function pathInColumn(file: string): string | null {
  return /^src\/features\/[^/]+\/(.+)$/.exec(file)?.[1] ?? null;
}

/** The files through which others reach a column's server and web: what is fetched when opened, and parts that other screens place. */
export function isDoorIndex(file: string): boolean {
  const inside = pathInColumn(file);
  return inside === 'server/index.ts' || inside === 'web/index.ts' || inside === 'web/parts.ts';
}

/** Whether other columns may import this file. A contract that outgrew one file is still a contract; rules speak through `rules.ts`. */
export function isDoor(file: string): boolean {
  const inside = pathInColumn(file) ?? '';
  return isDoorIndex(file) || inside === 'rules.ts' || /^contract(-[a-z0-9-]+)?\.ts$/.test(inside);
}
