// The deductions of discounts: every share is exact, and the shares add up (R-BILL-05).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { required } from '#kernel/assert.ts';
import { money, moneyText, readMoney, type Currency, type Money } from '#kernel/money.ts';
import { overPowerOfTen, roundedFraction } from '#tests/support/arbitraries.ts';
import type { DiscountOrder } from './contract.ts';
import { discountedAmounts, discountShares, spread, type Discount, type LineToReduce } from './rules.ts';

const of = (text: string, currency: Currency): Money =>
  required(readMoney(text, currency), `the amount ${text} ${currency}`);
const percent = (value: string, maximum?: string): Discount => ({
  kind: 'percent',
  percent: value,
  maximum: maximum === undefined ? null : of(maximum, 'TWD'),
});
const fixed = (text: string, currency: Currency = 'TWD'): Discount => ({
  kind: 'fixed',
  amount: of(text, currency),
});
const only = (discount: Discount, ...lines: number[]): Discount => ({
  ...discount,
  covers: (index) => lines.includes(index),
});
const linesOf = (amounts: readonly string[]): LineToReduce[] =>
  amounts.map((amount) => ({ amount: of(amount, 'TWD') }));
const texts = (amounts: readonly Money[]): string => amounts.map(moneyText).join(' ');

describe('the shares of each discount on each line', () => {
  test.each<[string, DiscountOrder, string[], Discount[], string[]]>([
    ['no discount', 'as_listed', ['100'], [], []],
    ['no line', 'as_listed', [], [percent('10'), fixed('5')], ['', '']],
    ['as listed: 20, then 10 % of the rest', 'as_listed', ['100'], [fixed('20'), percent('10')], ['20', '8']],
    [
      'percent first, still shown as listed',
      'percent_first',
      ['100'],
      [fixed('20'), percent('10')],
      ['20', '10'],
    ],
    ['best only: 20 is more than 10 %', 'best_only', ['100'], [fixed('20'), percent('10')], ['20', '0']],
    ['best only: 30 % is more than 20', 'best_only', ['100'], [fixed('20'), percent('30')], ['0', '30']],
    ['best only: the first of equal ones', 'best_only', ['100'], [percent('20'), fixed('20')], ['20', '0']],
    [
      'best only compares actual deductions',
      'best_only',
      ['100', '50'],
      [only(fixed('500'), 1), percent('40')],
      ['0 0', '40 20'],
    ],
    ['only the covered lines', 'as_listed', ['100', '200'], [only(percent('10'), 1)], ['0 20']],
    ['a fixed one, too', 'as_listed', ['100', '200', '300'], [only(fixed('50'), 0, 2)], ['13 0 37']],
    ['never more than the covered lines', 'as_listed', ['100', '200'], [only(fixed('150'), 0)], ['100 0']],
    ['below the maximum', 'as_listed', ['300', '700'], [percent('10', '100')], ['30 70']],
    ['at the maximum', 'as_listed', ['300', '700'], [percent('10', '99')], ['30 69']],
    [
      'spread by the largest remainder',
      'as_listed',
      ['100', '100', '100'],
      [percent('50', '50')],
      ['17 17 16'],
    ],
    [
      'a refund is reduced like its charge',
      'as_listed',
      ['1000', '-1000'],
      [percent('10', '50')],
      ['50 -50'],
    ],
    ['and not below the maximum', 'as_listed', ['1000', '-300'], [percent('10', '50')], ['50 -30']],
    ['only within its currency', 'as_listed', ['100'], [fixed('20', 'USD'), percent('10')], ['0', '10']],
    [
      'a maximum in another currency',
      'as_listed',
      ['100'],
      [{ kind: 'percent', percent: '10', maximum: of('5', 'USD') }],
      ['0'],
    ],
    ['a maximum of zero', 'as_listed', ['100'], [percent('10', '0')], ['0']],
  ])('%s', (_name, order, amounts, discounts, shares) => {
    expect(discountShares(linesOf(amounts), discounts, order).map(texts)).toEqual(shares);
  });

  test('the maximum applies to the bill’s lines after their own discounts', () => {
    const lines: LineToReduce[] = [
      { amount: of('1000', 'TWD'), discounts: [fixed('500')] },
      { amount: of('500', 'TWD') },
    ];
    expect(discountShares(lines, [percent('10', '80')], 'as_listed').map(texts)).toEqual(['40 40']);
    expect(texts(discountedAmounts(lines, [percent('10', '80')], 'as_listed'))).toBe('460 460');
  });
});

