// Draws the arrows of the house: arches between columns, falls from the roof, rails down to the platform and the kernel.
import { type Bundle, type Plan, type Room, wall } from './house-plan.ts';
import type { Side } from './house-rooms.ts';
import { arch, arrow, columnInk, ink, path, type Point, sideInk, thickness } from './house-svg.ts';

const sides = ['server', 'pure', 'web'] as const;
const railStep = 24;

/** Allowed arrows lie behind the rooms, refused ones before them, where nobody overlooks them. */
export function drawArrows(plan: Plan, layer: 'behind' | 'before'): readonly string[] {
  if (layer === 'before')
    return plan.bundles.filter((one) => one.isWrong).map((one) => drawRefused(plan, one));
  return [
    ...drawFalls(plan),
    ...drawArches(plan),
    ...drawRails(plan),
    ...drawOuterWalls(plan),
    ...drawFeet(plan),
  ];
}

function count(plan: Plan, is: (bundle: Bundle) => boolean): number {
  return plan.bundles.filter((one) => !one.isWrong && is(one)).reduce((sum, one) => sum + one.count, 0);
}

/** Where the arrows of a side meet the upper and lower edge of a column. */
function port(column: Plan['columns'][number], side: Side): number {
  const shift = { server: -0.42, pure: 0, web: 0.42 }[side];
  return column.x + column.width * (0.5 + shift);
}

function drawFalls(plan: Plan): readonly string[] {
  return plan.columns.flatMap((column) =>
    sides.flatMap((side) => {
      const imports = count(
        plan,
        (one) => one.from.floor === 'app' && one.to.column === column.name && one.to.side === side,
      );
      if (imports === 0) return [];
      const end = { x: port(column, side), y: column.y };
      return [
        arrow(
          path([
            { x: end.x, y: wall.archTop },
            { x: end.x, y: end.y - 5 },
          ]),
          end,
          'down',
          sideInk[side].line,
          thickness(imports),
          0.4,
        ),
      ];
    }),
  );
}

function drawArches(plan: Plan): readonly string[] {
  const drawn: { readonly span: number; readonly svg: string }[] = [];
  for (const from of plan.columns) {
    for (const to of plan.columns.slice(0, from.at)) {
      const imports = count(plan, (one) => one.from.column === from.name && one.to.column === to.name);
      if (imports === 0) continue;
      const span = from.at - to.at;
      // Arches nest without crossing at their feet: the farther the other end, the nearer to the middle.
      const most = Math.max(1, plan.columns.length - 1);
      const foot = (edge: number): number => 10 + edge * (1 - (span - 1) / most);
      const reachOut = from.width * 0.27;
      const start = { x: from.x + from.width / 2 - foot(reachOut), y: from.y };
      const end = { x: to.x + to.width / 2 + foot(reachOut), y: to.y };
      const height = (34 + (span - 1) * (104 / Math.max(1, most - 1))) / 0.75;
      drawn.push({
        span,
        svg: arrow(
          arch(start, { x: end.x, y: end.y - 5 }, height),
          end,
          'down',
          columnInk(from.at),
          thickness(imports),
          0.78,
        ),
      });
    }
  }
  return drawn.toSorted((a, b) => b.span - a.span).map((one) => one.svg);
}

type Rail = { readonly side: Side; readonly target: string; readonly at: number; readonly goal: Point };

// Ten columns share three rails, one per room below; each column lets one arrow fall on each rail.
function drawRails(plan: Plan): readonly string[] {
  const bottom = (plan.columns[0]?.y ?? 0) + (plan.columns[0]?.height ?? 0);
  const slab = (key: string): Room | undefined => plan.slabs.find((one) => one.key === key);
  const [server, web, locales] = [slab('platform/server'), slab('platform/web'), slab('platform/locales')];
  if (server === undefined || web === undefined || locales === undefined) return [];
  const alley = (locales.x + locales.width + web.x) / 2;
  const rails: readonly Rail[] = [
    {
      side: 'server',
      target: 'platform/server',
      at: 0,
      goal: { x: server.x + server.width / 2, y: server.y },
    },
    { side: 'pure', target: 'kernel', at: 1, goal: { x: alley, y: plan.kernel.y } },
    { side: 'web', target: 'platform/web', at: 2, goal: { x: web.x + web.width / 2, y: web.y } },
  ];
  return rails.flatMap((rail) => drawRail(plan, rail, bottom + 28 + rail.at * railStep));
}

