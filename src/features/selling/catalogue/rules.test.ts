// Prices are exact to the last digit, and their steps explain the calculation (R-BILL-05, R-CAT-01).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { decimal, decimalText, isZero, sumDecimals, zero, type Decimal } from '#kernel/decimal.ts';
import {
  decimalTexts,
  overPowerOfTen,
  prices,
  quantities,
  roundedFraction,
} from '#tests/support/arbitraries.ts';
import type { Tier } from '#features/selling/rating/contract.ts';
import { Estimate, type SinglePricing } from './contract.ts';
import {
  estimateOf,
  maximumCut,
  minimumTopUp,
  monthlyFee,
  monthPrice,
  assertAddsUp,
  pricingMistake,
  singleUnitPrice,
  usageCost,
  usagePrice,
} from './rules.ts';

type Of<M extends SinglePricing['model']> = Extract<SinglePricing, { model: M }>;
const priced = (pricing: SinglePricing, quantity: string): string =>
  decimalText(usagePrice(pricing, decimal(quantity)).exact);
const months = (pricing: SinglePricing, quantity: string): string =>
  decimalText(monthPrice(pricing, decimal(quantity)).exact);

const positive = decimalTexts(0n, 10n ** 9n).filter((text) => decimal(text).gt(zero));
const tiers: fc.Arbitrary<Tier[]> = fc
  .array(fc.record({ width: positive, unitPrice: prices, flatFee: fc.option(prices, { nil: undefined }) }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => {
    let upTo = zero;
    return parts.map(({ width, unitPrice, flatFee }, index) => {
      upTo = upTo.plus(decimal(width));
      return {
        upTo: index === parts.length - 1 ? null : decimalText(upTo),
        unitPrice,
        ...(flatFee === undefined ? {} : { flatFee }),
      };
    });
  });
const common = {
  currency: fc.constantFrom('TWD' as const, 'USD' as const),
  baseFee: prices,
  minimum: prices,
};
const graduated: fc.Arbitrary<Of<'graduated'>> = fc.record({
  model: fc.constant('graduated' as const),
  tiers,
  ...common,
});
const volume: fc.Arbitrary<Of<'volume'>> = fc.record({
  model: fc.constant('volume' as const),
  tiers,
  ...common,
});
const perUnit: fc.Arbitrary<Of<'per_unit'>> = fc.record({
  model: fc.constant('per_unit' as const),
  unitPrice: prices,
  ...common,
});
const packaged: fc.Arbitrary<Of<'package'>> = fc.record({
  model: fc.constant('package' as const),
  packageSize: positive,
  packagePrice: prices,
  freeUnits: prices,
  ...common,
});
const flat: fc.Arbitrary<Of<'flat'>> = fc.record({ model: fc.constant('flat' as const), ...common });
const withAllowance = fc
  .tuple(fc.oneof(graduated, volume, perUnit), positive)
  .map(([pricing, included]): SinglePricing => ({ ...pricing, included }));
const withMaximum = fc
  .tuple(fc.oneof(graduated, volume, perUnit, packaged, flat), prices)
  .map(([pricing, above]): SinglePricing => ({
    ...pricing,
    maximum: decimalText(decimal(pricing.minimum ?? '0').plus(decimal(above))),
  }));
const anyPricing: fc.Arbitrary<SinglePricing> = fc.oneof(
  graduated,
  volume,
  perUnit,
  packaged,
  flat,
  withAllowance,
  withMaximum,
);
const anyQuantity = fc.oneof(quantities, decimalTexts(-1000n, 0n));

/** The price of graduated tiers as a table would be read by hand. */
function byHand(list: readonly Tier[], quantity: Decimal): Decimal {
  let from = zero;
  let sum = zero;
  for (const tier of list) {
    if (quantity.lte(from)) break;
    const to = tier.upTo === null || quantity.lt(tier.upTo) ? quantity : decimal(tier.upTo);
    sum = sum.plus(to.minus(from).times(decimal(tier.unitPrice))).plus(decimal(tier.flatFee ?? '0'));
    from = to;
  }
  return sum;
}

const fromTheManual: Of<'graduated'> = {
  currency: 'TWD',
  baseFee: '100',
  model: 'graduated',
  tiers: [
    { upTo: '1000', unitPrice: '0.50', flatFee: '0' },
    { upTo: null, unitPrice: '0.20', flatFee: '30' },
  ],
  minimum: '0',
};

describe('one unit price', () => {
  test.each([
    ['3', '0.0000004', '0.0000012'],
    ['0', '5', '0'],
    ['1000000000000000', '0.000000000001', '1000'],
    ['0.000000000001', '0.000000000001', '0.000000000000000000000001'],
    ['999999999999999.999999999999', '1', '999999999999999.999999999999'],
    ['-2', '1.5', '-3'],
  ])('%s × %s is %s', (quantity, unitPrice, price) => {
    expect(priced({ model: 'per_unit', currency: 'USD', unitPrice }, quantity)).toBe(price);
  });
  test('is shown as the only price', () => {
    expect(singleUnitPrice({ model: 'per_unit', currency: 'USD', unitPrice: '0.0000004' })).toBe('0.0000004');
    expect(singleUnitPrice(fromTheManual)).toBeNull();
  });
});

describe('graduated tiers: each part at its own price', () => {
  test.each([
    ['0', '0'],
    ['1', '0.5'],
    ['1000', '500'],
    ['1000.000000000001', '530.0000000000002'],
    ['1001', '530.2'],
    ['5000', '1330'],
  ])('%s cost %s according to the manual', (quantity, price) => {
    expect(priced(fromTheManual, quantity)).toBe(price);
  });
  test('any tiers: equal a computation by hand from the table', () => {
    fc.assert(
      fc.property(graduated, quantities, (pricing, quantity) => {
        expect(priced(pricing, quantity)).toBe(decimalText(byHand(pricing.tiers, decimal(quantity))));
      }),
    );
  });
  test('a tier’s price at its upper end is the same with and without the following tiers: (from, upTo]', () => {
    fc.assert(
      fc.property(graduated, (pricing) => {
        for (const [index, { upTo }] of pricing.tiers.entries()) {
          if (upTo === null) continue;
          const open = pricing.tiers
            .slice(0, index + 1)
            .map((tier, at) => (at === index ? { ...tier, upTo: null } : tier));
          expect(priced(pricing, upTo)).toBe(priced({ ...pricing, tiers: open }, upTo));
          expect(usagePrice(pricing, decimal(upTo)).steps).toHaveLength(
            usagePrice({ ...pricing, tiers: open }, decimal(upTo)).steps.length,
          );
        }
      }),
    );
  });
  test('the parts’ quantities add up to the quantity', () => {
    fc.assert(
      fc.property(graduated, anyQuantity, (pricing, quantity) => {
        const parts = usagePrice(pricing, decimal(quantity))
          .steps.filter((step) => step.kind === 'tier')
          .map((step) => decimal(step.quantity));
        expect(sumDecimals(parts).eq(decimal(quantity))).toBe(true);
      }),
    );
  });
});

describe('volume tiers: the whole at the price of one tier', () => {
  const pricing: SinglePricing = {
    currency: 'USD',
    model: 'volume',
    tiers: [
      { upTo: '10', unitPrice: '2', flatFee: '1' },
      { upTo: '100', unitPrice: '1' },
      { upTo: null, unitPrice: '0.5', flatFee: '7' },
    ],
  };
  test.each([
    ['0', '0'],
    ['10', '21'],
    ['10.000000000001', '10.000000000001'],
    ['100', '100'],
    ['100.5', '57.25'],
  ])('%s cost %s', (quantity, price) => {
    expect(priced(pricing, quantity)).toBe(price);
  });
  test('every quantity has the price of exactly one tier', () => {
    fc.assert(
      fc.property(volume, quantities, (one, quantity) => {
        const tier = one.tiers.find((each) => each.upTo === null || decimal(quantity).lte(each.upTo))!;
        const fee = decimal(quantity).gt(zero) ? decimal(tier.flatFee ?? '0') : zero;
        expect(priced(one, quantity)).toBe(
          decimalText(decimal(quantity).times(decimal(tier.unitPrice)).plus(fee)),
        );
      }),
    );
  });
  test('tiers without an open end are an error that stops the bill', () => {
    expect(() => priced({ ...pricing, tiers: [{ upTo: '10', unitPrice: '2' }] }, '11')).toThrow(
      'the last tier has an upper end',
    );
  });
});

describe('packages: every started one', () => {
  const pricing: SinglePricing = {
    currency: 'TWD',
    model: 'package',
    packageSize: '100',
    packagePrice: '30',
    freeUnits: '50',
  };
  test.each([
    ['0', '0'],
    ['50', '0'],
    ['50.000000000001', '30'],
    ['150', '30'],
    ['150.000000000001', '60'],
    ['151', '60'],
    ['-10', '0'],
    ['1000000000000000', '300000000000000'],
  ])('%s cost %s', (quantity, price) => {
    expect(priced(pricing, quantity)).toBe(price);
  });
  test('the paid packages are sufficient, and one less would not be', () => {
    fc.assert(
      fc.property(packaged, quantities, (one, quantity) => {
        const count = decimal(usagePrice(one, decimal(quantity)).steps[0]!.quantity);
        const needed = decimal(quantity).minus(decimal(one.freeUnits ?? '0'));
        expect(count.times(decimal(one.packageSize)).gte(needed)).toBe(true);
        expect(isZero(count) || count.minus('1').times(decimal(one.packageSize)).lt(needed)).toBe(true);
      }),
    );
  });
});

describe('any pricing', () => {
  test('the steps add up to the price', () => {
    fc.assert(
      fc.property(anyPricing, anyQuantity, (pricing, quantity) => {
        for (const price of [
          usagePrice(pricing, decimal(quantity)),
          monthPrice(pricing, decimal(quantity)),
        ]) {
          expect(sumDecimals(price.steps.map((step) => decimal(step.amount))).eq(price.exact)).toBe(true);
          expect(() => assertAddsUp(price)).not.toThrow();
          // A minimum’s or maximum’s step has the limit and its effect; every other amount is quantity times
          // price.
          for (const step of price.steps)
            expect(
              step.kind === 'minimum' ||
                step.kind === 'maximum' ||
                decimal(step.quantity).times(decimal(step.unitPrice)).eq(decimal(step.amount)),
            ).toBe(true);
        }
      }),
    );
  });
  test('the steps fit the API for any digits of quantity and price', () => {
    fc.assert(
      fc.property(anyPricing, anyQuantity, (pricing, quantity) => {
        expect(z.safeEncode(Estimate, estimateOf(pricing, decimal(quantity))).error).toBeUndefined();
      }),
    );
  });
  test('the amount alone equals the one explained by its steps', () => {
    fc.assert(
      fc.property(anyPricing, anyQuantity, (pricing, quantity) => {
        expect(decimalText(usageCost(pricing, decimal(quantity)))).toBe(
          decimalText(usagePrice(pricing, decimal(quantity)).exact),
        );
      }),
    );
  });
  test('shares of an allowance have more digits than a quantity, and nothing is truncated', () => {
    const included = decimalText(decimal('0.000000000000000000000001'));
    expect(
      decimalText(usageCost({ model: 'per_unit', currency: 'USD', unitPrice: '1', included }, decimal('1'))),
    ).toBe('0.999999999999999999999999');
    expect(() => usageCost({ model: 'per_unit', currency: 'USD', unitPrice: '1' }, decimal('1e-25'))).toThrow(
      RangeError,
    );
  });
  test('a price that does not add up is never billed', () => {
    const price = usagePrice(fromTheManual, decimal('5000'));
    expect(() => assertAddsUp({ ...price, exact: price.exact.plus('0.000000000001') })).toThrow(
      'price steps add up to the price',
    );
  });
  test('more usage never costs less, except where a volume tier is cheaper', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          graduated,
          perUnit,
          packaged,
          flat,
          withAllowance.filter((each) => each.model !== 'volume'),
          withMaximum.filter((each) => each.model !== 'volume'),
        ),
        quantities,
        quantities,
        (pricing, a, b) => {
          const [less, more] = decimal(a).lte(b) ? [a, b] : [b, a];
          expect(decimal(priced(pricing, less)).lte(priced(pricing, more))).toBe(true);
          expect(decimal(months(pricing, less)).lte(months(pricing, more))).toBe(true);
        },
      ),
    );
  });
  test('no usage costs nothing by itself', () => {
    fc.assert(
      fc.property(anyPricing, (pricing) => {
        expect(priced(pricing, '0')).toBe('0');
      }),
    );
  });
  test('corrections above usage are refunded at the first tier’s price, outside the tiers', () => {
    fc.assert(
      fc.property(
        fc.oneof(graduated, volume),
        decimalTexts(-1000n, 0n).filter((text) => text.startsWith('-') && !isZero(decimal(text))),
        (pricing, quantity) => {
          expect(priced(pricing, quantity)).toBe(
            decimalText(decimal(quantity).times(decimal(pricing.tiers[0]!.unitPrice))),
          );
          expect(usagePrice(pricing, decimal(quantity)).steps.every((step) => step.kind === 'tier')).toBe(
            true,
          );
        },
      ),
    );
  });
});

