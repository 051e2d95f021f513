// One-off charges compared with an independent calculation: amount, approval, days and states.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currencies, currencyCodes, money, type Currency } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { oneOffStates, oneOffSteps } from './contract.ts';
import { dayMistake, needsApproval, pricedOneOff, refusalOf, stateAfter, type Priced } from './rules.ts';

const of = (more: Partial<Priced>) =>
  pricedOneOff({ kind: 'charge', quantity: '1', unitPrice: '100', currency: 'TWD', ...more });
const minor = (more: Partial<Priced>) => {
  const made = of(more);
  return 'code' in made ? `${made.field}: ${made.code}` : made.amount.minor;
};

describe('T-ONEOFF: the amount is quantity × unit price, rounded half away from zero, once', () => {
  it.each<[Partial<Priced>, bigint]>([
    [{}, 100n],
    [{ kind: 'credit' }, -100n],
    // 2.5 × 0.2 is half a dollar.
    [{ quantity: '2.5', unitPrice: '0.2' }, 1n],
    [{ quantity: '2.5', unitPrice: '0.2', kind: 'credit' }, -1n],
    [{ quantity: '3', unitPrice: '0.333333333333', currency: 'USD' }, 100n],
    // 1.5075: the product is rounded, not the factors, which would give 1.52.
    [{ quantity: '1.005', unitPrice: '1.5', currency: 'USD' }, 151n],
    [{ quantity: '0.000001', unitPrice: '999999999999.999999999999', currency: 'USD' }, 100_000_000n],
    [{ quantity: '1.0005', unitPrice: '1', currency: 'KWD' }, 1001n],
    [{ quantity: '1', unitPrice: '999999999999.999999999999', currency: 'TWD' }, 1_000_000_000_000n],
  ])('%j', (more, expected) => {
    expect(minor(more)).toBe(expected);
  });

  it.each<[Partial<Priced>, string]>([
    [{ quantity: '0' }, 'quantity: oneoffs.quantity_wrong'],
    [{ quantity: '0.000000' }, 'quantity: oneoffs.quantity_wrong'],
    [{ quantity: '-1' }, 'quantity: oneoffs.quantity_wrong'],
    [{ quantity: '1.0000001' }, 'quantity: oneoffs.quantity_wrong'],
    [{ quantity: '1e3' }, 'quantity: oneoffs.quantity_wrong'],
    [{ quantity: '1,000' }, 'quantity: oneoffs.quantity_wrong'],
    [{ quantity: '' }, 'quantity: oneoffs.quantity_wrong'],
    [{ quantity: '1000000000000' }, 'quantity: oneoffs.quantity_wrong'],
    [{ unitPrice: '0' }, 'unitPrice: oneoffs.price_wrong'],
    [{ unitPrice: '0.0000000000001' }, 'unitPrice: oneoffs.price_wrong'],
    [{ unitPrice: 'NaN' }, 'unitPrice: oneoffs.price_wrong'],
    [{ unitPrice: '0.499999999999' }, 'unitPrice: oneoffs.amount_zero'],
    [{ unitPrice: '0.4', kind: 'credit' }, 'unitPrice: oneoffs.amount_zero'],
    [{ quantity: '1000', unitPrice: '1000000000000' }, 'unitPrice: oneoffs.price_wrong'],
    [{ quantity: '1000', unitPrice: '999999999999.999999999999' }, 'unitPrice: oneoffs.amount_too_large'],
  ])('%j is rejected at its field: %s', (more, expected) => {
    expect(minor(more)).toBe(expected);
  });

  it('for any quantity and price: within half a unit of the exact product, and a credit is its mirror', () => {
    const scaled = (digits: number, max: bigint) =>
      fc.bigInt({ min: 1n, max: max * 10n ** BigInt(digits) }).map((units) => {
        const all = units.toString().padStart(digits + 1, '0');
        return { units, text: `${all.slice(0, -digits)}.${all.slice(-digits)}` };
      });
    fc.assert(
      fc.property(
        scaled(6, 1000n),
        scaled(12, 100_000n),
        fc.constantFrom(...currencyCodes),
        (quantity, price, currency: Currency) => {
          const ask = { quantity: quantity.text, unitPrice: price.text, currency };
          const [charge, credit] = [of(ask), of({ ...ask, kind: 'credit' })];
          const digits = BigInt(currencies[currency].billingDigits);
          // In 10^-18: the exact product; its distance from the billed amount is at most half a unit.
          const exact = quantity.units * price.units;
          const unit = 10n ** (18n - digits);
          if ('code' in charge || 'code' in credit) {
            expect([charge, credit]).toMatchObject([
              { code: 'oneoffs.amount_zero' },
              { code: 'oneoffs.amount_zero' },
            ]);
            expect(2n * exact < unit).toBe(true);
            return;
          }
          const off = charge.amount.minor * unit - exact;
          // Half away from zero: exactly half is rounded up.
          expect(2n * off <= unit && 2n * off > -unit).toBe(true);
          expect(credit.amount).toEqual(money(-charge.amount.minor, currency));
        },
      ),
    );
  });

  it('shows quantity and price without trailing zeros', () => {
    expect(of({ quantity: '2.500000', unitPrice: '010.10' })).toMatchObject({
      quantity: '2.5',
      unitPrice: '10.1',
    });
  });
});

