// Shares, groups and comparisons keep every digit; ranges follow the three date rules.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal, decimalText, sumDecimals, type Decimal } from '#kernel/decimal.ts';
import type { LocalDay } from '#kernel/shape.ts';
import {
  addUp,
  errorPercent,
  exploreMistake,
  meanAbsolute,
  moversOf,
  previousRange,
  quantityOver,
  splitCosts,
  tagGroup,
  valueGroup,
  type GroupContribution,
} from './rules.ts';

const day = (text: string): LocalDay => text as LocalDay;
const list = (...texts: string[]): Decimal[] => texts.map((text) => decimal(text));
const texts = (values: readonly Decimal[] | undefined): string[] => (values ?? []).map(decimalText);

describe('R-USE-05: ranges', () => {
  it.each([
    ['2026-11-02', '2026-11-01', 'day', 'usage.start_after_end'],
    ['2026-08-20', '2026-11-20', 'day', undefined],
    ['2026-08-20', '2026-11-21', 'day', 'usage.range_too_long'],
    ['2026-11-30', '2027-02-28', 'day', undefined],
    ['2026-11-01', '2026-11-14', 'hour', undefined],
    ['2026-11-01', '2026-11-15', 'hour', 'insights.hours_too_long'],
    ['2026-08-01', '2026-11-20', 'hour', 'usage.range_too_long'],
  ] as const)('%s to %s by %s: %s', (from, to, grain, mistake) =>
    expect(exploreMistake(day(from), day(to), grain)).toBe(mistake),
  );

  it('the previous period has as many days and ends where this one begins', () => {
    expect(previousRange(day('2024-03-01'), day('2024-03-31'))).toEqual({
      from: '2024-01-30',
      to: '2024-02-29',
    });
    expect(previousRange(day('2026-11-05'), day('2026-11-05'))).toEqual({
      from: '2026-11-04',
      to: '2026-11-04',
    });
  });
});

