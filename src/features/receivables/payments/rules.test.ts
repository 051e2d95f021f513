// Ledger entries of every payment sum to zero, and payments above the amount due or the balance are rejected
// (R-BILL-05).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { currencyCodes, money, type Currency } from '#kernel/money.ts';
import { accountId, type Entry } from '#features/invoicing/ledger/rules.ts';
import {
  billEntries,
  prepaidEntries,
  disputeEntries,
  disputeStanding,
  returnedShares,
  paymentEntries,
  payMistake,
  topUpEntries,
  nextRefund,
  withdrawnShares,
  type RefundState,
} from './rules.ts';

const currency = fc.constantFrom(...currencyCodes);
const minor = fc.bigInt(-(10n ** 16n), 10n ** 16n);
const sum = (entries: readonly Entry[]): bigint => entries.reduce((total, entry) => total + entry.minor, 0n);
const minorByAccount = (entries: readonly Entry[]): [string, bigint][] =>
  entries.map((entry) => [accountId(entry.account), entry.minor]);

const billOf = (
  net: bigint,
  tax: bigint,
  total: bigint,
  code: Currency = 'TWD',
  { discount = 0n, promotional = 0n, trueUp = 0n, deferred = 0n } = {},
): Entry[] =>
  billEntries({
    organizationId: 'org_1',
    net: money(net, code),
    tax: money(tax, code),
    total: money(total, code),
    discount: money(discount, code),
    promotional: money(promotional, code),
    trueUp: money(trueUp, code),
    deferred: money(deferred, code),
  });

describe('ledger entries', () => {
  test('of a bill: receivable against revenue and tax; of a negative one: the balance instead', () => {
    expect(minorByAccount(billOf(100n, 5n, 105n, 'TWD'))).toEqual([
      ['receivable:org_1:TWD', 105n],
      ['revenue:TWD', -100n],
      ['tax:TWD', -5n],
    ]);
    expect(minorByAccount(billOf(-100n, -5n, -105n, 'TWD'))).toEqual([
      ['balance:org_1:TWD', -105n],
      ['revenue:TWD', 100n],
      ['tax:TWD', 5n],
    ]);
  });
  test('of a bill with a fee for later months: the later part is deferred revenue', () => {
    expect(
      minorByAccount(billOf(100n, 5n, 105n, 'TWD', { discount: 20n, promotional: 0n, deferred: 70n })),
    ).toEqual([
      ['receivable:org_1:TWD', 105n],
      ['discounts:TWD', 20n],
      ['revenue:TWD', -50n],
      ['deferred_revenue:org_1:TWD', -70n],
      ['tax:TWD', -5n],
    ]);
  });
  test('of a top-up and of a payment', () => {
    expect(minorByAccount(topUpEntries('org_1', money(500n, 'USD')))).toEqual([
      ['cash:USD', 500n],
      ['balance:org_1:USD', -500n],
    ]);
    expect(minorByAccount(paymentEntries('org_1', money(105n, 'TWD')))).toEqual([
      ['balance:org_1:TWD', 105n],
      ['receivable:org_1:TWD', -105n],
    ]);
  });
  test('of a bill with a true-up: breakage, and revenue for the rest', () => {
    expect(minorByAccount(billOf(100n, 5n, 105n, 'TWD', { trueUp: 30n }))).toEqual([
      ['receivable:org_1:TWD', 105n],
      ['revenue:TWD', -70n],
      ['breakage:TWD', -30n],
      ['tax:TWD', -5n],
    ]);
  });
  test('of a bill with a discount and promotional credit: revenue is the amount before them', () => {
    expect(minorByAccount(billOf(70n, 4n, 74n, 'TWD', { discount: 20n, promotional: 10n }))).toEqual([
      ['receivable:org_1:TWD', 74n],
      ['discounts:TWD', 20n],
      ['promotional_credit:org_1:TWD', 10n],
      ['revenue:TWD', -100n],
      ['tax:TWD', -4n],
    ]);
  });
  test('of prepaid credit that pays a bill: it lowers deferred revenue and the receivable', () => {
    expect(minorByAccount(prepaidEntries('org_1', money(74n, 'TWD')))).toEqual([
      ['deferred_revenue:org_1:TWD', 74n],
      ['receivable:org_1:TWD', -74n],
    ]);
  });
  test('always sum to zero, without zero entries', () => {
    fc.assert(
      fc.property(minor, minor, minor, minor, currency, (net, tax, discount, promotional, code) => {
        const lists = [
          billOf(net, tax, net + tax, code, { discount, promotional }),
          prepaidEntries('org_1', money(net, code)),
          topUpEntries('org_1', money(net, code)),
          paymentEntries('org_1', money(net, code)),
        ];
        for (const entries of lists) {
          expect(sum(entries)).toBe(0n);
          expect(entries.every((entry) => entry.minor !== 0n && entry.account.currency === code)).toBe(true);
          expect(entries).not.toHaveLength(1);
        }
      }),
    );
  });
  test('are never made for a bill that does not add up', () => {
    expect(() => billOf(100n, 5n, 104n, 'TWD')).toThrow('a ledger transaction sums to zero');
  });
  test('of a bill paid from a topped-up balance leave the rest in it', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 12n), fc.bigInt(0n, 10n ** 12n), (due, more) => {
        const all = [
          ...billOf(due, 0n, due, 'TWD'),
          ...topUpEntries('org_1', money(due + more, 'TWD')),
          ...paymentEntries('org_1', money(due, 'TWD')),
        ];
        const on = (kind: string): bigint => sum(all.filter((entry) => entry.account.kind === kind));
        expect([on('receivable'), on('balance'), on('cash'), on('revenue'), on('tax')]).toEqual([
          0n,
          -more,
          due + more,
          -due,
          0n,
        ]);
      }),
    );
  });
});

