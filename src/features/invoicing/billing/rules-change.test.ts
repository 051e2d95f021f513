// A bill explains its difference from the previous one by cause, without a remainder (R-BILL-02).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimal } from '#kernel/decimal.ts';
import { money, roundToMoney, type Currency, absolute } from '#kernel/money.ts';
import type { SinglePricing } from '#features/selling/catalogue/contract.ts';
import { usageCost } from '#features/selling/catalogue/rules.ts';
import { changeBetween, type Change, type ChangeCause, type ComparedBill } from './rules-change.ts';
import type { ComparedLine } from './rules-price-effect.ts';

const perUnit = (unitPrice: string, baseFee = '0', currency: Currency = 'TWD'): SinglePricing => ({
  model: 'per_unit',
  currency,
  baseFee,
  unitPrice,
});
const graduated: SinglePricing = {
  model: 'graduated',
  currency: 'TWD',
  baseFee: '0',
  tiers: [
    { upTo: '1000', unitPrice: '0.5', flatFee: '0' },
    { upTo: null, unitPrice: '0.2', flatFee: '30' },
  ],
};
const prices: Readonly<Record<string, SinglePricing>> = {
  one: perUnit('1'),
  two: perUnit('2'),
  tiers: graduated,
  fee300: perUnit('1', '300'),
  fee400: perUnit('1', '400'),
};

const base = (changes: Partial<ComparedLine>): ComparedLine => ({
  kind: 'usage',
  subscriptionId: 'sub_1',
  serviceName: '物件儲存',
  priceVersionId: 'one',
  quantity: '0',
  unitPrice: null,
  amount: money(0n, 'TWD'),
  steps: [],
  ...changes,
});
function usage(version: string, quantity: string, more: Partial<ComparedLine> = {}): ComparedLine {
  const pricing = prices[version] ?? perUnit('0');
  return base({
    priceVersionId: version,
    quantity,
    amount: roundToMoney(usageCost(pricing, decimal(quantity)), pricing.currency),
    ...more,
  });
}
/** A base fee for some days, or (if negative) its refund. */
function fee(
  version: string,
  days: number,
  of = 30,
  units = '1',
  more: Partial<ComparedLine> = {},
): ComparedLine {
  const baseFee = prices[version]?.baseFee ?? '0';
  const amount = roundToMoney(
    decimal(baseFee)
      .times(decimal(units))
      .times(decimal(BigInt(days)))
      .times(decimal('1'))
      .div(decimal(BigInt(of))),
    'TWD',
  );
  const share = { part: Math.abs(days), whole: of, unit: 'day' as const, units };
  return base({
    kind: days < 0 ? 'credit' : 'base_fee',
    priceVersionId: version,
    unitPrice: baseFee,
    amount,
    steps: [{ kind: 'base', from: null, upTo: null, quantity: '1', unitPrice: baseFee, amount: '0', share }],
    ...more,
  });
}
const line = (kind: ComparedLine['kind'], minor: bigint, more: Partial<ComparedLine> = {}): ComparedLine =>
  base({ kind, amount: money(minor, 'TWD'), ...more });
/** Lines with 5 % tax unless `tax` is given. */
function bill(lines: readonly ComparedLine[], tax?: bigint): ComparedBill {
  const net = lines.reduce((sum, each) => sum + each.amount.minor, 0n);
  return { total: money(net + (tax ?? 0n), 'TWD'), lines };
}
const known = (began: readonly string[] = [], ended: readonly string[] = []): Change => ({
  began: (id) => began.includes(id),
  ended: (id) => ended.includes(id),
  pricingOf: (id) => prices[id],
});
const causes = (
  now: ComparedBill,
  before: ComparedBill,
  change = known(),
): Partial<Record<ChangeCause, bigint>> =>
  Object.fromEntries(
    changeBetween(now, before, change).causes.map((each) => [each.cause, each.difference.minor]),
  );

