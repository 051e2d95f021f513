// A figure’s address reads back as the figure; an invalid one counts as missing.
import { expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { readFigure, writeFigure, type EventsFigure } from './events-figure.ts';

const sub = 'sub_00000000000000000000000000' as Id<'sub'>;
const day = { start: new Date('2026-11-01T16:00:00Z'), end: new Date('2026-11-02T16:00:00Z') };
const paramsOf = (figure: EventsFigure) =>
  new URLSearchParams(
    Object.entries(writeFigure(figure)).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

it.each([
  { among: [sub], ...day },
  { among: [sub, sub], ...day, group: { by: 'key', apiKeyId: 'none', label: 'Import' } },
  {
    among: [sub],
    ...day,
    group: { by: 'member', memberId: 'usr_00000000000000000000000000' as Id<'usr'>, label: 'Contact, "A"' },
  },
  { among: [sub], ...day, group: { by: 'property', property: 'a=b', value: '"x&y"', label: 'x&y' } },
  { among: [sub], ...day, group: { by: 'dimension', dimension: 'size', value: '"5"', label: '5' } },
] as const satisfies EventsFigure[])('%#', (figure) => expect(readFigure(paramsOf(figure))).toEqual(figure));

it.each([
  '',
  'events-among=x',
  `events-among=${sub}&events-start=2026-11-01&events-end=nonsense`,
  `events-among=${sub}&events-start=2026-11-02&events-end=2026-11-01`,
])('invalid: %s', (search) => expect(readFigure(new URLSearchParams(search))).toBeUndefined());
