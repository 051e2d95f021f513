// Rules of journals: the most specific account applies, vouchers always balance, and files do not split
// vouchers.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { money } from '#kernel/money.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { layouts, type FileLine } from './rules-files.ts';
import {
  partsOf,
  ruleFor,
  timeOf,
  voucherNumber,
  vouchersOf,
  type EntrySum,
  type MappingRule,
  type TransactionCount,
} from './rules.ts';

const rule = (more: Partial<MappingRule>): MappingRule => ({
  accountKind: 'revenue',
  currency: null,
  taxRate: null,
  serviceId: null,
  code: '4100',
  name: 'Revenue',
  department: '',
  taxName: '',
  ...more,
});
const service = 'svc_1' as Id<'svc'>;
const day = '2026-10-05' as LocalDay;

describe('T-ACC: mapping of accounts', () => {
  const rules = [
    rule({}),
    rule({ code: 'USD', currency: 'USD' }),
    rule({ code: 'S', serviceId: service }),
    rule({ code: 'S USD', serviceId: service, currency: 'USD' }),
  ];
  it('the most specific rule applies: a service before a currency, both before either', () => {
    const code = (currency: 'TWD' | 'USD', serviceId: Id<'svc'> | null) =>
      ruleFor(rules, { accountKind: 'revenue', currency, taxRate: null, serviceId })?.code;
    expect([code('TWD', null), code('USD', null), code('TWD', service), code('USD', service)]).toEqual([
      '4100',
      'USD',
      'S',
      'S USD',
    ]);
    expect(code('TWD', 'svc_2' as Id<'svc'>)).toBe('4100');
    expect(ruleFor(rules, { accountKind: 'cash', currency: 'TWD', taxRate: null, serviceId: null })).toBe(
      undefined,
    );
  });
});

describe('T-ACC: vouchers', () => {
  const sum = (more: Partial<EntrySum>): EntrySum => ({
    day,
    kind: 'bill',
    currency: 'TWD',
    accountKind: 'receivable',
    taxRate: null,
    serviceId: null,
    service: null,
    debit: 0n,
    credit: 0n,
    ...more,
  });
  const count: TransactionCount = { day, kind: 'bill', currency: 'TWD', count: 1 };

  it('keep both sides of an account separate, and merge equal names into one line', () => {
    const { vouchers } = vouchersOf(
      [
        sum({ debit: 150n, credit: 45n }),
        sum({ accountKind: 'revenue', credit: 60n }),
        sum({ accountKind: 'revenue', serviceId: service, service: 'Storage', credit: 45n }),
      ],
      [count],
      [rule({}), rule({ accountKind: 'receivable', code: '1100', name: 'Receivables' })],
    );
    expect(
      vouchers.map(({ total, lines }) => [
        total,
        ...lines.map((line) => [line.code, line.debit, line.credit]),
      ]),
    ).toEqual([[150n, ['1100', 150n, 0n], ['1100', 0n, 45n], ['4100', 0n, 105n]]]);
    expect(vouchers[0]?.lines[2]).toMatchObject({ service: null, serviceId: null });
  });

  it('list each unmapped account and currency once, without throwing', () => {
    const { unmapped } = vouchersOf(
      [
        sum({ debit: 10n }),
        sum({ accountKind: 'cash', credit: 10n }),
        sum({ accountKind: 'cash', credit: 0n }),
      ],
      [count],
      [rule({ accountKind: 'receivable' })],
    );
    expect(unmapped.map(({ accountKind, currency }) => `${accountKind} ${currency}`)).toEqual(['cash TWD']);
  });

  it('balance in every currency and lose nothing, for random entries and accounts', () => {
    const kinds = ['receivable', 'revenue', 'tax', 'cash', 'balance'] as const;
    const amounts = fc.array(
      fc.record({
        kind: fc.constantFrom('bill' as const, 'payment' as const, 'void' as const),
        currency: fc.constantFrom('TWD' as const, 'USD' as const),
        day: fc.constantFrom('2026-10-05' as LocalDay, '2026-10-06' as LocalDay),
        from: fc.constantFrom(...kinds),
        to: fc.constantFrom(...kinds),
        minor: fc.bigInt({ min: 1n, max: 10n ** 12n }),
      }),
      { maxLength: 30 },
    );
    const codes = fc.record({
      receivable: fc.constantFrom('1', '2'),
      revenue: fc.constantFrom('1', '2', '3'),
      tax: fc.constantFrom('1', '3'),
      cash: fc.constantFrom('2', '4'),
      balance: fc.constantFrom('1', '4'),
    });
    fc.assert(
      fc.property(amounts, codes, (bookings, codeOf) => {
        const sums = bookings.flatMap((one) => {
          const at = { day: one.day, kind: one.kind, currency: one.currency };
          return [
            sum({ ...at, accountKind: one.from, debit: one.minor }),
            sum({ ...at, accountKind: one.to, credit: one.minor }),
          ];
        });
        const counts = [
          ...new Map(
            bookings.map(({ day: on, kind, currency }) => [
              `${on}${kind}${currency}`,
              { day: on, kind, currency, count: 1 },
            ]),
          ).values(),
        ];
        const { vouchers, unmapped } = vouchersOf(
          sums,
          counts,
          kinds.map((accountKind) => rule({ accountKind, code: codeOf[accountKind] })),
        );
        expect(unmapped).toEqual([]);
        expect(vouchers).toHaveLength(counts.length);
        for (const { lines, total } of vouchers) {
          const side = (name: 'debit' | 'credit') => lines.reduce((all, line) => all + line[name], 0n);
          expect([side('debit'), side('credit')]).toEqual([total, total]);
          expect(lines.every(({ debit, credit }) => debit > 0n !== credit > 0n)).toBe(true);
        }
        for (const accountKind of kinds) {
          const of = (list: readonly { accountKind: string; debit: bigint; credit: bigint }[]) =>
            list
              .filter((one) => one.accountKind === accountKind)
              .reduce((all, one) => [(all[0] ?? 0n) + one.debit, (all[1] ?? 0n) + one.credit], [0n, 0n]);
          expect(of(vouchers.flatMap(({ lines }) => lines))).toEqual(of(sums));
        }
      }),
    );
  });

  it('have numbers of eleven digits that count within their day', () => {
    expect([voucherNumber(day, 1), voucherNumber(day, 123)]).toEqual(['20261005001', '20261005123']);
  });
});