describe('paying a bill', () => {
  test.each<[string, bigint, bigint, bigint, ReturnType<typeof payMistake>]>([
    ['the amount due', 100n, 100n, 100n, undefined],
    ['a part', 1n, 100n, 1n, undefined],
    ['nothing', 0n, 100n, 100n, 'payments.amount_not_positive'],
    ['a negative amount', -1n, 100n, 100n, 'payments.amount_not_positive'],
    ['more than the amount due', 101n, 100n, 1000n, 'payments.amount_above_due'],
    ['more than the balance', 100n, 100n, 99n, 'payments.balance_too_low'],
    ['from a negative balance', 1n, 100n, -5n, 'payments.balance_too_low'],
  ])('%s', (_what, amount, due, balance, mistake) => {
    expect(payMistake(money(amount, 'TWD'), money(due, 'TWD'), money(balance, 'TWD'))).toBe(mistake);
  });
  test('in another currency', () => {
    expect(payMistake(money(1n, 'USD'), money(1n, 'TWD'), money(1n, 'USD'))).toBe(
      'payments.currency_differs',
    );
  });
});

describe('R-BILL-05: a refund', () => {
  const books = (words: readonly RefundState[]): number[] =>
    words.reduce<{ state: RefundState; sums: number[] }>(
      ({ state, sums }, outcome) => {
        const next = nextRefund(state, outcome);
        return { state: next.state, sums: [...sums, (sums.at(-1) ?? 0) + next.books] };
      },
      { state: 'pending', sums: [] },
    ).sums;

  test('is paid once, reversed at most once, and ends the same in any order of events', () => {
    const words = fc.array(fc.constantFrom<RefundState>('pending', 'succeeded', 'failed'), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(words, (outcomes) => {
        const sums = books(outcomes);
        expect(sums.every((sum) => sum === 0 || sum === 1)).toBe(true);
        expect(sums.at(-1)).toBe(outcomes.includes('failed') || !outcomes.includes('succeeded') ? 0 : 1);
        expect(books([...outcomes, ...outcomes]).at(-1)).toBe(sums.at(-1));
      }),
    );
  });
});

describe('R-BILL-05: a dispute', () => {
  test.each([
    [true, true, 5n, 'open'],
    [true, false, 0n, 'open'],
    [false, true, 5n, 'lost'],
    [false, true, 0n, 'lost'],
    [false, false, 5n, 'open'],
    [false, false, 0n, null],
    [false, false, -5n, null],
  ] as const)(
    'open: %s, lost: %s, withdrawn: %s: the payment is %s',
    (isRunning, isLost, withdrawn, standing) =>
      expect(disputeStanding(isRunning, isLost, withdrawn)).toBe(standing),
  );

  const some = fc.bigInt(0n, 10n ** 6n);
  test('is charged to the bill, the balance and the customer, in that order; the balance is never negative', () => {
    expect(withdrawnShares(1050n, 1050n, 500n)).toEqual({ toBill: 1050n, toBalance: 0n, claim: 0n });
    expect(withdrawnShares(1050n, 600n, 200n)).toEqual({ toBill: 600n, toBalance: 200n, claim: 250n });
    expect(withdrawnShares(900n, 0n, -5n)).toEqual({ toBill: 0n, toBalance: 0n, claim: 900n });
  });
  test('that is returned pays what is due of it, then what the customer owes, to the last cent', () => {
    expect(returnedShares(1050n, 1050n, { toBill: 1050n, claim: 0n })).toEqual({
      toBill: -1050n,
      claim: 0n,
      toBalance: 0n,
    });
    expect(returnedShares(1050n, 300n, { toBill: 600n, claim: 250n })).toEqual({
      toBill: -300n,
      claim: -250n,
      toBalance: -500n,
    });
    fc.assert(
      fc.property(
        some,
        some,
        some,
        some,
        some,
        fc.bigInt(-100n, 100n),
        (extra, toBill, balance, due, back, fee) => {
          const out = withdrawnShares(toBill + extra, toBill, balance);
          expect(out.toBill + out.toBalance + out.claim).toBe(toBill + extra);
          expect(out.toBalance <= balance && out.toBalance >= 0n && out.claim >= 0n).toBe(true);
          const again = returnedShares(back, due, out);
          expect(again.toBill + again.toBalance + again.claim).toBe(-back);
          expect(
            -again.toBill <= due &&
              -again.toBill <= out.toBill &&
              -again.claim <= out.claim &&
              again.toBalance <= 0n,
          ).toBe(true);
          expect(
            sum(disputeEntries('org_1', money(toBill + extra, 'TWD'), out, fee)) +
              sum(disputeEntries('org_1', money(-back, 'TWD'), again, 0n)),
          ).toBe(0n);
        },
      ),
    );
  });
});
