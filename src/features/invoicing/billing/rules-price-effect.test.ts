// A new price of a rate card is distinguished from changed usage: price × the new quantity, volume × the old
// price (R-BILL-02).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimal, decimalText, sumDecimals } from '#kernel/decimal.ts';
import { money, roundToMoney } from '#kernel/money.ts';
import type { Charge, Dimensions } from '#features/selling/rating/contract.ts';
import { blockOf, chargePrice, type ChargeUsage } from '#features/selling/rating/rules.ts';
import { changeBetween } from './rules-change.ts';
import type { ComparedLine } from './rules-price-effect.ts';

type Cell = readonly [dimensions: Dimensions, quantity: string];
type Sold = { readonly charge: Charge; readonly version: string };

const name = { zhTW: '費用', enUS: 'Fee' };
const usage = { key: 'traffic', name, kind: 'usage', meter: 'traffic' } as const;
const perUnit = (unitPrice: string): Charge => ({ ...usage, model: 'per_unit', unitPrice });
const matrix = (
  rates: readonly (readonly [when: Dimensions, unitPrice: string])[],
  more: object = {},
): Charge => ({
  ...usage,
  model: 'matrix',
  rates: rates.map(([when, unitPrice]) => ({ when, unitPrice })),
  ...more,
});
const percentage = (of: object): Charge => ({ ...usage, model: 'percentage', ratePercent: '1', ...of });
const usageOf = (cells: readonly Cell[]): ChargeUsage => ({
  quantity: sumDecimals(cells.map(([, quantity]) => decimal(quantity))),
  cells: cells.map(([dimensions, quantity]) => ({ dimensions, quantity: decimal(quantity) })),
  events: cells.map(([, quantity]) => blockOf(decimal(quantity))),
});

/** A line of usage on a bill. */
function line({ charge, version }: Sold, cells: readonly Cell[]): ComparedLine {
  const usageHere = usageOf(cells);
  const { exact, steps } = chargePrice(charge, usageHere);
  return {
    kind: 'usage',
    subscriptionId: 'sub_1',
    serviceName: '主機',
    priceVersionId: version,
    quantity: decimalText(usageHere.quantity),
    unitPrice: null,
    amount: roundToMoney(exact, 'TWD'),
    steps,
    charge: { key: charge.key },
  };
}
/** The fee of a month, or of its charged days. */
function fee(charge: Charge, version: string, units: string, days = 30): ComparedLine {
  const whole = chargePrice(charge, usageOf([[{}, units]])).exact;
  const amount = roundToMoney(whole.times(decimal(BigInt(days))).div(decimal('30')), 'TWD');
  const share = { part: days, whole: 30, unit: 'day' as const, units };
  return {
    ...line({ charge, version }, [[{}, units]]),
    kind: 'base_fee',
    amount,
    steps: [{ kind: 'base', from: null, upTo: null, quantity: '1', unitPrice: '0', amount: '0', share }],
  };
}
const causes = (
  now: readonly ComparedLine[],
  before: readonly ComparedLine[],
  sold: readonly Sold[],
): Record<string, bigint> => {
  const versions = Map.groupBy(sold, ({ version }) => version);
  const bill = (lines: readonly ComparedLine[]) => ({
    total: money(
      lines.reduce((sum, each) => sum + each.amount.minor, 0n),
      'TWD',
    ),
    lines,
  });
  const change = changeBetween(bill(now), bill(before), {
    began: () => false,
    ended: () => false,
    pricingOf: (id) => {
      const charges = versions.get(id)?.map(({ charge }) => charge);
      return charges && { model: 'rate_card', currency: 'TWD', charges };
    },
  });
  return Object.fromEntries(change.causes.map(({ cause, difference }) => [cause, difference.minor]));
};
const between = (
  [old, cellsBefore]: readonly [Charge, readonly Cell[]],
  [own, cells]: readonly [Charge, readonly Cell[]],
): Record<string, bigint> => {
  const [before, now] = [
    { charge: old, version: 'old' },
    { charge: own, version: 'new' },
  ];
  return causes([line(now, cells)], [line(before, cellsBefore)], [before, now]);
};