describe('costs distributed by quantity', () => {
  it('by hand: ten units for 1.00, three to a, three to b, four without a value; the next part all to a', () => {
    const shares = splitCosts(
      list('10', '2'),
      list('1', '0.2'),
      new Map([
        ['a', list('3', '2')],
        ['b', list('3', '0')],
      ]),
    );
    expect([...shares].map(([value, share]) => [value, texts(share.quantities), texts(share.costs)])).toEqual(
      [
        ['a', ['3', '2'], ['0.3', '0.2']],
        ['b', ['3', '0'], ['0.3', '0']],
        ['none', ['4', '0'], ['0.4', '0']],
      ],
    );
  });

  it('an indivisible remainder goes to the last one', () => {
    const shares = splitCosts(
      list('3'),
      list('1'),
      new Map([
        ['a', list('1')],
        ['b', list('1')],
        ['c', list('1')],
      ]),
    );
    expect([...shares.values()].map((share) => texts(share.costs)[0])).toEqual([
      '0.333333333333',
      '0.333333333333',
      '0.333333333334',
    ]);
  });

  it('without any value everything is in the group without one', () => {
    expect(
      [...splitCosts(list('3'), list('1'), new Map())].map(([value, share]) => [value, texts(share.costs)]),
    ).toEqual([['none', ['1']]]);
  });

  it('groups always add up to quantity and cost to the last digit', () => {
    const amount = fc
      .bigInt({ min: -(10n ** 15n), max: 10n ** 15n })
      .map((units) => decimal(units).times(decimal('1e-9')));
    const place = fc.record({
      whole: amount,
      cost: amount,
      parts: fc.array(amount, { minLength: 3, maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(place, { minLength: 1, maxLength: 5 }), (places) => {
        const byValue = new Map(
          [0, 1, 2].map((value) => [`v${value}`, places.map((each) => each.parts[value] ?? decimal('0'))]),
        );
        const shares = [
          ...splitCosts(
            places.map((each) => each.whole),
            places.map((each) => each.cost),
            byValue,
          ).values(),
        ];
        for (const [index, { whole, cost }] of places.entries()) {
          expect(
            decimalText(sumDecimals(shares.map((share) => share.quantities[index] ?? decimal('0')))),
          ).toBe(decimalText(whole));
          expect(decimalText(sumDecimals(shares.map((share) => share.costs[index] ?? decimal('0'))))).toBe(
            decimalText(cost),
          );
        }
      }),
    );
  });
});

describe('groups of explored usage', () => {
  const piece = (
    key: string,
    unit: string,
    quantity: string,
    cost: string | null,
    currency: 'TWD' | 'USD' = 'TWD',
  ): GroupContribution => ({
    group: { key, label: key, special: null },
    currency,
    unit,
    subscriptionId: `sub_${key}${unit}`,
    quantities: list(quantity),
    quantity: decimal(quantity),
    costs: cost === null ? null : list(cost),
  });

  it('add quantities of one unit; of different units only costs; never mix currencies', () => {
    const groups = addUp([
      piece('a', 'GB', '1', '2'),
      piece('a', 'GB', '3', '4'),
      piece('b', 'GB', '1', '1'),
      piece('b', 'h', '1', '9'),
      piece('a', 'GB', '5', '5', 'USD'),
      piece('c', 'GB', '7', null),
    ]);
    expect(
      groups.map((each) => [
        each.group.key,
        each.currency,
        each.unit,
        each.quantity && decimalText(each.quantity),
        each.cost && decimalText(each.cost),
      ]),
    ).toEqual([
      ['b', 'TWD', null, null, '10'],
      ['a', 'TWD', 'GB', '4', '6'],
      ['a', 'USD', 'GB', '5', '5'],
      ['c', 'TWD', 'GB', '7', null],
    ]);
  });

  it('have one group per combination of tags, in one order', () => {
    expect(tagGroup(['gpu', 'compute'])).toEqual(tagGroup(['compute', 'gpu', 'gpu']));
    expect(tagGroup(['gpu', 'compute'])).toMatchObject({ label: 'compute · gpu', special: null });
    expect(tagGroup([])).toMatchObject({ key: 'untagged', special: 'untagged' });
  });

  it('distinguish a value from a special group with the same name', () => {
    expect(valueGroup('"other"')).toEqual({ key: 'value:"other"', label: 'other', special: null });
    expect(valueGroup('other')).toEqual({ key: 'other', label: 'other', special: 'other' });
    expect(valueGroup('3').label).toBe('3');
    expect(valueGroup('{"a":1}').label).toBe('{"a":1}');
  });

  it('list the largest changes first, including what disappeared', () => {
    const [now, before] = [
      addUp([piece('a', 'GB', '1', '5'), piece('b', 'GB', '1', '2'), piece('d', 'GB', '1', '1')]),
      addUp([piece('a', 'GB', '1', '4'), piece('c', 'GB', '1', '9'), piece('d', 'GB', '1', '1')]),
    ];
    expect(moversOf(now, before).map((each) => [each.key, decimalText(each.change)])).toEqual([
      ['c', '-9'],
      ['b', '2'],
      ['a', '1'],
    ]);
  });
});

it.each([
  ['sum', '6'],
  ['count', '6'],
  ['max', '3'],
  ['latest', '2'],
] as const)('a range of a %s meter is %s', (aggregation, expected) => {
  // The third part was not reported.
  expect(decimalText(quantityOver(list('1', '3', '0', '2'), (index) => index !== 2, aggregation))).toBe(
    expected,
  );
});

it('the error of a projection is relative to the actual value', () => {
  expect([
    errorPercent(decimal('90'), decimal('100')),
    errorPercent(decimal('110'), decimal('100')),
    errorPercent(decimal('1'), decimal('0')),
  ]).toEqual([-10, 10, null]);
  expect([meanAbsolute([-10, 4, null]), meanAbsolute([null])]).toEqual([7, null]);
});
