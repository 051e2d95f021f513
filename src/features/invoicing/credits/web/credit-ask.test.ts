// Input becomes a request once it is complete, and is undefined until then.
import { expect, test } from 'vitest';
import { money } from '#kernel/money.ts';
import { askOf, isPercent, type Typed } from './credit-ask.ts';

const typed = (changes: Partial<Typed>): Typed => ({
  way: 'rest',
  percent: '',
  amount: '',
  lines: {},
  ...changes,
});

test.each<[Partial<Typed>, unknown]>([
  [{}, { kind: 'rest' }],
  [
    { way: 'percent', percent: ' 12.5 ' },
    { kind: 'percent', percent: '12.5' },
  ],
  [{ way: 'percent' }, undefined],
  [{ way: 'percent', percent: '100.01' }, undefined],
  [{ way: 'percent', percent: '-1' }, undefined],
  [
    { way: 'amount', amount: '1,234.50' },
    { kind: 'amount', net: money(123450n, 'USD') },
  ],
  [{ way: 'amount', amount: '1.234' }, undefined],
  [
    { way: 'lines', lines: { 1: '5', 2: '', 3: '-0.5' } },
    {
      kind: 'lines',
      lines: [
        { lineId: '1', net: money(500n, 'USD') },
        { lineId: '3', net: money(-50n, 'USD') },
      ],
    },
  ],
  [{ way: 'lines', lines: { 1: '5', 2: 'x' } }, undefined],
  [{ way: 'lines', lines: {} }, undefined],
])('%o', (changes, ask) => expect(askOf(typed(changes), 'USD')).toEqual(ask));

test('a percentage is from 0 to 100', () =>
  expect(['', '0', '100', '33.3', '101', 'a', '1e2'].map(isPercent)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
    false,
  ]));
