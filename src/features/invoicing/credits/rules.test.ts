// Credit notes take shares of stored amounts, never more than the rest, and add up to the stored amounts to
// the last minor unit.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { money, type Currency, type Money, absolute } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { CreditAsk } from './contract.ts';
import {
  creditEntries,
  creditNumber,
  creditOf,
  creditSeries,
  restOf,
  splitCredit,
  storedTaxes,
  sumOf,
  takeRest,
  type StoredLine,
  type CreditedAmount,
} from './rules.ts';

const currency: Currency = 'TWD';
const amount = (minor: bigint): Money => money(minor, currency);

function stored(nets: readonly bigint[], tax: bigint): StoredLine[] {
  const taxes = storedTaxes(nets.map(amount), amount(tax));
  return nets.map((net, index) => ({
    id: String(index + 1),
    net,
    tax: taxes[index] ?? 0n,
    creditedNet: 0n,
    creditedTax: 0n,
  }));
}
const after = (lines: readonly StoredLine[], taken: readonly CreditedAmount[]): StoredLine[] =>
  lines.map((line) => {
    const takenOfLine = taken.find((each) => each.id === line.id);
    return takenOfLine
      ? {
          ...line,
          creditedNet: line.creditedNet + takenOfLine.net,
          creditedTax: line.creditedTax + takenOfLine.tax,
        }
      : line;
  });
const took = (result: ReturnType<typeof creditOf>): CreditedAmount[] => {
  if (typeof result === 'string') throw new Error(result);
  return result;
};
/** 5 %, half away from zero. */
const taxOf = (net: bigint): bigint => (net < 0n ? -1n : 1n) * ((absolute(net) * 5n + 50n) / 100n);

describe('R-BILL-05: the amounts of a credit note', () => {
  test('an amount of a line takes its share of the line’s stored tax, and the last one the remainder', () => {
    let lines = stored([730n], 37n);
    const notes: CreditedAmount[] = [];
    for (const net of [100n, 265n, 365n]) {
      const taken = took(
        creditOf(lines, currency, { kind: 'lines', lines: [{ lineId: '1', net: amount(net) }] }),
      );
      notes.push(...taken);
      lines = after(lines, taken);
    }
    // 37 × 100 / 730 = 5.07, 37 × 365 / 730 = 18.5 → 19 less 5, then the rest.
    expect(notes.map(({ net, tax }) => [net, tax])).toEqual([
      [100n, 5n],
      [265n, 14n],
      [365n, 18n],
    ]);
    expect(restOf(lines)).toEqual({ net: 0n, tax: 0n, total: 0n });
  });

  test('a percentage of the bill is split over the rests of its lines', () => {
    const lines = stored([100n, 50n, -30n], 6n);
    expect(
      took(creditOf(lines, currency, { kind: 'percent', percent: '50' })).map((each) => each.net),
    ).toEqual([50n, 25n, -15n]);
    expect(took(creditOf(lines, currency, { kind: 'amount', net: amount(120n) }))).toEqual(takeRest(lines));
    expect(
      took(creditOf(lines, currency, { kind: 'percent', percent: '33.3' })).reduce(
        (sum, each) => sum + each.net,
        0n,
      ),
    ).toBe(40n);
  });

  test.each<[string, CreditAsk, string]>([
    [
      'more than a line',
      { kind: 'lines', lines: [{ lineId: '1', net: amount(101n) }] },
      'credits.above_rest',
    ],
    ['the wrong sign', { kind: 'lines', lines: [{ lineId: '1', net: amount(-1n) }] }, 'credits.above_rest'],
    ['an unknown line', { kind: 'lines', lines: [{ lineId: '4', net: amount(1n) }] }, 'credits.line_unknown'],
    [
      'a duplicate line',
      {
        kind: 'lines',
        lines: [
          { lineId: '1', net: amount(1n) },
          { lineId: '1', net: amount(1n) },
        ],
      },
      'credits.line_unknown',
    ],
    [
      'zero for a line',
      { kind: 'lines', lines: [{ lineId: '1', net: amount(0n) }] },
      'credits.nothing_asked',
    ],
    [
      'only a deduction, which would be a charge',
      { kind: 'lines', lines: [{ lineId: '3', net: amount(-10n) }] },
      'credits.nothing_asked',
    ],
    [
      'more than the bill, although no more than its lines',
      {
        kind: 'lines',
        lines: [
          { lineId: '1', net: amount(100n) },
          { lineId: '2', net: amount(50n) },
        ],
      },
      'credits.above_rest',
    ],
    ['another currency', { kind: 'amount', net: money(1n, 'USD') }, 'credits.currency_differs'],
    ['nothing', { kind: 'amount', net: amount(0n) }, 'credits.nothing_asked'],
    ['a negative amount', { kind: 'amount', net: amount(-5n) }, 'credits.nothing_asked'],
    ['more than 100 %', { kind: 'percent', percent: '100.5' }, 'credits.above_rest'],
    ['a percentage below one unit', { kind: 'percent', percent: '0.1' }, 'credits.nothing_asked'],
  ])('rejects %s', (_name, ask, code) => {
    expect(creditOf(stored([100n, 50n, -30n], 6n), currency, ask)).toBe(code);
  });

  test('a bill of zero or less has no rest', () => {
    for (const lines of [[], stored([0n], 0n), stored([-50n], -3n), stored([50n, -50n], 0n)])
      expect(creditOf(lines, currency, { kind: 'rest' })).toBe('credits.nothing_left');
  });

  const anAsk = fc.oneof(
    fc.record({
      kind: fc.constant('percent' as const),
      percent: fc.integer({ min: 1, max: 10_000 }).map((each) => String(each / 100)),
    }),
    fc.record({ kind: fc.constant('amount' as const), net: fc.bigInt({ min: 1n, max: 2000n }).map(amount) }),
    fc.record({
      kind: fc.constant('lines' as const),
      lines: fc.uniqueArray(
        fc.record({
          lineId: fc.integer({ min: 1, max: 8 }).map(String),
          net: fc.bigInt({ min: -500n, max: 900n }).map(amount),
        }),
        { minLength: 1, maxLength: 4, selector: (each) => each.lineId },
      ),
    }),
  );

  test('in any sequence: never more than the rest of any line, and finally exactly the stored net and tax of each', () => {
    let issued = 0;
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: -400n, max: 1500n }), { minLength: 1, maxLength: 8 }),
        fc.array(anAsk, { maxLength: 12 }),
        (nets, asks) => {
          const whole = nets.reduce((sum, net) => sum + net, 0n);
          const begin = stored(nets, taxOf(whole));
          expect(begin.reduce((sum, line) => sum + line.tax, 0n)).toBe(taxOf(whole));
          let lines = begin;
          let credited = 0n;
          for (const ask of asks) {
            const taken = creditOf(lines, currency, ask);
            if (typeof taken === 'string') continue;
            issued++;
            lines = after(lines, taken);
            credited += sumOf(taken).total;
            expect(sumOf(taken).total).toBeGreaterThan(0n);
            for (const line of lines) {
              expect(absolute(line.creditedNet)).toBeLessThanOrEqual(absolute(line.net));
              expect(line.creditedNet === 0n || line.creditedNet > 0n === line.net > 0n).toBe(true);
              expect(absolute(line.creditedTax)).toBeLessThanOrEqual(absolute(line.tax));
              // Once a line's net is credited completely, so is its tax.
              if (line.creditedNet === line.net) expect(line.creditedTax).toBe(line.tax);
            }
            expect(credited).toBeLessThanOrEqual(whole + taxOf(whole));
          }
          const last = takeRest(lines);
          const end = after(lines, last);
          expect(end.map((line) => [line.creditedNet, line.creditedTax])).toEqual(
            begin.map((line) => [line.net, line.tax]),
          );
          expect(credited + sumOf(last).total).toBe(whole + taxOf(whole));
        },
      ),
      { numRuns: 2000 },
    );
    expect(issued).toBeGreaterThan(1000);
  });
});

