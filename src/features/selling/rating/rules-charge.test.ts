// Each charge model is exact, follows the conventions of other products, and explains itself (R-BILL-05,
// R-CAT-01).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { decimal, decimalText, sumDecimals, zero } from '#kernel/decimal.ts';
import { decimalTexts, prices, quantities } from '#tests/support/arbitraries.ts';
import { DraftCharge, PriceStep, type Dimensions, type MatrixRate } from './contract.ts';
import { usageOfEvents, usageOfQuantity } from './rules-card.ts';
import { chargePrice, NoRateError, rateFor, type ChargeUsage, type RatedEvent } from './rules-charge.ts';

const event = (value: string, dimensions: Dimensions = {}): RatedEvent => ({
  value: decimal(value),
  dimensions,
});
const sums = (...values: readonly string[]): ChargeUsage =>
  usageOfEvents(
    { aggregation: 'sum' },
    values.map((value) => event(value)),
  );
const inRegions = (...values: readonly (readonly [value: string, dimensions: Dimensions])[]): ChargeUsage =>
  usageOfEvents(
    { aggregation: 'sum' },
    values.map(([value, dimensions]) => event(value, dimensions)),
  );
const priced = (charge: DraftCharge, usage: ChargeUsage): string => {
  const { exact, steps } = chargePrice(charge, usage);
  expect(decimalText(sumDecimals(steps.map((step) => decimal(step.amount))))).toBe(decimalText(exact));
  for (const step of steps) z.parse(PriceStep, step);
  return decimalText(exact);
};
const of = (quantity: string): ChargeUsage => usageOfQuantity(decimal(quantity));

const tiers = [
  { upTo: '10', unitPrice: '5', flatFee: '1' },
  { upTo: '100', unitPrice: '3', flatFee: '2' },
  { upTo: null, unitPrice: '1' },
];

describe('models of one quantity', () => {
  test.each<[string, DraftCharge, string, string]>([
    ['flat, for any usage', { model: 'flat', amount: '120.5' }, '7', '120.5'],
    [
      'per unit, beyond what is included',
      { model: 'per_unit', unitPrice: '0.25', included: '4' },
      '10',
      '1.5',
    ],
    ['graduated, at the upper end of a tier', { model: 'graduated', tiers }, '10', '51'],
    ['graduated, one above it enters the next', { model: 'graduated', tiers }, '11', '56'],
    ['graduated, nothing used', { model: 'graduated', tiers }, '0', '0'],
    ['volume, at the upper end of a tier', { model: 'volume', tiers }, '10', '51'],
    ['volume, one above it has the next price for all', { model: 'volume', tiers }, '11', '35'],
    [
      'package, started ones count',
      { model: 'package', packageSize: '100', packagePrice: '4', freeUnits: '50' },
      '151',
      '8',
    ],
    [
      'package, started ones do not count',
      { model: 'package', packageSize: '100', packagePrice: '4', rounding: 'down' },
      '299',
      '8',
    ],
    [
      'package, free units only',
      { model: 'package', packageSize: '100', packagePrice: '4', freeUnits: '50' },
      '50',
      '0',
    ],
    [
      'graduated percentage: each part at its tier, and the fee of each that is entered',
      {
        model: 'graduated_percentage',
        tiers: [
          { upTo: '1000', ratePercent: '2', flatFee: '5' },
          { upTo: null, ratePercent: '1', flatFee: '10' },
        ],
      },
      '1500',
      '40',
    ],
    [
      'graduated percentage, at the upper end of a tier',
      {
        model: 'graduated_percentage',
        tiers: [
          { upTo: '1000', ratePercent: '2' },
          { upTo: null, ratePercent: '1', flatFee: '10' },
        ],
      },
      '1000',
      '20',
    ],
    ['dynamic: the events carry the amount', { model: 'dynamic' }, '12.345678', '12.345678'],
    [
      'percentage of one figure',
      { model: 'percentage', ratePercent: '1.2', fixedPerEvent: '0.1' },
      '200',
      '2.5',
    ],
  ])('%s (R-BILL-05)', (_name, charge, quantity, amount) => {
    expect(priced(charge, of(quantity))).toBe(amount);
  });

  test('a minimum adds, a maximum deducts, each as a separate step', () => {
    const charge: DraftCharge = { model: 'per_unit', unitPrice: '2', minimum: '10', maximum: '30' };
    expect(priced(charge, of('3'))).toBe('10');
    expect(priced(charge, of('9'))).toBe('18');
    expect(priced(charge, of('16'))).toBe('30');
    expect(chargePrice(charge, of('3')).steps.at(-1)).toMatchObject({
      kind: 'minimum',
      unitPrice: '10',
      amount: '4',
    });
    expect(chargePrice(charge, of('16')).steps.at(-1)).toMatchObject({
      kind: 'maximum',
      unitPrice: '30',
      amount: '-2',
    });
  });
});