describe('a fixed amount distributed by the largest remainder', () => {
  test.each<[string, string[], string[]]>([
    ['10.00', ['33.33', '33.33', '33.33'], ['3.34', '3.33', '3.33']],
    ['1.00', ['1.00', '2.00'], ['0.33', '0.67']],
    ['0.01', ['1.00', '2.00', '4.00'], ['0.00', '0.00', '0.01']],
    ['0.02', ['1.00', '1.00', '1.00'], ['0.01', '0.01', '0.00']],
    ['5.00', ['0.00', '1.00', '2.00'], ['0.00', '1.00', '2.00']],
    ['5.00', ['-9.00', '10.00'], ['0.00', '5.00']],
    ['5.00', ['-9.00', '0.00'], ['0.00', '0.00']],
    ['5.00', [], []],
    ['0.00', ['1.00'], ['0.00']],
  ])('%s over %j is %j', (amount, left, parts) => {
    const found = spread(
      of(amount, 'USD'),
      left.map((each) => of(each, 'USD')),
    );
    expect(found.map(moneyText)).toEqual(parts);
  });

  test('adds up to the amount, or to everything that is left; each within one unit of its exact part', () => {
    fc.assert(
      fc.property(
        fc.bigInt(0n, 10n ** 12n),
        fc.array(fc.bigInt(-(10n ** 6n), 10n ** 11n), { maxLength: 30 }),
        (amount, left) => {
          const parts = spread(
            money(amount, 'JPY'),
            left.map((minor) => money(minor, 'JPY')),
          ).map((part) => part.minor);
          const whole = left.reduce((sum, minor) => (minor > 0n ? sum + minor : sum), 0n);
          const total = amount < whole ? amount : whole;
          expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(total);
          for (const [index, part] of parts.entries()) {
            const most = left[index]! > 0n ? left[index]! : 0n;
            expect(part >= 0n && part <= most).toBe(true);
            const off = part * whole - total * most;
            expect(whole === 0n || (off < whole && -off < whole)).toBe(true);
          }
        },
      ),
    );
  });
});

const orders = fc.constantFrom<DiscountOrder>('as_listed', 'percent_first', 'best_only');
const anyPercent = fc.constantFrom('0', '0.5', '5', '8.875', '10', '33.3333', '99.99', '100');
const anyMaximum = fc.option(
  fc.bigInt(0n, 20_000n).map((minor) => money(minor, 'USD')),
  { nil: null },
);
const anyReduction = fc.oneof(
  fc
    .tuple(anyPercent, anyMaximum)
    .map(([value, maximum]): Discount => ({ kind: 'percent', percent: value, maximum })),
  fc.bigInt(0n, 20_000n).map((minor): Discount => ({ kind: 'fixed', amount: money(minor, 'USD') })),
);
/** Bit i of the mask: the discount covers line i. */
const anyDiscount = fc
  .tuple(anyReduction, fc.nat(2 ** 12 - 1))
  .map(([reduction, mask]): Discount & { readonly mask: number } => ({
    ...reduction,
    mask,
    covers: (index) => ((mask >> index) & 1) === 1,
  }));
const anyLines = (least: bigint): fc.Arbitrary<LineToReduce[]> =>
  fc.array(
    fc.record({
      amount: fc.bigInt(least, 50_000n).map((minor) => money(minor, 'USD')),
      discounts: fc.option(fc.array(anyReduction, { maxLength: 2 }), { nil: undefined }),
    }),
    { maxLength: 12 },
  );
const discountLists = fc.array(anyDiscount, { maxLength: 4 });
const sum = (amounts: readonly Money[]): bigint => amounts.reduce((all, { minor }) => all + minor, 0n);
const minors = (amounts: readonly Money[]): bigint[] => amounts.map(({ minor }) => minor);