describe('settling a credit note', () => {
  test.each<[bigint, bigint, bigint, bigint]>([
    [100n, 100n, 100n, 0n],
    [30n, 100n, 30n, 0n],
    [100n, 40n, 40n, 60n],
    [100n, 0n, 0n, 100n],
    [-50n, 0n, 0n, -50n],
    [0n, 0n, 0n, 0n],
    [0n, 80n, 0n, 0n],
  ])('%i with %i due: %i off it, %i to the balance', (total, due, toDue, toBalance) => {
    expect(splitCredit(total, due)).toEqual({ toDue, toBalance });
  });

  test('the ledger entries sum to zero and omit zero amounts', () => {
    const entries = creditEntries({
      organizationId: 'org_1',
      currency,
      net: 100n,
      trueUp: 30n,
      tax: 5n,
      toDue: 40n,
      toBalance: 65n,
      deferred: 0n,
    });
    expect(entries.map((entry) => [entry.account.kind, entry.minor])).toEqual([
      ['revenue', 70n],
      ['breakage', 30n],
      ['tax', 5n],
      ['receivable', -40n],
      ['balance', -65n],
    ]);
    expect(
      creditEntries({
        organizationId: 'org_1',
        currency,
        net: 100n,
        trueUp: 0n,
        tax: 0n,
        toDue: 100n,
        toBalance: 0n,
        deferred: 0n,
      }),
    ).toHaveLength(2);
    expect(
      creditEntries({
        organizationId: 'org_1',
        currency,
        net: 0n,
        trueUp: 0n,
        tax: 0n,
        toDue: 0n,
        toBalance: 0n,
        deferred: 0n,
      }),
    ).toEqual([]);
  });

  test('deferred revenue is reversed first, then revenue', () => {
    const entries = creditEntries({
      organizationId: 'org_1',
      currency,
      net: 100n,
      trueUp: 0n,
      tax: 5n,
      toDue: 0n,
      toBalance: 105n,
      deferred: 70n,
    });
    expect(entries.map((entry) => [entry.account.kind, entry.minor])).toEqual([
      ['revenue', 30n],
      ['tax', 5n],
      ['balance', -105n],
      ['deferred_revenue', 70n],
    ]);
  });

  test('numbers', () =>
    expect([creditSeries('2026-11' as BillingMonth), creditNumber('C-202611', 42)]).toEqual([
      'C-202611',
      'C-202611-000042',
    ]));
});