describe('percentage of events', () => {
  const rate = { model: 'percentage', ratePercent: '1.2', fixedPerEvent: '0.1' } as const;
  test.each<[string, DraftCharge, readonly string[], string]>([
    ['each event pays its share and the fee', rate, ['100', '50', '10'], '2.22'],
    ['the first events are free, including the fee', { ...rate, freeEvents: 2 }, ['100', '50', '10'], '0.22'],
    ['as many free events as events', { ...rate, freeEvents: '3' }, ['100', '50', '10'], '0'],
    // 100 and 40 of 50 are free; 10 of the second and all of the third are paid, with two fees.
    ['a free amount covers one event in part', { ...rate, freeAmount: '140' }, ['100', '50', '10'], '0.44'],
    [
      'a free amount that an event uses up exactly',
      { ...rate, freeAmount: '150' },
      ['100', '50', '10'],
      '0.22',
    ],
    [
      'free events and free amount: the events run out first',
      { ...rate, freeEvents: 1, freeAmount: '500' },
      ['100', '50', '10'],
      '0.92',
    ],
    [
      'free events and free amount: the amount runs out first',
      { ...rate, freeEvents: 3, freeAmount: '120' },
      ['100', '50', '10'],
      '0.68',
    ],
    // 0.05 + 0.1 is raised to 0.5, 12 + 0.1 is lowered to 5.
    [
      'minimum and maximum apply to rate and fee of one event',
      { ...rate, minPerEvent: '0.5', maxPerEvent: '5' },
      ['4.166666666667', '1000', '100'],
      '6.8',
    ],
    ['free events pay no minimum', { ...rate, freeEvents: 1, minPerEvent: '0.5' }, ['1', '1'], '0.5'],
    [
      'a correction lowers the price only by its percentage',
      { ...rate, minPerEvent: '0.5' },
      ['100', '-50'],
      '0.7',
    ],
    ['no events', rate, [], '0'],
  ])('%s (R-BILL-05)', (_name, charge, values, amount) => {
    expect(priced(charge, sums(...values))).toBe(amount);
  });

  test('the steps show free amounts, percentage, fees, and the effect of limits', () => {
    const { steps } = chargePrice(
      { ...rate, freeEvents: 1, minPerEvent: '0.5', maxPerEvent: '5' },
      sums('10', '1', '1000'),
    );
    expect(steps.map(({ kind, quantity, amount }) => [kind, quantity, amount])).toEqual([
      ['free_events', '10', '0'],
      ['percentage', '1001', '12.012'],
      ['event_fee', '2', '0.2'],
      ['event_minimum', '1', '0.388'],
      ['event_maximum', '1', '-7.1'],
    ]);
  });
});

describe('matrix', () => {
  const rates: MatrixRate[] = [
    { when: { region: 'tpe' }, unitPrice: '2' },
    { when: { region: 'tpe', size: 'm' }, unitPrice: '3' },
    {
      when: { size: 'm' },
      tiers: [
        { upTo: '10', unitPrice: '1' },
        { upTo: null, unitPrice: '0.5' },
      ],
    },
    { when: { size: 'xl' }, package: { packageSize: '10', packagePrice: '7' } },
    { when: {}, unitPrice: '9' },
  ];
  test.each<[Dimensions, number]>([
    [{ region: 'tpe', size: 'm' }, 1],
    [{ region: 'tpe', size: 's' }, 0],
    // Two rates with one condition each: the first in the list.
    [{ region: 'tpe', size: 'xl' }, 0],
    [{ region: 'khh', size: 'm' }, 2],
    [{ region: 'khh' }, 4],
    [{}, 4],
    // Inherited properties of objects are not dimensions.
    [{ size: 'constructor' }, 4],
  ])('%j has rate %i: the most conditions, then the first', (dimensions, place) => {
    expect(rateFor(rates, dimensions)).toBe(rates[place]);
  });

  const usage = inRegions(
    ['6', { region: 'khh', size: 'm' }],
    ['6', { region: 'txg', size: 'm' }],
    ['11', { region: 'khh', size: 'xl' }],
    ['2', { region: 'tpe', size: 'm' }],
    ['1', { region: 'sin', size: 's' }],
  );
  test('usage of one rate is priced as one sum, or each combination of values by itself', () => {
    // 6 tpe+m; 10 × 1 + 2 × 0.5; two packages of 7; 9.
    expect(priced({ model: 'matrix', rates }, usage)).toBe('40');
    // 6; 6 × 1 and 6 × 1; 14; 9.
    expect(priced({ model: 'matrix', rates, tierScope: 'per_value' }, usage)).toBe('41');
  });
  test('usage without a rate is an error that names its values', () => {
    const charge: DraftCharge = { model: 'matrix', rates: rates.slice(0, 4) };
    expect(() => chargePrice(charge, usage)).toThrow(NoRateError);
    expect(() => chargePrice(charge, usage)).toThrow(
      expect.objectContaining({ dimensions: { region: 'sin', size: 's' } }),
    );
  });
  test('tiers per combination of values, or over all of them', () => {
    const graduated: DraftCharge = { model: 'graduated', tiers };
    const two = inRegions(['10', { region: 'tpe' }], ['10', { region: 'khh' }]);
    expect(priced(graduated, two)).toBe('83');
    expect(priced({ ...graduated, tierScope: 'per_value' }, two)).toBe('102');
  });
});

