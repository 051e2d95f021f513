// Days, amounts and columns in banks’ formats, and recognition of equal rows.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { money, moneyText, absolute } from '#kernel/money.ts';
import { chainOf, guessMapping, numbered, readAmount, readDay, readLine } from './rules-statement.ts';

describe('a day in a statement', () => {
  it.each([
    ['2026/11/20', '2026-11-20'],
    ['2026-11-20', '2026-11-20'],
    ['115/11/20', '2026-11-20'],
    ['民國115年11月20日', '2026-11-20'],
    ['1151120', '2026-11-20'],
    ['20261120', '2026-11-20'],
    ['２０２６／１１／２０', '2026-11-20'],
    ['2026/1/5 14:03:11', '2026-01-05'],
    [' 115.02.29 ', undefined],
    ['113/02/29', '2024-02-29'],
    ['26/11/20', undefined],
    ['合計', undefined],
    ['', undefined],
    ['2026/13/01', undefined],
  ])('%s', (written, day) => {
    expect(readDay(written)).toBe(day);
  });
});

describe('an amount in a statement', () => {
  it.each([
    ['1,050', 1050n],
    ['NT$ 1,050.00', 1050n],
    ['１，０５０', 1050n],
    ['(1,050)', -1050n],
    ['-1050', -1050n],
    ['1,050-', -1050n],
    ['+12', 12n],
    ['1,050元', 1050n],
    ['TWD 7', 7n],
    ['', null],
    ['-', null],
    ['1,05', undefined],
    ['1.5', undefined],
    ['=1+1', undefined],
    ['1e9', undefined],
    ['--5', undefined],
    ['9'.repeat(30), undefined],
  ])('%s in TWD', (written, minor) => {
    const read = readAmount(written, 'TWD');
    expect(read === null || read === undefined ? read : read.minor).toBe(minor);
  });

  it('is read in any format and currency', () => {
    fc.assert(
      fc.property(
        fc.bigInt(-(10n ** 12n), 10n ** 12n).filter((minor) => minor !== 0n),
        fc.constantFrom('TWD', 'USD', 'KWD'),
        fc.boolean(),
        fc.boolean(),
        (minor, currency, grouped, bracketed) => {
          const plain = moneyText(money(absolute(minor), currency));
          const [whole = '', fraction] = plain.split('.');
          const text = `${grouped ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole}${fraction === undefined ? '' : `.${fraction}`}`;
          expect(
            readAmount(minor < 0n ? (bracketed ? `(${text})` : `-${text}`) : text, currency)?.minor,
          ).toBe(minor);
        },
      ),
    );
  });
});

describe('columns', () => {
  it.each([
    [
      ['交易日期', '摘要', '支出金額', '存入金額', '帳戶餘額', '備註'],
      { day: 0, description: 1, debit: 2, credit: 3, balance: 4, reference: 5 },
    ],
    [
      ['日期', '說明', '提出', '存入', '餘額', '對方戶名', '對方帳號'],
      { day: 0, description: 1, debit: 2, credit: 3, balance: 4, payerName: 5, payerAccount: 6 },
    ],
    [['Date', 'Description', 'Amount', 'Balance'], { day: 0, description: 1, amount: 2, balance: 3 }],
    [
      ['Transaction Date', 'Reference', 'Debit', 'Credit (NT$)'],
      { day: 0, reference: 1, debit: 2, credit: 3 },
    ],
  ])('%j', (header, mapping) => {
    expect(guessMapping(header, 3)).toEqual({ ...mapping, headerLine: 3 });
  });

  it('are not guessed without a day or an amount', () => {
    expect(guessMapping(['戶名', '某公司'], 1)).toBeUndefined();
    expect(guessMapping(['日期', '餘額'], 1)).toBeUndefined();
  });
});

describe('a line of a statement', () => {
  const mapping = { headerLine: 1, day: 0, description: 1, debit: 2, credit: 3, balance: 4 };
  it('is a row, with outgoing amounts negative, or an error', () => {
    const read = (...cells: string[]) => readLine(cells, 2, mapping, 'TWD');
    expect(read('115/11/20', 'a\u202E\u0007 b', '', '1,000', '5,000')).toMatchObject({
      day: '2026-11-20',
      amount: money(1000n, 'TWD'),
      words: 'a b',
      balance: money(5000n, 'TWD'),
    });
    for (const out of ['200', '-200'])
      expect(read('115/11/20', '', out, '0', '')).toMatchObject({
        amount: money(-200n, 'TWD'),
        balance: null,
      });
    expect(
      [
        read('合計', '', '', '1'),
        read('115/11/20', '', 'x', ''),
        read('115/11/20', '', '', ''),
        read('115/11/20', '', '1', '2'),
        read('115/11/20', '', '', '1', 'x'),
        read('115/11/20', 'y'.repeat(501), '', '1'),
      ].map((row) => 'code' in row && row.code),
    ).toEqual([
      'banking.line_day',
      'banking.line_amount',
      'banking.line_no_amount',
      'banking.line_both',
      'banking.line_balance',
      'banking.line_long',
    ]);
  });
});

const rows = fc.array(
  fc.record({
    day: fc.constantFrom('2026-11-19', '2026-11-20', '2026-11-21'),
    minor: fc.constantFrom(100n, 200n),
    words: fc.constantFrom('a', 'b'),
  }),
  { maxLength: 30 },
);
const asRow = (row: { day: string; minor: bigint; words: string }) => ({
  day: row.day as never,
  amount: money(row.minor, 'TWD'),
  words: row.words,
});

it('rows of whole days are the same in any statement with those days, and never merge', () => {
  fc.assert(
    fc.property(rows, fc.constantFrom('2026-11-19', '2026-11-20', '2026-11-21'), (all, from) => {
      const key = (row: ReturnType<typeof asRow> & { ordinal: number }) =>
        JSON.stringify([row.day, String(row.amount.minor), row.words, row.ordinal]);
      const whole = numbered(all.map(asRow)).map(key);
      expect(new Set(whole).size).toBe(all.length);
      const later = numbered(all.filter((row) => row.day >= from).map(asRow)).map(key);
      // Newest first or oldest first: the same rows.
      const backwards = numbered(all.toReversed().map(asRow)).map(key);
      for (const each of [...later, ...backwards]) expect(whole).toContain(each);
    }),
  );
});

it('consistent balances are recognized in both orders, and a missing row is detected', () => {
  fc.assert(
    fc.property(
      fc.bigInt(-1000n, 1000n),
      fc.array(fc.bigInt(1n, 50n), { minLength: 3, maxLength: 20 }),
      (opening, amounts) => {
        let balance = opening;
        const list = amounts.map((minor) => ({
          amount: money(minor, 'TWD'),
          balance: money((balance += minor), 'TWD'),
        }));
        for (const way of [list, list.toReversed()])
          expect(chainOf(way)).toEqual({ opening, closing: balance, isWhole: true });
        expect(chainOf(list.toSpliced(1, 1))?.isWhole).toBe(false);
      },
    ),
  );
});