const plain = (quantity: string): readonly Cell[] => [[{}, quantity]];
const [tpe, khh] = [{ region: 'tpe' }, { region: 'khh' }];
const tiers = (first: string, then: string): Charge => ({
  ...usage,
  model: 'graduated',
  tiers: [
    { upTo: '100', unitPrice: first },
    { upTo: null, unitPrice: then },
  ],
});

describe('R-BILL-02: usage of a rate card at another price', () => {
  test.each<
    [string, readonly [Charge, readonly Cell[]], readonly [Charge, readonly Cell[]], Record<string, bigint>]
  >([
    ['higher, same usage', [perUnit('2'), plain('10')], [perUnit('3'), plain('10')], { price: 10n }],
    ['same price, more usage', [perUnit('2'), plain('10')], [perUnit('2'), plain('15')], { volume: 10n }],
    [
      'higher and more usage: the price effect is on the current usage',
      [perUnit('2'), plain('10')],
      [perUnit('3'), plain('15')],
      { volume: 10n, price: 15n },
    ],
    [
      'lower and more usage: both are shown, although they cancel out',
      [perUnit('3'), plain('10')],
      [perUnit('2'), plain('15')],
      { volume: 15n, price: -15n },
    ],
    [
      'tiers: current usage at the previous tiers',
      [tiers('2', '1'), plain('50')],
      [tiers('2', '1.5'), plain('150')],
      { volume: 150n, price: 25n },
    ],
    [
      'another model',
      [perUnit('1'), plain('100')],
      [{ ...usage, model: 'package', packageSize: '100', packagePrice: '80' }, plain('200')],
      { volume: 100n, price: -40n },
    ],
    [
      'an existing minimum',
      [{ ...perUnit('1'), minimum: '50' } as Charge, plain('10')],
      [perUnit('1'), plain('10')],
      { price: -40n },
    ],
    [
      'a matrix: one region has a higher price, the other one more usage',
      [
        matrix([
          [tpe, '1'],
          [{}, '4'],
        ]),
        [
          [tpe, '10'],
          [khh, '5'],
        ],
      ],
      [
        matrix([
          [tpe, '3'],
          [{}, '4'],
        ]),
        [
          [tpe, '10'],
          [khh, '6'],
        ],
      ],
      { price: 20n, volume: 4n },
    ],
    [
      'a matrix with a new special rate: its usage had the general one before',
      [matrix([[{}, '4']]), [[tpe, '10']]],
      [
        matrix([
          [tpe, '3'],
          [{}, '4'],
        ]),
        [[tpe, '10']],
      ],
      { price: -10n },
    ],
    [
      'a matrix with a removed special rate: its usage is unknown, so everything is volume',
      [
        matrix([
          [tpe, '3'],
          [{}, '4'],
        ]),
        [[tpe, '10']],
      ],
      [matrix([[{}, '5']]), [[tpe, '10']]],
      { volume: 20n },
    ],
    [
      'a matrix by value shows everything',
      [
        matrix([
          [tpe, '3'],
          [{}, '4'],
        ]),
        [[tpe, '10']],
      ],
      [matrix([[{}, '5']], { tierScope: 'per_value' }), [[tpe, '10']]],
      { price: 20n },
    ],
    [
      'a percentage with a fee for each event: two payments of 100',
      [
        percentage({ fixedPerEvent: '3' }),
        [
          [{}, '100'],
          [{}, '100'],
        ],
      ],
      [
        percentage({ ratePercent: '2', fixedPerEvent: '5' }),
        [
          [{}, '100'],
          [{}, '100'],
        ],
      ],
      { price: 6n },
    ],
    [
      'a percentage with other free events: everything is volume',
      [percentage({ freeEvents: 1 }), plain('100')],
      [percentage({}), plain('100')],
      { volume: 1n },
    ],
  ])('%s', (_what, before, now, expected) => {
    expect(between(before, now)).toEqual(expected);
  });

  test('a new version of the card that does not change a charge is no price change, whatever its bill says', () => {
    const least = { ...perUnit('1'), minimum: '50' } as Charge;
    expect(between([least, plain('10')], [least, plain('60')])).toEqual({ volume: 10n });
  });
});