const positive = decimalTexts(1n, 10n ** 9n);
const anyTiers = fc
  .array(fc.record({ width: positive, unitPrice: prices, flatFee: fc.option(prices, { nil: undefined }) }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((parts) => {
    let upTo = zero;
    return parts.map(({ width, unitPrice, flatFee }, index) => {
      upTo = upTo.plus(decimal(width));
      return {
        upTo: index === parts.length - 1 ? null : decimalText(upTo),
        unitPrice,
        ...(flatFee !== undefined && { flatFee }),
      };
    });
  });

describe('properties', () => {
  test('a graduated price is the integral of its unit prices: splitting the quantity anywhere adds up, without flat fees', () => {
    fc.assert(
      fc.property(anyTiers, quantities, quantities, (steps, a, b) => {
        const charge: DraftCharge = {
          model: 'graduated',
          tiers: steps.map(({ upTo, unitPrice }) => ({ upTo, unitPrice })),
        };
        const cost = (quantity: typeof zero) => chargePrice(charge, usageOfQuantity(quantity)).exact;
        const [low, high] = [decimal(a), decimal(a).plus(decimal(b))];
        // The part between the two points, tier by tier.
        let part = zero;
        let from = zero;
        for (const { upTo, unitPrice } of charge.tiers) {
          const end = upTo === null ? high : decimal(upTo);
          const [x, y] = [from.gt(low) ? from : low, end.lt(high) ? end : high];
          if (y.gt(x)) part = part.plus(y.minus(x).times(decimal(unitPrice)));
          from = end;
        }
        expect(decimalText(cost(high).minus(cost(low)))).toBe(decimalText(part));
      }),
    );
  });

  test('splitting events never changes a sum, and their order never changes a price without free events', () => {
    const charges: fc.Arbitrary<DraftCharge> = fc.oneof(
      fc.record({ model: fc.constant('per_unit' as const), unitPrice: prices }),
      fc.record({ model: fc.constant('graduated' as const), tiers: anyTiers }),
      fc.record({ model: fc.constant('volume' as const), tiers: anyTiers }),
      fc.constant({ model: 'dynamic' as const }),
      fc.record({ model: fc.constant('percentage' as const), ratePercent: prices }),
    );
    fc.assert(
      fc.property(charges, fc.array(quantities, { minLength: 1, maxLength: 8 }), (charge, values) => {
        const whole = decimalText(sumDecimals(values.map((value) => decimal(value))));
        const text = priced(charge, sums(...values));
        expect(text).toBe(priced(charge, sums(whole)));
        expect(text).toBe(priced(charge, sums(...values.toReversed())));
      }),
    );
  });

  test('with limits a price is never outside of them, and their effect is the difference', () => {
    fc.assert(
      fc.property(anyTiers, quantities, prices, prices, (steps, quantity, a, b) => {
        const [minimum, maximum] = decimal(a).lte(decimal(b)) ? [a, b] : [b, a];
        const plain = chargePrice({ model: 'volume', tiers: steps }, of(quantity)).exact;
        const limited = chargePrice({ model: 'volume', tiers: steps, minimum, maximum }, of(quantity)).exact;
        expect(limited.gte(decimal(minimum))).toBe(true);
        expect(limited.lte(decimal(maximum))).toBe(true);
        if (plain.gte(decimal(minimum)) && plain.lte(decimal(maximum)))
          expect(decimalText(limited)).toBe(decimalText(plain));
      }),
    );
  });

  test('each event of a percentage pays between its minimum and maximum', () => {
    fc.assert(
      fc.property(
        fc.array(quantities, { maxLength: 10 }),
        prices,
        prices,
        prices,
        (values, percent, a, b) => {
          const [least, most] = decimal(a).lte(decimal(b)) ? [a, b] : [b, a];
          const charge: DraftCharge = {
            model: 'percentage',
            ratePercent: percent,
            minPerEvent: least,
            maxPerEvent: most,
          };
          const exact = chargePrice(charge, sums(...values)).exact;
          const alone = sumDecimals(values.map((value) => chargePrice(charge, sums(value)).exact));
          expect(decimalText(exact)).toBe(decimalText(alone));
          expect(exact.gte(decimal(least).times(decimal(BigInt(values.length))))).toBe(true);
          expect(exact.lte(decimal(most).times(decimal(BigInt(values.length))))).toBe(true);
        },
      ),
    );
  });
});
