// Draws the rooms of the house and the arrows between them as one SVG that looks the same on every machine.
import { drawArrows } from './house-arrows.ts';
import type { Plan, Room } from './house-plan.ts';
import {
  box,
  type Box,
  columnInk,
  drawChips,
  escape,
  fonts,
  ink,
  sideInk,
  text,
  thickness,
  thousands,
} from './house-svg.ts';

/** Returns the drawing as SVG text that ends in a newline. */
export function drawHouse(plan: Plan): string {
  const { width, height } = plan;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="house-title house-text" font-family="${escape(fonts.sans)}">`,
    '<title id="house-title">The house of Skytally</title>',
    `<desc id="house-text">${escape(plan.summary.map((one) => `${one.name} ${one.value}`).join(', '))}</desc>`,
    `<style>.m{font-family:${escape(fonts.mono)}}</style>`,
    box({ x: 1, y: 1, width: width - 2, height: height - 2 }, ink.paper, ink.edge, 18, 1.5),
    drawTitle(plan),
    drawGround(plan),
    drawRoof(plan),
    ...drawArrows(plan, 'behind'),
    ...plan.slabs.map((room) => drawSlab(room, plan.isWrong(room.key))),
    ...plan.columns.map((column) => drawColumn(plan, column)),
    ...drawArrows(plan, 'before'),
    drawLegend(plan),
    '</svg>',
  ];
  return `${parts.join('\n')}\n`;
}

function drawTitle(plan: Plan): string {
  const figures = plan.summary.map((one, at) => {
    const x = plan.width - 60 - (plan.summary.length - 1 - at) * 118;
    const fill = one.mood === 'plain' ? ink.text : ink[one.mood];
    return (
      text({ x, y: 52 }, one.value, { size: 22, weight: 700, anchor: 'end', fill }) +
      text({ x, y: 71 }, one.name, { size: 12, fill: ink.muted, anchor: 'end' })
    );
  });
  return (
    text({ x: 60, y: 54 }, 'The house of Skytally', { size: 28, weight: 700 }) +
    text({ x: 60, y: 75 }, 'Every arrow is an import. Arrows run down and to the left.', {
      size: 13,
      fill: ink.muted,
    }) +
    figures.join('')
  );
}

function drawGround(plan: Plan): string {
  const y = plan.kernel.y + plan.kernel.height;
  return `<path d="M30 ${y + 7}H${plan.width - 30}" stroke="${ink.edge}" stroke-width="6" stroke-linecap="round"/>`;
}

function drawRoof(plan: Plan): string {
  const { x, y, width, height } = plan.roof;
  const middle = x + width / 2;
  const eaves = y + height;
  const tiles = `<path d="M${middle} ${y}L${x + width} ${eaves - 10}V${eaves}H${x}V${eaves - 10}Z" fill="#f4e3d7" stroke="#cfa78d" stroke-width="1.5" stroke-linejoin="round"/>`;
  const ridge = `<path d="M${x} ${eaves - 10}L${middle} ${y}L${x + width} ${eaves - 10}" fill="none" stroke="#b5653f" stroke-width="5" stroke-linejoin="round" stroke-linecap="round"/>`;
  const chimney = `<rect x="${middle + 232}" y="${y + 6}" width="34" height="44" fill="#e3bfa8" stroke="#cfa78d" stroke-width="1.5"/><rect x="${middle + 227}" y="${y}" width="44" height="9" rx="2" fill="#b5653f"/>`;
  const name =
    text({ x: middle, y: y + 52 }, 'app', { size: 18, weight: 700, anchor: 'middle' }) +
    text({ x: middle, y: y + 69 }, 'the roof: the only place that sees every column', {
      size: 11.5,
      fill: ink.muted,
      anchor: 'middle',
    });
  return chimney + tiles + ridge + name + plan.roofRooms.map((room) => drawCell(plan, room)).join('');
}

function drawSlab(room: Room, isWrong: boolean): string {
  const inks = sideInk[room.side];
  const count = `${room.files} ${room.files === 1 ? 'file' : 'files'} · ${thousands(room.lines)} lines`;
  // A narrow room has no space for its figures beside its name.
  const isNarrow = room.width < 200;
  return (
    box(room, inks.fill, isWrong ? ink.wrong : inks.edge, 10, isWrong ? 3 : 1.5) +
    text({ x: room.x + 16, y: room.y + 25 }, room.label, {
      size: isNarrow ? 13 : 15,
      weight: 700,
      fill: inks.line,
    }) +
    (isNarrow
      ? text({ x: room.x + 16, y: room.y + 43 }, `${room.files} · ${thousands(room.lines)}`, {
          size: 11,
          fill: ink.muted,
          mono: true,
        })
      : text({ x: room.x + room.width - 16, y: room.y + 25 }, count, {
          size: 12,
          fill: ink.muted,
          anchor: 'end',
        })) +
    drawChips({ x: room.x + 16, y: room.y + (isNarrow ? 54 : 38) }, room.names, room.width - 32, inks.edge)
  );
}

function drawColumn(plan: Plan, column: Plan['columns'][number]): string {
  const hue = columnInk(column.at);
  const { x, y, width, height } = column;
  return (
    box(column, '#ffffff', ink.edge, 8, 1.2) +
    `<path d="M${x} ${y + 32}V${y + 8}a8 8 0 0 1 8 -8H${x + width - 8}a8 8 0 0 1 8 8V${y + 32}Z" fill="${hue}"/>` +
    text({ x: x + width / 2, y: y + 21 }, column.name, {
      size: 12.5,
      weight: 700,
      fill: '#ffffff',
      anchor: 'middle',
    }) +
    column.rooms.map((room) => drawCell(plan, room)).join('') +
    text({ x: x + width / 2, y: y + height - 8 }, `${column.files} · ${thousands(column.lines)}`, {
      size: 10.5,
      mono: true,
      fill: ink.muted,
      anchor: 'middle',
    })
  );
}

function drawCell(plan: Plan, room: Room): string {
  const inks = sideInk[room.side];
  const isWrong = plan.isWrong(room.key);
  const empty = room.files === 0;
  const bar: Box = { x: room.x + 6, y: room.y + room.height - 8, width: room.width - 12, height: 3 };
  const full = {
    ...bar,
    width: bar.width * Math.min(1, (Math.ceil(room.lines / 100) * 100) / plan.mostLines),
  };
  return (
    `<g${empty ? ' opacity="0.45"' : ''}>` +
    box(room, inks.fill, isWrong ? ink.wrong : inks.edge, 5, isWrong ? 2.5 : 1) +
    text({ x: room.x + 6, y: room.y + 14 }, room.label, { size: 10.5, fill: inks.line, weight: 700 }) +
    text({ x: room.x + 6, y: room.y + 31 }, empty ? '–' : String(room.files), { size: 13, weight: 700 }) +
    (empty
      ? ''
      : text({ x: room.x + room.width - 6, y: room.y + 31 }, thousands(room.lines), {
          size: 8.5,
          mono: true,
          fill: ink.muted,
          anchor: 'end',
        })) +
    box(bar, '#ffffff', 'none', 1.5, 0) +
    (empty ? '' : box(full, inks.line, 'none', 1.5, 0)) +
    '</g>'
  );
}

function drawLegend(plan: Plan): string {
  const y = plan.height - 34;
  const sides = (['server', 'web', 'pure'] as const).map((side, at) => {
    const x = 60 + at * 170;
    const words = { server: 'server: has Node', web: 'web: has a browser', pure: 'pure: runs anywhere' }[
      side
    ];
    return (
      box({ x, y: y - 11, width: 18, height: 14 }, sideInk[side].fill, sideInk[side].line, 3, 1.2) +
      text({ x: x + 26, y }, words, { size: 12, fill: ink.muted })
    );
  });
  const counts = [1, 4, 16, 64].map((count, at) => {
    const x = 620 + at * 92;
    return (
      `<path d="M${x} ${y - 4}h34" stroke="${ink.line}" stroke-width="${thickness(count)}"/>` +
      text({ x: x + 42, y }, String(count), { size: 12, fill: ink.muted })
    );
  });
  const x = 985;
  return (
    sides.join('') +
    counts.join('') +
    text({ x, y }, 'imports', { size: 12, fill: ink.muted }) +
    text({ x: x + 70, y }, '7', { size: 14, weight: 700 }) +
    text({ x: x + 84, y }, 'files', { size: 12, fill: ink.muted }) +
    text({ x: x + 126, y }, '0.6k', { size: 10.5, mono: true, fill: ink.muted }) +
    text({ x: x + 158, y }, 'lines, without tests', { size: 12, fill: ink.muted }) +
    `<path d="M${x + 300} ${y - 4}h40" stroke="${ink.wrong}" stroke-width="3" stroke-dasharray="7 4"/>` +
    text({ x: x + 350, y }, 'refused: there must be none', { size: 12, fill: ink.muted })
  );
}