describe('causes of a bill’s change', () => {
  test.each<[string, ComparedLine[], ComparedLine[], Partial<Record<ChangeCause, bigint>>, Change?]>([
    ['nothing changed', [usage('one', '10')], [usage('one', '10')], {}],
    ['more usage at the same price', [usage('one', '30')], [usage('one', '10')], { volume: 20n }],
    ['less usage, across tiers', [usage('tiers', '900')], [usage('tiers', '1500')], { volume: 450n - 630n }],
    ['a new price for the same quantity', [usage('two', '10')], [usage('one', '10')], { price: 10n }],
    [
      'a new price and more usage: the price effect is on the current usage',
      [usage('two', '30')],
      [usage('one', '10')],
      { price: 30n, volume: 20n },
    ],
    [
      'a price that changed within the month',
      [usage('one', '10'), usage('two', '5')],
      [usage('one', '10')],
      { price: 5n, volume: 5n },
    ],
    [
      'an unknown previous price: everything is volume',
      [usage('two', '10')],
      [usage('gone', '10', { amount: money(10n, 'TWD') })],
      { volume: 10n },
    ],
    ['a new subscription', [usage('one', '10')], [], { started: 10n }, known(['sub_1'])],
    ['a subscription without usage before', [usage('one', '10')], [], { volume: 10n }],
    [
      'an ended subscription',
      [],
      [fee('fee300', 30), usage('one', '10')],
      { ended: -310n },
      known([], ['sub_1']),
    ],
    ['a subscription without usage now', [], [usage('one', '10')], { volume: -10n }],
    ['the fee of a partial first month', [fee('fee300', 30)], [fee('fee300', 10)], { proration: 200n }],
    ['a higher fee', [fee('fee400', 30)], [fee('fee300', 30)], { price: 100n }],
    [
      'a higher fee after a partial first month',
      [fee('fee400', 30)],
      [fee('fee300', 15)],
      { price: 100n, proration: 150n },
    ],
    ['more units', [fee('fee300', 30, 30, '3')], [fee('fee300', 30, 30, '1')], { volume: 600n }],
    [
      'more units at a higher fee',
      [fee('fee400', 30, 30, '2')],
      [fee('fee300', 30, 30, '1')],
      { price: 200n, volume: 300n },
    ],
    [
      'a plan changed in mid-month: the refund and the rest',
      [fee('fee300', 30), fee('fee300', -15), fee('fee400', 15)],
      [fee('fee300', 30)],
      { price: 100n, proration: -50n },
    ],
    ['a yearly fee in this month', [fee('fee300', 30)], [], { proration: 300n }],
    [
      'the difference to the minimum',
      [usage('one', '10'), line('minimum', 90n)],
      [usage('one', '40'), line('minimum', 60n)],
      {},
    ],
    ['late usage', [usage('one', '10'), line('adjustment', 7n)], [usage('one', '10')], { late: 7n }],
    [
      'late usage on the previous bill',
      [usage('one', '10')],
      [usage('one', '10'), line('adjustment', 7n)],
      { late: -7n },
    ],
    [
      'late usage of an ended subscription',
      [line('adjustment', 7n)],
      [usage('one', '10')],
      { late: 7n, ended: -10n },
      known([], ['sub_1']),
    ],
  ])('%s', (_what, now, before, expected, change) => {
    expect(causes(bill(now), bill(before), change)).toEqual(expected);
  });
  test('tax is listed last', () => {
    const { causes: list } = changeBetween(
      bill([usage('one', '100')], 5n),
      bill([usage('one', '200')], 20n),
      known(),
    );
    expect(list.map((each) => [each.cause, each.difference.minor])).toEqual([
      ['volume', -100n],
      ['tax', -15n],
    ]);
  });
  test('services are listed by size, at most ten, and the others as a total', () => {
    const many = Array.from({ length: 12 }, (_, index) =>
      usage('one', String(index + 1), { subscriptionId: `sub_${index}`, serviceName: `服務 ${index}` }),
    );
    const {
      causes: [volume],
    } = changeBetween(bill(many), bill([]), known());
    expect(volume?.services.map((each) => each.difference.minor)).toEqual([
      12n,
      11n,
      10n,
      9n,
      8n,
      7n,
      6n,
      5n,
      4n,
      3n,
    ]);
    expect(volume?.others).toEqual(money(3n, 'TWD'));
  });
});