const seats = (unitPrice: string): Charge => ({
  key: 'seats',
  name,
  kind: 'recurring',
  model: 'per_unit',
  unitPrice,
});
const support = (amount: string): Charge => ({
  key: 'support',
  name,
  kind: 'recurring',
  model: 'flat',
  amount,
});
const setup: Charge = { key: 'setup', name, kind: 'one_time', model: 'flat', amount: '590' };

describe('R-BILL-02: fees of a rate card', () => {
  const sold = [
    { charge: seats('100'), version: 'old' },
    { charge: support('900'), version: 'old' },
    { charge: seats('120'), version: 'new' },
    { charge: support('900'), version: 'new' },
  ];
  test.each<[string, ComparedLine[], ComparedLine[], Record<string, bigint>]>([
    [
      'each charge by itself: seats have a higher price and number, support is unchanged',
      [fee(seats('120'), 'new', '5'), fee(support('900'), 'new', '1')],
      [fee(seats('100'), 'old', '3'), fee(support('900'), 'old', '1')],
      { price: 100n, volume: 200n },
    ],
    [
      'days of the first month, at another price and for more seats',
      [fee(seats('120'), 'new', '5')],
      [fee(seats('100'), 'old', '3', 10)],
      { price: 100n, volume: 200n, proration: 200n },
    ],
    [
      'a one-time charge is neither price nor volume of another fee',
      [fee(seats('100'), 'old', '3')],
      [
        fee(seats('100'), 'old', '3'),
        { ...line({ charge: setup, version: 'old' }, plain('1')), kind: 'one_time' },
      ],
      { proration: -590n },
    ],
  ])('%s', (_what, now, before, expected) => {
    expect(causes(now, before, sold)).toEqual(expected);
  });
});

/** Quantities and prices of whole dollars, so that the formula is written without rounding. */
const anAmount = fc.integer({ min: 0, max: 500 });
test('R-BILL-02: for any prices and quantities, volume is at the old price, price at the new quantity, and there is no remainder', () => {
  const places = [tpe, khh, {}];
  const aCell = fc.tuple(fc.constantFrom(...places), anAmount);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(anAmount, anAmount), { minLength: 3, maxLength: 3 }),
      fc.array(aCell, { minLength: 1, maxLength: 5 }),
      fc.array(aCell, { minLength: 1, maxLength: 5 }),
      (prices, cellsBefore, cells) => {
        const rates = (which: 0 | 1) =>
          matrix(places.map((when, place) => [when, String(prices[place]?.[which] ?? 0)] as const));
        const texts = (list: readonly (readonly [Dimensions, number])[]): readonly Cell[] =>
          list.map(([when, quantity]) => [when, String(quantity)] as const);
        const used = (list: readonly (readonly [Dimensions, number])[], place: number): number =>
          list.filter(([when]) => when === places[place]).reduce((sum, [, quantity]) => sum + quantity, 0);
        const expected = { price: 0, volume: 0 };
        for (const [place, [old = 0, own = 0]] of prices.entries()) {
          expected.price += (own - old) * used(cells, place);
          expected.volume += (used(cells, place) - used(cellsBefore, place)) * old;
        }
        const {
          price = 0n,
          volume = 0n,
          ...rest
        } = between([rates(0), texts(cellsBefore)], [rates(1), texts(cells)]);
        expect([price, volume, rest]).toEqual([BigInt(expected.price), BigInt(expected.volume), {}]);
      },
    ),
  );
});