describe('usage included in the base fee', () => {
  const pricing: SinglePricing = {
    currency: 'TWD',
    baseFee: '100',
    model: 'per_unit',
    unitPrice: '0.5',
    included: '1000',
  };
  test.each([
    ['0', '0'],
    ['999.999', '0'],
    ['1000', '0'],
    ['1000.000000000001', '0.0000000000005'],
    ['1500', '250'],
    ['-4', '-2'],
  ])('%s cost %s beyond it', (quantity, price) => {
    expect(priced(pricing, quantity)).toBe(price);
  });
  test('overage costs the same as by itself', () => {
    fc.assert(
      fc.property(fc.oneof(graduated, volume, perUnit), positive, quantities, (plain, included, quantity) => {
        const beyond = decimal(quantity).minus(decimal(included));
        expect(priced({ ...plain, included }, quantity)).toBe(
          priced(plain, decimalText(beyond.gt(zero) ? beyond : zero)),
        );
      }),
    );
  });
  test('its step shows the used part, and the quantities of the steps add up to the quantity', () => {
    fc.assert(
      fc.property(
        fc.tuple(fc.oneof(graduated, perUnit), positive),
        quantities,
        ([plain, included], quantity) => {
          const { steps } = usagePrice({ ...plain, included }, decimal(quantity));
          expect(
            sumDecimals(
              steps.filter((step) => step.kind !== 'flat_fee').map((step) => decimal(step.quantity)),
            ).eq(decimal(quantity)),
          ).toBe(true);
          for (const step of steps.filter((each) => each.kind === 'included'))
            expect(decimal(step.quantity).lte(decimal(included)) && step.amount === '0').toBe(true);
        },
      ),
    );
  });
  test('no single unit price describes such a quantity', () => {
    expect(singleUnitPrice(pricing)).toBeNull();
  });
});