describe('T-ACC: periods and parts', () => {
  it('a month and a day have their first and last day in the time zone', () => {
    const month = timeOf('2026-02' as BillingMonth, 'Asia/Taipei');
    expect([month.first, month.last, month.time.start.toISOString(), month.time.end.toISOString()]).toEqual([
      '2026-02-01',
      '2026-02-28',
      '2026-01-31T16:00:00.000Z',
      '2026-02-28T16:00:00.000Z',
    ]);
    const one = timeOf(day, 'Asia/Taipei');
    expect([one.first, one.last, one.time.start.toISOString()]).toEqual([
      day,
      day,
      '2026-10-04T16:00:00.000Z',
    ]);
  });

  it('a part contains whole vouchers, as many as fit; a voucher that is too large makes none', () => {
    expect(partsOf([100, 150, 50, 1, 300], 300)).toEqual([1, 1, 1, 2, 3]);
    expect(partsOf([], 300)).toEqual([]);
    expect(partsOf([301], 300)).toBe(undefined);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 300 })), (counts) => {
        const parts = partsOf(counts, 300) ?? [];
        expect(parts).toHaveLength(counts.length);
        for (const part of new Set(parts))
          expect(
            counts.filter((_count, index) => parts[index] === part).reduce((all, count) => all + count, 0),
          ).toBeLessThanOrEqual(300);
      }),
    );
  });
});

describe('T-ACC: files', () => {
  const line: FileLine = {
    number: '20261005001',
    day,
    voucherSummary: 'Bills',
    position: 2,
    account: 'Revenue',
    code: '4100',
    name: 'Sales',
    department: 'Cloud',
    taxName: '',
    summary: 'Bills, Storage',
    sideInChinese: '貸',
    debit: money(0n, 'USD'),
    credit: money(123_456n, 'USD'),
  };
  const settings = { xeroTaxRate: 'No VAT', xeroTracking: 'Team', voucherType: '9110' };
  it('have a negative credit for Xero, a separate column for QuickBooks, and a sign in Taiwan', () => {
    expect(layouts.xero.cells(line, settings)).toEqual([
      '20261005001 Bills',
      '05/10/2026',
      'Bills, Storage',
      '4100',
      'No VAT',
      { figure: '-1234.56' },
      'Team',
      'Cloud',
      '',
      '',
    ]);
    expect(
      layouts.xero.cells({ ...line, taxName: 'Own' }, { ...settings, xeroTracking: '' }).slice(4, 8),
    ).toEqual(['Own', { figure: '-1234.56' }, '', '']);
    expect(layouts.quickbooks.cells(line, settings).slice(1, 5)).toEqual([
      '10/05/2026',
      'Sales',
      '',
      { figure: '1234.56' },
    ]);
    expect(layouts.dingxin.cells(line, settings).slice(0, 8)).toEqual([
      '9110',
      '20261005001',
      '20261005',
      '0002',
      { figure: '-1' },
      '4100',
      'Cloud',
      { figure: '1234.56' },
    ]);
    expect(layouts.winton.cells(line, settings).slice(0, 3)).toEqual(['1151005', '20261005001', '貸']);
  });
  it('of every format have a cell for each column', () => {
    expect(Object.values(layouts).map(({ cells }) => cells(line, settings).length)).toEqual(
      Object.values(layouts).map(({ header }) => header.length),
    );
  });
});