describe('the amount of a bill’s change', () => {
  const of = (total: bigint, ...lines: [string, bigint][]): ComparedBill => ({
    total: money(total, 'TWD'),
    lines: lines.map(([serviceName, minor]) =>
      line('usage', minor, { subscriptionId: serviceName, serviceName }),
    ),
  });

  test('is also shown in percent, with the services that changed most', () => {
    expect(
      changeBetween(
        of(2275n, ['物件儲存', 1310n], ['資料庫', 960n], ['AI', 5n]),
        of(1991n, ['物件儲存', 1000n], ['資料庫', 984n], ['CDN', 2n], ['AI', 5n]),
        known(),
      ),
    ).toMatchObject({
      previousTotal: money(1991n, 'TWD'),
      difference: money(284n, 'TWD'),
      percent: 14.3,
      direction: 'increase',
      movers: [
        { serviceName: '物件儲存', difference: money(310n, 'TWD') },
        { serviceName: '資料庫', difference: money(-24n, 'TWD') },
        { serviceName: 'CDN', difference: money(-2n, 'TWD') },
      ],
    });
  });
  test.each<[bigint, bigint, number | null, string]>([
    [100n, 100n, 0, 'flat'],
    [99n, 100n, -1, 'decrease'],
    [100n, 0n, null, 'increase'],
    [0n, 100n, -100, 'decrease'],
    [50n, -100n, null, 'increase'],
    [1n, 3n, -66.7, 'decrease'],
    [2n, 3n, -33.3, 'decrease'],
  ])('from %s it was %s before: %s %%, %s', (now, before, percent, direction) => {
    expect(changeBetween(of(now), of(before), known())).toMatchObject({ percent, direction, movers: [] });
  });
  test('lists at most three services, by size, then by name', () => {
    const change = changeBetween(of(0n, ['乙', 5n], ['甲', -5n], ['丙', 1n], ['丁', 9n]), of(0n), known());
    expect(change.movers.map((mover) => mover.serviceName)).toEqual([
      '丁',
      ...['乙', '甲'].toSorted((a, b) => (a < b ? -1 : 1)),
    ]);
  });
});

const anyLine: fc.Arbitrary<ComparedLine> = fc
  .record({
    id: fc.integer({ min: 1, max: 4 }),
    which: fc.integer({ min: 0, max: 5 }),
    version: fc.constantFrom(...Object.keys(prices), 'gone'),
    amount: fc.bigInt(-5000n, 5000n),
    days: fc.integer({ min: -30, max: 30 }),
    units: fc.constantFrom('1', '3'),
  })
  .map(({ id, which, version, amount, days, units }) => {
    const more = { subscriptionId: `sub_${id}`, serviceName: `服務 ${id}` };
    if (which === 0) return fee(version, days === 0 ? 30 : days, 30, units, more);
    if (which === 1) return line('adjustment', amount, more);
    if (which === 2) return line('minimum', amount, more);
    return usage(version, String(absolute(amount)), more);
  });
test('equals the sum of its causes and of the services of each, for any two bills', () => {
  const lines = fc.array(anyLine, { maxLength: 14 });
  const ids = fc.subarray(['sub_1', 'sub_2', 'sub_3', 'sub_4']);
  fc.assert(
    fc.property(
      lines,
      lines,
      fc.bigInt(-300n, 300n),
      fc.bigInt(-300n, 300n),
      ids,
      ids,
      (now, before, tax, taxBefore, began, ended) => {
        const change = changeBetween(bill(now, tax), bill(before, taxBefore), known(began, ended));
        expect(change.causes.reduce((sum, each) => sum + each.difference.minor, 0n)).toBe(
          change.difference.minor,
        );
        for (const cause of change.causes) {
          expect(cause.services.reduce((sum, each) => sum + each.difference.minor, cause.others.minor)).toBe(
            cause.difference.minor,
          );
          expect(cause.difference.minor).not.toBe(0n);
        }
        // With the bills swapped every cause has the opposite sign, except causes that prices alone cannot
        // separate.
        const back = changeBetween(bill(before, taxBefore), bill(now, tax), known(ended, began));
        expect(back.difference.minor).toBe(-change.difference.minor);
        expect(back.causes.find((each) => each.cause === 'late')?.difference.minor ?? 0n).toBe(
          -(change.causes.find((each) => each.cause === 'late')?.difference.minor ?? 0n),
        );
      },
    ),
  );
});