describe('any number of tiers', () => {
  const many = (count: number): Of<'graduated'> => ({
    model: 'graduated',
    currency: 'TWD',
    tiers: Array.from({ length: count }, (_, index) => ({
      upTo: index === count - 1 ? null : String((index + 1) * 10),
      unitPrice: String(index + 1),
    })),
  });
  test.each([1, 2, 10, 100])('%i tiers: each whole one adds ten times its price', (count) => {
    for (let full = 0; full < count; full++)
      expect(priced(many(count), String(full * 10))).toBe(String(10 * ((full * (full + 1)) / 2)));
  });
});

describe('the month: base fee, usage and minimum', () => {
  test('the maximum deducts exactly the excess', () => {
    fc.assert(
      fc.property(withMaximum, quantities, (pricing, quantity) => {
        const uncapped = decimal(months({ ...pricing, maximum: undefined }, quantity));
        const maximum = decimal(pricing.maximum!);
        expect(months(pricing, quantity)).toBe(decimalText(uncapped.gt(maximum) ? maximum : uncapped));
      }),
    );
  });
  test('without a maximum nothing is deducted', () => {
    expect(decimalText(maximumCut({ model: 'flat', currency: 'TWD' }, decimal('1000000')))).toBe('0');
    expect(decimalText(maximumCut({ model: 'flat', currency: 'TWD', maximum: '0' }, decimal('7')))).toBe('7');
  });
  test.each([
    ['0', '100'],
    ['1000', '600'],
    ['5000', '1430'],
  ])('%s cost %s a month according to the manual', (quantity, price) => {
    expect(months(fromTheManual, quantity)).toBe(price);
  });
  test('the minimum adds exactly the difference', () => {
    fc.assert(
      fc.property(anyPricing, quantities, (pricing, quantity) => {
        const charged = decimal(pricing.baseFee ?? '0').plus(usagePrice(pricing, decimal(quantity)).exact);
        const minimum = decimal(pricing.minimum ?? '0');
        const filled = charged.gt(minimum) ? charged : minimum;
        const maximum = pricing.maximum === undefined ? filled : decimal(pricing.maximum);
        expect(months(pricing, quantity)).toBe(decimalText(filled.gt(maximum) ? maximum : filled));
      }),
    );
  });
  test('without a minimum nothing is added, not even to a negative month', () => {
    expect(decimalText(minimumTopUp({ model: 'flat', currency: 'TWD' }, decimal('-5')))).toBe('0');
    expect(decimalText(minimumTopUp({ model: 'flat', currency: 'TWD', minimum: '10' }, decimal('-5')))).toBe(
      '15',
    );
  });
  test('an estimate is that price, rounded once to the currency', () => {
    fc.assert(
      fc.property(anyPricing, quantities, (pricing, quantity) => {
        const estimate = estimateOf(pricing, decimal(quantity));
        expect(estimate.exact).toBe(months(pricing, quantity));
        const digits = pricing.currency === 'USD' ? 100n : 1n;
        expect(estimate.amount.minor).toBe(
          roundedFraction(overPowerOfTen(estimate.exact, 24) * digits, 10n ** 24n),
        );
      }),
    );
  });
  test('the fixed fee is the charge without usage', () => {
    expect(monthlyFee(fromTheManual)).toBe('100');
    expect(monthlyFee({ model: 'flat', currency: 'TWD' })).toBe('0');
    expect(monthlyFee({ model: 'flat', currency: 'TWD', baseFee: '99.90' })).toBe('99.9');
  });
});