describe('T-ONEOFF: the day of a one-off charge', () => {
  const today = '2026-10-05' as LocalDay;
  it.each([
    ['2026-10-05', 'next_bill', undefined],
    ['2026-10-05', 'own_bill', undefined],
    ['2026-10-06', 'next_bill', undefined],
    ['2026-10-06', 'own_bill', 'oneoffs.own_bill_later'],
    ['2025-10-04', 'next_bill', undefined],
    ['2025-10-03', 'next_bill', 'oneoffs.day_out_of_range'],
    ['2025-10-03', 'own_bill', 'oneoffs.day_out_of_range'],
    ['2031-10-09', 'next_bill', undefined],
    ['2031-10-11', 'next_bill', 'oneoffs.day_out_of_range'],
  ] as const)('%s on %s: %s', (day, billing, expected) => {
    expect(dayMistake(day as LocalDay, today, billing)?.code).toBe(expected);
  });
});

describe('T-ONEOFF: a second Admin approves', () => {
  const above = money(1000n, 'TWD');
  it.each([
    ['nothing while disabled', money(10n ** 14n, 'TWD'), null, false],
    ['nothing up to the limit', money(1000n, 'TWD'), above, false],
    ['amounts above it', money(1001n, 'TWD'), above, true],
    ['a credit by its size', money(-1001n, 'TWD'), above, true],
    ['not a small credit', money(-1000n, 'TWD'), above, false],
    ['any amount in another currency', money(1n, 'USD'), above, true],
    ['every positive amount', money(1n, 'TWD'), money(0n, 'TWD'), true],
  ])('%s', (_what, amount, threshold, expected) => {
    expect(needsApproval(amount, threshold)).toBe(expected);
  });
});

describe('T-ONEOFF: states of a one-off charge', () => {
  it('allow only these transitions', () => {
    const ways = oneOffStates.flatMap((state) =>
      oneOffSteps.flatMap((step) => {
        const next = stateAfter(state, step);
        return next ? [`${state} –${step}→ ${next}`] : [];
      }),
    );
    expect(ways).toEqual([
      'awaiting_approval –approved→ approved',
      'awaiting_approval –rejected→ rejected',
      'awaiting_approval –withdrawn→ withdrawn',
      'approved –withdrawn→ withdrawn',
      'approved –billed→ billed',
      'billed –released→ approved',
    ]);
  });
  it('stay final after rejection and withdrawal, and only approved charges are billed', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...oneOffSteps), { maxLength: 30 }), (steps) => {
        let state: (typeof oneOffStates)[number] = 'awaiting_approval';
        let isApproved = false;
        for (const step of steps) {
          const next = stateAfter(state, step);
          if (next === undefined) continue;
          expect(['rejected', 'withdrawn']).not.toContain(state);
          if (step === 'approved') isApproved = true;
          if (next === 'billed') expect(isApproved).toBe(true);
          state = next;
        }
      }),
    );
  });
  it('explain why a step is rejected', () => {
    expect(refusalOf('billed', 'withdrawn')).toBe('oneoffs.billed');
    expect(refusalOf('withdrawn', 'withdrawn')).toBe('oneoffs.over');
    expect(refusalOf('approved', 'approved')).toBe('oneoffs.not_awaiting');
  });
});
