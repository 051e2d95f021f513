// Every group of the explorer opens the list of exactly its own events.
import { expect, it } from 'vitest';
import type { ExploredSeries } from '../contract.ts';
import { eventsGroup, figureOf, groupsAt } from './explored-figure.ts';

const [start, end] = [new Date('2026-11-01T16:00:00Z'), new Date('2026-11-02T16:00:00Z')];
const one = (key: string, special: ExploredSeries['special'], subscriptionIds: string[] = ['sub_a']) =>
  ({ key, special, label: key, subscriptionIds }) as unknown as ExploredSeries;
const user = 'usr_00000000000000000000000000';

it.each([
  ['service', 'svc_1', null, undefined],
  ['tag', 'untagged', 'untagged', undefined],
  ['property:zone', 'value:"tpe"', null, { by: 'property', property: 'zone', value: '"tpe"', label: 'L' }],
  ['property:zone', 'value:"none"', null, { by: 'property', property: 'zone', value: '"none"', label: 'L' }],
  ['property:zone', 'none', 'none', { by: 'property', property: 'zone', value: 'none', label: 'L' }],
  ['property:zone', 'other', 'other', { by: 'property', property: 'zone', value: 'other', label: 'L' }],
  ['property:zone', 'unshared', 'unshared', undefined],
  ['dimension:size', 'value:"5"', null, { by: 'dimension', dimension: 'size', value: '"5"', label: 'L' }],
  ['dimension:size', 'value:', 'none', undefined],
  ['apiKey', 'key_1', null, { by: 'key', apiKeyId: 'key_1', label: 'L' }],
  ['apiKey', 'import', 'import', { by: 'key', apiKeyId: 'none', label: 'L' }],
  ['member', 'platform', 'platform', { by: 'key', apiKeyId: 'platform', label: 'L' }],
  ['member', user, null, { by: 'member', memberId: user, label: 'L' }],
] as const)('by %s, %s (%s)', (groupBy, key, special, group) =>
  expect(eventsGroup(groupBy, { key, special }, 'L')).toEqual(group),
);

it('several groups together open all events of their services', () => {
  const figure = figureOf(
    [one('value:"a"', null, ['sub_a', 'sub_b']), one('value:"b"', null, ['sub_b'])],
    'property:zone',
    start,
    end,
    (each) => each.label,
  );
  expect(figure).toEqual({ among: ['sub_a', 'sub_b'], start, end });
  expect(figureOf([one('value:"a"', null)], 'property:zone', start, end, () => 'A')?.group).toMatchObject({
    value: '"a"',
    label: 'A',
  });
  expect(figureOf([], 'service', start, end, () => '')).toBeUndefined();
});

it('a day opens its groups with usage, by cost or by quantity, then those without figures; all if none is known', () => {
  const of = (key: string, costs: string[] | null, quantities: string[] | null): ExploredSeries => ({
    ...one(key, null),
    costs,
    quantities,
  });
  const dear = of('dear', ['960', '0'], ['48', '0']);
  const cheap = of('cheap', ['1', '2'], ['1', '2']);
  const free = of('free', ['0', '0'], ['0', '3']);
  const mixed = of('mixed', null, null);
  expect(groupsAt([dear, cheap, free, mixed], 0)).toEqual([dear, cheap, mixed]);
  expect(groupsAt([dear, cheap, free, mixed], 1)).toEqual([cheap, free, mixed]);
  expect(groupsAt([dear, mixed], 1)).toEqual([dear, mixed]);
});