describe('invalid pricing', () => {
  test('rising tiers with an open end, and packages with content, are valid', () => {
    fc.assert(
      fc.property(anyPricing, (pricing) => {
        expect(pricingMistake(pricing)).toBeUndefined();
      }),
    );
  });
  const tier = (upTo: string | null): Tier => ({ upTo, unitPrice: '1' });
  test.each<[string, Tier[]]>([
    ['no open end', [tier('10')]],
    ['an open end in the middle', [tier(null), tier(null)]],
    ['descending tiers', [tier('10'), tier('5'), tier(null)]],
    ['two tiers with the same end', [tier('10'), tier('10.0'), tier(null)]],
    ['an empty first tier', [tier('0'), tier(null)]],
  ])('%s', (_what, list) => {
    for (const model of ['graduated', 'volume'] as const)
      expect(pricingMistake({ model, currency: 'TWD', tiers: list })).toBe('catalogue.tiers_wrong');
  });
  test('a maximum below the minimum', () => {
    expect(pricingMistake({ model: 'flat', currency: 'TWD', minimum: '10', maximum: '9.99' })).toBe(
      'catalogue.maximum_below_minimum',
    );
    expect(
      pricingMistake({ model: 'flat', currency: 'TWD', minimum: '10', maximum: '10.0' }),
    ).toBeUndefined();
  });
  test('a package of nothing', () => {
    expect(
      pricingMistake({ model: 'package', currency: 'TWD', packageSize: '0.00', packagePrice: '1' }),
    ).toBe('catalogue.package_size_zero');
  });
});