describe('T-DISC: for any lines and discounts', () => {
  test('the rest of a line plus the shares of its discounts equals the line', () => {
    fc.assert(
      fc.property(anyLines(-50_000n), discountLists, orders, (lines, discounts, order) => {
        const own = discountedAmounts(lines, [], order);
        const shares = discountShares(lines, discounts, order);
        expect(shares.map((taken) => taken.length)).toEqual(discounts.map(() => lines.length));
        const left = discountedAmounts(lines, discounts, order);
        for (const [index, amount] of own.entries())
          expect(left[index]!.minor + sum(shares.map((taken) => taken[index]!))).toBe(amount.minor);
      }),
    );
  });

  test('no positive line becomes negative, no refund becomes positive, and none changes uncovered', () => {
    fc.assert(
      fc.property(anyLines(-50_000n), discountLists, orders, (lines, discounts, order) => {
        const shares = discountShares(lines, discounts, order);
        const left = discountedAmounts(lines, discounts, order);
        for (const [index, { amount }] of lines.entries()) {
          expect(amount.minor >= 0n ? left[index]!.minor >= 0n : left[index]!.minor <= 0n).toBe(true);
          for (const [place, { mask }] of discounts.entries())
            expect(shares[place]![index]!.minor === 0n || ((mask >> index) & 1) === 1).toBe(true);
        }
      }),
    );
  });

  test('a fixed discount takes its amount or all that it covers; a percentage at most its maximum', () => {
    fc.assert(
      fc.property(anyLines(-50_000n), anyDiscount, (lines, discount) => {
        const own = discountedAmounts(lines, [], 'as_listed');
        const [taken = []] = discountShares(lines, [discount], 'as_listed');
        const covered = own.map(({ minor }, index) => (((discount.mask >> index) & 1) === 1 ? minor : 0n));
        const above = covered.reduce((all, minor) => (minor > 0n ? all + minor : all), 0n);
        if (discount.kind === 'fixed')
          expect(sum(taken)).toBe(discount.amount.minor < above ? discount.amount.minor : above);
        else {
          const exact = covered.map((minor) =>
            roundedFraction(minor * overPowerOfTen(discount.percent), 100n * 10n ** 12n),
          );
          const whole = exact.reduce((all, minor) => (minor > 0n ? all + minor : all), 0n);
          const most = discount.maximum && discount.maximum.minor < whole ? discount.maximum.minor : whole;
          expect(sum(taken.filter(({ minor }) => minor > 0n))).toBe(most);
          if (most === whole && covered.every((minor) => minor >= 0n)) expect(minors(taken)).toEqual(exact);
        }
      }),
    );
  });

  test('percentages of a charge and of its refund cancel', () => {
    fc.assert(
      fc.property(
        anyLines(0n),
        fc.array(fc.tuple(anyPercent, anyMaximum), { maxLength: 3 }),
        fc.constantFrom<DiscountOrder>('as_listed', 'percent_first'),
        (lines, list, order) => {
          const discounts = list.map(([value, maximum]): Discount => ({
            kind: 'percent',
            percent: value,
            maximum,
          }));
          const charges = lines.map(({ amount }) => ({ amount }));
          const refunds = charges.map(({ amount }) => ({ amount: money(-amount.minor, 'USD') }));
          expect(sum(discountedAmounts([...charges, ...refunds], discounts, order))).toBe(0n);
        },
      ),
    );
  });

  test('percent_first equals as_listed where the percentages are first', () => {
    fc.assert(
      fc.property(anyLines(-50_000n), discountLists, (lines, discounts) => {
        const percentFirst = <D extends Discount>(list: readonly D[] = []): D[] => [
          ...list.filter((each) => each.kind === 'percent'),
          ...list.filter((each) => each.kind === 'fixed'),
        ];
        expect(discountedAmounts(lines, discounts, 'percent_first')).toEqual(
          discountedAmounts(
            lines.map((line) => ({ ...line, discounts: percentFirst(line.discounts) })),
            percentFirst(discounts),
            'as_listed',
          ),
        );
      }),
    );
  });

  test('best_only takes what the best one would take alone', () => {
    fc.assert(
      fc.property(
        anyLines(-50_000n),
        fc.array(anyDiscount, { minLength: 1, maxLength: 4 }),
        (all, discounts) => {
          const lines = all.map(({ amount }) => ({ amount }));
          const alone = discounts.map((each) => discountShares(lines, [each], 'as_listed')[0] ?? []);
          const best = alone.map(sum).reduce((most, each) => (each > most ? each : most));
          const first = alone.findIndex((taken) => sum(taken) === best);
          expect(discountShares(lines, discounts, 'best_only')).toEqual(
            alone.map((taken, index) => (index === first ? taken : taken.map(() => money(0n, 'USD')))),
          );
        },
      ),
    );
  });
});
