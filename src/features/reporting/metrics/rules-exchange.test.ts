// Realized exchange gains and losses add up exactly, for any parts and rates.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import { money } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { converted, stepsBetween } from '#features/reporting/rates/rules.ts';
import { gainOf, gainSums, type Convert, type Gain } from './rules-exchange.ts';

/** US dollars in New Taiwan dollars, at a rate such as 31.415. */
const at =
  (rate: string): Convert =>
  (minor) => {
    const steps = stepsBetween(
      [{ currency: 'USD', against: 'TWD', day: '2026-11-01' as LocalDay, rate, source: 'manual' }],
      'USD',
      'TWD',
    );
    return converted(money(minor, 'USD'), 'TWD', required(steps, 'the rate')).minor;
  };
const unknown: Convert = () => null;

type Part = { readonly minor: bigint; readonly day: number };
function gainsOf(parts: readonly Part[], bill: Convert, rates: readonly Convert[]): Gain[] {
  let before = 0n;
  const onDay = new Map<number, bigint>();
  return parts.map(({ minor, day }) => {
    const beforeOnDay = onDay.get(day) ?? 0n;
    const gain = gainOf({ minor, before, beforeOnDay }, bill, required(rates[day], 'the rates of a day'));
    before += minor;
    onDay.set(day, beforeOnDay + minor);
    return gain;
  });
}

describe('T-FXGAIN: realized exchange gains and losses', () => {
  it('are the amount times the difference of the rates', () => {
    // US$1,000.00 at 31.0, paid at 32.5: NT$1,500 more.
    expect(gainOf({ minor: 100_000n, before: 0n, beforeOnDay: 0n }, at('31.0'), at('32.5'))).toEqual({
      booked: 31_000n,
      value: 32_500n,
      gain: 1500n,
    });
    expect(gainOf({ minor: 100_000n, before: 0n, beforeOnDay: 0n }, at('31.0'), at('30.2')).gain).toBe(-800n);
    // Half of it is refunded at 33: its gain is lost, and more.
    expect(gainOf({ minor: -50_000n, before: 100_000n, beforeOnDay: 0n }, at('31.0'), at('33.0')).gain).toBe(
      -1000n,
    );
  });

  it('are unknown without a rate on either day, and in no total', () => {
    const settled = { minor: 100n, before: 0n, beforeOnDay: 0n };
    expect(gainOf(settled, unknown, at('31'))).toEqual({ booked: null, value: 31n, gain: null });
    expect(gainOf(settled, at('31'), unknown)).toEqual({ booked: 31n, value: null, gain: null });
    const sums = gainSums([
      gainOf(settled, unknown, at('31')),
      gainOf(settled, at('31'), at('33')),
      gainOf(settled, at('31'), at('30')),
    ]);
    expect(sums).toEqual({ count: 3, unknown: 1, booked: 62n, value: 63n, gains: 2n, losses: -1n });
  });

  it('assign an indivisible remainder to the last payment', () => {
    // US$0.03 at 33.4 is NT$1.002, NT$1: three payments of a cent are 0, 1 and 0, never 0 + 0 + 0.
    const parts = gainsOf(
      [1n, 1n, 1n].map((minor) => ({ minor, day: 0 })),
      at('33.4'),
      [at('33.4')],
    );
    expect(parts.map(({ booked }) => booked)).toEqual([0n, 1n, 0n]);
    expect(parts.map(({ gain }) => gain)).toEqual([0n, 0n, 0n]);
  });

  const rate = fc
    .bigInt({ min: 1n, max: 10n ** 7n })
    .map((units) => `${units / 10_000n}.${String(units % 10_000n).padStart(4, '0')}`);
  const sizes = fc.array(fc.bigInt({ min: 1n, max: 10n ** 9n }), { minLength: 1, maxLength: 12 });

  it('of partial payments on one day equal those of the whole', () => {
    fc.assert(
      fc.property(sizes, rate, rate, (parts, billRate, payRate) => {
        const all = gainsOf(
          parts.map((minor) => ({ minor, day: 0 })),
          at(billRate),
          [at(payRate)],
        );
        const total = parts.reduce((sum, minor) => sum + minor, 0n);
        const whole = gainOf({ minor: total, before: 0n, beforeOnDay: 0n }, at(billRate), at(payRate));
        const { booked, value, gains, losses } = gainSums(all);
        expect({ booked, value, gain: gains + losses }).toEqual(whole);
      }),
    );
  });

  it('of payments, refunds and credit notes on any days: booked parts equal the issued bill, and the gain is the difference in value', () => {
    const moves = fc.array(
      fc.record({ minor: fc.bigInt({ min: -(10n ** 6n), max: 10n ** 9n }), day: fc.nat(3) }),
      { minLength: 1, maxLength: 15 },
    );
    fc.assert(
      fc.property(moves, rate, fc.tuple(rate, rate, rate, rate), (parts, billRate, rates) => {
        const all = gainsOf(parts, at(billRate), rates.map(at));
        const total = parts.reduce((sum, { minor }) => sum + minor, 0n);
        const sums = gainSums(all);
        expect(sums.booked).toBe(at(billRate)(total));
        const ofDays = rates.map((one, day) =>
          required(
            at(one)(parts.filter((part) => part.day === day).reduce((sum, { minor }) => sum + minor, 0n)),
            'a value',
          ),
        );
        expect(sums.value).toBe(ofDays.reduce((sum, minor) => sum + minor, 0n));
        expect(sums.gains + sums.losses).toBe(sums.value - sums.booked);
      }),
    );
  });
});
