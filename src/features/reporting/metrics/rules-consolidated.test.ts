// Recurring revenue of several currencies in one: movements add up to the last unit, and the effect of
// exchange rates is separate.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import { money, type Currency } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { converted, stepsBetween } from '#features/reporting/rates/rules.ts';
import { movementKinds, type MovementKind } from './contract.ts';
import { movementsOf } from './rules.ts';
import { consolidatedMonth, lackingOf, type ConvertAt, type Figures } from './rules-consolidated.ts';

const currencies = ['TWD', 'USD', 'EUR'] as const;
type Rates = Partial<Record<Currency, string>>;
/** Conversion into New Taiwan dollars by the rates of each month. */
const by =
  (rates: readonly Rates[]): ConvertAt =>
  (place, currency, minor) => {
    const rate = rates[place]?.[currency];
    const known =
      rate === undefined
        ? []
        : [
            {
              currency,
              against: 'TWD' as const,
              day: '2026-01-31' as LocalDay,
              rate,
              source: 'manual' as const,
            },
          ];
    const steps = stepsBetween(known, currency, 'TWD');
    return steps === undefined ? null : converted(money(minor, currency), 'TWD', steps).minor;
  };

/**
 * Months of customers’ histories by currency; usage and one-off charges are derived from the recurring ones.
 */
function monthsOf(
  histories: Partial<Record<Currency, readonly (readonly bigint[])[]>>,
  length: number,
): Figures[] {
  const moved = new Map(
    Object.entries(histories).map(([currency, customers]) => [
      currency as Currency,
      movementsOf(customers.length === 0 ? [Array.from({ length }, () => 0n)] : customers),
    ]),
  );
  return Array.from(
    { length },
    (_, place): Figures =>
      new Map(
        [...moved].map(([currency, months]) => {
          const { closing, movements } = required(months[place], 'a month');
          return [
            currency,
            {
              recurring: closing,
              usage: closing * 2n,
              once: 7n,
              moved: Object.fromEntries(movementKinds.map((kind) => [kind, movements[kind].minor])) as Record<
                MovementKind,
                bigint
              >,
            },
          ];
        }),
      ),
  );
}
const none = { new: 0n, reactivation: 0n, expansion: 0n, contraction: 0n, churn: 0n };

describe('T-FXMRR: recurring revenue in the reporting currency', () => {
  it('converts at the rates of each month, and shows the effect of their change on the opening', () => {
    // US$100.00 at 32, then at 31; NT$1,000 stays; a customer of US$50.00 comes.
    const months = monthsOf(
      {
        TWD: [[1000n, 1000n]],
        USD: [
          [10_000n, 10_000n],
          [0n, 5000n],
        ],
      },
      2,
    );
    const convert = by([{ USD: '32' }, { USD: '31' }]);
    expect(consolidatedMonth(months, 1, convert)).toEqual({
      opening: 4200n,
      moved: { ...none, new: 1550n },
      exchange: -100n,
      closing: 5650n,
      usage: 11_300n,
      once: 7n + 2n,
      openingNow: 4100n,
    });
    // The first month opens with nothing.
    expect(consolidatedMonth(months, 0, convert)).toMatchObject({
      opening: 0n,
      exchange: 0n,
      closing: 4200n,
    });
  });

  it('needs the rates of both months for existing revenue, and none for zero', () => {
    const months = monthsOf({ TWD: [[5n, 5n, 5n]], USD: [[100n, 0n, 0n]] }, 3);
    const convert = by([{}, {}, {}]);
    const without = months.map(
      (figures) => new Map([...figures].map(([key, of]) => [key, { ...of, once: 0n }])),
    );
    expect(lackingOf(without, 0, convert)).toEqual(['USD']);
    expect(lackingOf(without, 1, convert)).toEqual(['USD']);
    expect(lackingOf(without, 2, convert)).toEqual([]);
    expect(lackingOf(without, 1, by([{ USD: '30' }, {}, {}]))).toEqual(['USD']);
    expect(lackingOf(without, 1, by([{ USD: '30' }, { USD: '30' }, {}]))).toEqual([]);
  });

  const rate = fc
    .bigInt({ min: 1n, max: 10n ** 7n })
    .map((units) => `${units / 10_000n}.${String(units % 10_000n).padStart(4, '0')}`);
  const length = 6;
  const history = fc.array(
    fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 10n ** 9n }), fc.bigInt({ min: -500n, max: 500n })),
    { minLength: length, maxLength: length },
  );
  const histories = fc.array(history, { maxLength: 5 });
  const ratesOf = fc.array(fc.record({ USD: rate, EUR: rate }), { minLength: length, maxLength: length });

  it('for any histories and rates: opening plus movements equals the closing, the opening of the next month', () => {
    fc.assert(
      fc.property(histories, histories, histories, ratesOf, (TWD, USD, EUR, rates) => {
        const months = monthsOf({ TWD, USD, EUR }, length);
        const convert = by(rates);
        let closing = 0n;
        for (let place = 0; place < length; place++) {
          expect(lackingOf(months, place, convert)).toEqual([]);
          const month = consolidatedMonth(months, place, convert);
          expect(month.opening).toBe(closing);
          expect(
            Object.values(month.moved).reduce((sum, minor) => sum + minor, month.opening + month.exchange),
          ).toBe(month.closing);
          expect(month.closing).toBe(
            currencies.reduce(
              (sum, currency) =>
                sum +
                required(
                  convert(place, currency, months[place]?.get(currency)?.recurring ?? 0n) ?? undefined,
                  'an amount',
                ),
              0n,
            ),
          );
          // Apart from the effect of rates on the opening it contains only rounding: at most half a unit per
          // amount.
          const apart = month.exchange - (month.openingNow - month.opening);
          expect(apart <= 20n && apart >= -20n).toBe(true);
          closing = month.closing;
        }
      }),
    );
  });

  it('has no exchange movement if everything is in the reporting currency', () => {
    fc.assert(
      fc.property(histories, (TWD) => {
        const months = monthsOf({ TWD }, length);
        for (let place = 0; place < length; place++)
          expect(consolidatedMonth(months, place, by([])).exchange).toBe(0n);
      }),
    );
  });
});
