// Credit notes on a retail bill: never more than the bill, and in any number of steps exactly its net and its
// tax.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { creditParts, type Parts } from './rules-retail-credit.ts';

const none: Parts = { net: 0n, tax: 0n, total: 0n };
const bill: Parts = { net: 192n, tax: 10n, total: 202n };

describe('T-RESELL: a credit note on a retail bill', () => {
  it.each([
    ['the whole', none, null, { net: 192n, tax: 10n, total: 202n }],
    ['half', none, 101n, { net: 96n, tax: 5n, total: 101n }],
    ['the rest', { net: 96n, tax: 5n, total: 101n }, null, { net: 96n, tax: 5n, total: 101n }],
    ['nothing', none, 0n, 'resellers.credit_zero'],
    ['more than the bill', none, 203n, 'resellers.credit_too_much'],
    ['more than the rest', { net: 96n, tax: 5n, total: 101n }, 102n, 'resellers.credit_too_much'],
    ['a bill with a credit note', bill, null, 'resellers.nothing_left'],
  ] as const)('of %s', (_what, credited, amount, expected) => {
    expect(creditParts(bill, credited, amount)).toEqual(expected);
  });

  it('in any steps returns exactly what was billed, and no part is negative', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 12n }),
        fc.bigInt({ min: 0n, max: 10n ** 12n }),
        fc.array(fc.bigInt({ min: 1n, max: 10n ** 12n }), { maxLength: 12 }),
        (net, tax, steps) => {
          const whole: Parts = { net, tax, total: net + tax };
          let credited = none;
          for (const amount of [...steps, null]) {
            const parts = creditParts(whole, credited, amount);
            if (typeof parts === 'string') continue;
            expect(parts.net >= 0n && parts.tax >= 0n && parts.net + parts.tax === parts.total).toBe(true);
            credited = {
              net: credited.net + parts.net,
              tax: credited.tax + parts.tax,
              total: credited.total + parts.total,
            };
          }
          expect(credited).toEqual(whole);
        },
      ),
    );
  });
});