function drawRail(plan: Plan, rail: Rail, y: number): readonly string[] {
  const colour = sideInk[rail.side].line;
  const drops = plan.columns
    .map((column) => ({
      x: port(column, rail.side),
      top: column.y + column.height,
      imports: count(plan, (one) => one.from.column === column.name && one.to.room === rail.target),
    }))
    .filter((drop) => drop.imports > 0);
  if (drops.length === 0) return [];
  const all = drops.reduce((sum, drop) => sum + drop.imports, 0);
  const [left, right] = [
    Math.min(rail.goal.x, ...drops.map((drop) => drop.x)),
    Math.max(rail.goal.x, ...drops.map((drop) => drop.x)),
  ];
  const width = thickness(all);
  return [
    `<path d="${path([
      { x: left, y },
      { x: right, y },
    ])}" stroke="${colour}" stroke-width="${Math.min(3, width)}" stroke-linecap="round" opacity="0.75"/>`,
    ...drops.map((drop) =>
      arrow(
        path([
          { x: drop.x, y: drop.top },
          { x: drop.x, y: y - 6 },
        ]),
        { x: drop.x, y: y - 1 },
        'down',
        colour,
        thickness(drop.imports),
        0.85,
      ),
    ),
    arrow(
      path([
        { x: rail.goal.x, y },
        { x: rail.goal.x, y: rail.goal.y - 8 },
      ]),
      rail.goal,
      'down',
      colour,
      width,
    ),
  ];
}

function drawOuterWalls(plan: Plan): readonly string[] {
  const top = plan.roof.y + plan.roof.height;
  const drawn: string[] = [];
  const toKernel = count(plan, (one) => one.from.floor === 'app' && one.to.room === 'kernel');
  if (toKernel > 0) {
    const end = { x: 50, y: plan.kernel.y };
    drawn.push(
      arrow(
        path([
          { x: end.x, y: top },
          { x: end.x, y: end.y - 8 },
        ]),
        end,
        'down',
        sideInk.pure.line,
        thickness(toKernel),
      ),
    );
  }
  for (const [side, x, towards] of [
    ['server', 66, 'right'],
    ['web', wall.right + 16, 'left'],
  ] as const) {
    const slab = plan.slabs.find((one) => one.key === `platform/${side}`);
    const imports = count(plan, (one) => one.from.floor === 'app' && one.to.room === `platform/${side}`);
    if (slab === undefined || imports === 0) continue;
    const end = { x: side === 'server' ? slab.x : slab.x + slab.width, y: slab.y + 30 };
    const stop = { x: end.x + (side === 'server' ? -6 : 6), y: end.y };
    drawn.push(
      arrow(
        path([{ x, y: top }, { x, y: end.y }, stop]),
        end,
        towards,
        sideInk[side].line,
        thickness(imports),
      ),
    );
  }
  return drawn;
}

function drawFeet(plan: Plan): readonly string[] {
  return plan.slabs
    .filter((room) => room.key !== 'kernel')
    .flatMap((room) => {
      const imports = count(plan, (one) => one.from.room === room.key && one.to.room === 'kernel');
      if (imports === 0) return [];
      const end = { x: room.x + room.width / 2, y: plan.kernel.y };
      return [
        arrow(
          path([
            { x: end.x, y: room.y + room.height },
            { x: end.x, y: end.y - 8 },
          ]),
          end,
          'down',
          sideInk[room.side].line,
          thickness(imports),
        ),
      ];
    });
}

function drawRefused(plan: Plan, bundle: Bundle): string {
  const rooms = [...plan.slabs, ...plan.roofRooms, ...plan.columns.flatMap((column) => column.rooms)];
  const [from, to] = [bundle.from.room, bundle.to.room].map((key) => rooms.find((room) => room.key === key));
  if (from === undefined || to === undefined) return '';
  const middle = (room: Room): Point => ({ x: room.x + room.width / 2, y: room.y + room.height / 2 });
  const [start, end] = [middle(from), middle(to)];
  const bend = arch(start, end, Math.max(30, Math.abs(end.x - start.x) / 6));
  return `<path d="${bend}" fill="none" stroke="${ink.wrong}" stroke-width="${thickness(bundle.count) + 2}" stroke-dasharray="9 5"/><circle cx="${end.x}" cy="${end.y}" r="7" fill="${ink.wrong}"/>`;
}
