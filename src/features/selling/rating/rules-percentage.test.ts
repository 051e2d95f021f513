// Blocks of events have the price of their single events (R-BILL-05).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimal, sumDecimals, zero, type Decimal } from '#kernel/decimal.ts';
import {
  blockOf,
  joinBlocks,
  neededEvents,
  paidGroupOf,
  percentagePrice,
  type EventBlock,
  type Percentage,
} from './rules-percentage.ts';

const tenths = (least: number, most: number): fc.Arbitrary<string> =>
  fc.integer({ min: least, max: most }).map((value) => (value / 10).toFixed(1));
const limit = fc.option(tenths(0, 60), { nil: undefined });
const charges: fc.Arbitrary<Percentage> = fc
  .record({
    ratePercent: fc.constantFrom('0', '2.9', '10', '50'),
    fixedPerEvent: fc.option(tenths(0, 20), { nil: undefined }),
    freeEvents: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
    freeAmount: fc.option(tenths(1, 400), { nil: undefined }),
    minPerEvent: limit,
    maxPerEvent: limit,
  })
  .map((charge) => ({ model: 'percentage', ...charge }));
const hoursOf = (values: fc.Arbitrary<string>): fc.Arbitrary<Decimal[][]> =>
  fc.array(fc.array(values.map(decimal), { minLength: 1, maxLength: 5 }), { maxLength: 8 });

function blockOfHour(values: readonly Decimal[]): EventBlock {
  const inOrder = values.toSorted((a, b) => a.cmp(b));
  const [min, max] = [inOrder[0], inOrder.at(-1)];
  if (!min || !max) throw new Error('an hour has events');
  return { count: values.length, sum: sumDecimals(values), min, max };
}

/** The blocks of hours, with single events where the price needs them: those in any order joined at the end. */
function opened(charge: Percentage, hours: readonly (readonly Decimal[])[]): EventBlock[] {
  const blocks = hours.map(blockOfHour);
  const { bySign, inOrder, inAnyOrder } = neededEvents(charge, blocks);
  if (bySign.length > 0)
    return opened(
      charge,
      hours.flatMap((values, place) =>
        bySign.includes(place)
          ? [values.filter((value) => value.lt(zero)), values.filter((value) => value.gte(zero))]
          : [values],
      ),
    );
  const groups = Map.groupBy(
    inAnyOrder.flatMap((place) => hours[place] ?? []),
    paidGroupOf(charge),
  );
  return [
    ...blocks.flatMap((block, place) => {
      if (inAnyOrder.includes(place)) return [];
      return inOrder.includes(place) ? (hours[place] ?? []).map((value) => blockOf(value)) : [block];
    }),
    ...[...groups.values()].map((same) => same.map((value) => blockOf(value)).reduce(joinBlocks)),
  ];
}

describe('percentages of blocks', () => {
  test.each([
    ['of any values', tenths(-50, 200)],
    ['of amounts', tenths(0, 200)],
    ['of one of two amounts', fc.constantFrom('0', '5')],
  ])('%s cost what their single events cost, step by step', (_name, values) => {
    fc.assert(
      fc.property(charges, hoursOf(values), (charge, hours) => {
        const single = hours.flat().map((value) => blockOf(value));
        expect(percentagePrice(charge, opened(charge, hours))).toEqual(percentagePrice(charge, single));
      }),
      { numRuns: 400 },
    );
  });

  test('open one hour of a free part, whatever is taken back', () => {
    fc.assert(
      fc.property(charges, hoursOf(tenths(-50, 200)), (charge, hours) => {
        const { minPerEvent: _least, maxPerEvent: _most, ...unlimited } = charge;
        const signs = hours
          .flatMap((values) => [
            values.filter((value) => value.lt(zero)),
            values.filter((value) => value.gte(zero)),
          ])
          .filter((values) => values.length > 0);
        const { bySign, inOrder } = neededEvents(unlimited, signs.map(blockOfHour));
        expect(bySign).toEqual([]);
        expect(inOrder.length).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('need no single events for a fee per event, and one hour of them for a free part', () => {
    fc.assert(
      fc.property(charges, hoursOf(tenths(0, 200)), (charge, hours) => {
        const { minPerEvent: _least, maxPerEvent: _most, ...unlimited } = charge;
        const { inOrder, inAnyOrder } = neededEvents(unlimited, hours.map(blockOfHour));
        expect(inAnyOrder).toEqual([]);
        const hasFree = charge.freeEvents !== undefined || charge.freeAmount !== undefined;
        expect(inOrder.length).toBeLessThanOrEqual(hasFree ? 1 : 0);
      }),
    );
  });

  test('refuse a block that has no single price', () => {
    const charge: Percentage = { model: 'percentage', ratePercent: '10', maxPerEvent: '5' };
    expect(() => percentagePrice(charge, [blockOfHour([decimal('10'), decimal('100')])])).toThrow(
      'a percentage needs the single events of a block',
    );
  });
});
