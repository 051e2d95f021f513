// The API’s basic schemas accept exactly what they promise.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { money } from './money.ts';
import {
  day,
  acceptedMoney,
  exactDecimal,
  email,
  id,
  instant,
  isDay,
  isMonth,
  moneyShape,
  month,
  optionalText,
  queryFlag,
  queryInteger,
  text,
  timeZone,
  unsignedDecimal,
} from './shape.ts';

const takes = (shape: z.ZodMiniType, value: unknown): boolean => z.safeParse(shape, value).success;

describe('texts', () => {
  test.each<[unknown, boolean]>([
    ['a', true],
    [' 名稱 ', true],
    ['第一行\n第二行', true],
    ['12345', true],
    ['123456', false],
    ['', false],
    ['   ', false],
    ['a\u0000', false],
    ['\u001b[1m', false],
    ['\u007f', false],
    ['\ud83d', false],
    ['a😀', true],
    [1, false],
    [null, false],
    [['a'], false],
    [{}, false],
  ])('%j is a text of 1 to 5 characters or more after trimming: %s', (value, is) => {
    expect(takes(text(value === '第一行\n第二行' ? 10 : 5), value)).toBe(is);
  });
  test('are trimmed; an optional one may be empty', () => {
    expect(z.parse(text(5), '  名稱 ')).toBe('名稱');
    expect(z.parse(optionalText(5), '   ')).toBe('');
  });
  test.each<[string, string | null]>([
    [' A@X.com ', 'a@x.com'],
    ['a@x', null],
    ['a b@x.com', null],
    ['ａ@x.com', null],
    ['a@x.com.', null],
    ['a\u0000@x.com', null],
    [`${'a'.repeat(250)}@x.com`, null],
  ])('%j is the account %j', (value, account) => {
    const read = z.safeParse(email, value);
    expect(read.success ? read.data : null).toBe(account);
  });
  test.each<[string, boolean]>([
    ['Asia/Taipei', true],
    ['UTC', true],
    ['../etc', false],
    ['+08:00', false],
    ['a;b', false],
    ['', false],
    [`A${'a'.repeat(64)}`, false],
  ])('%j may name a time zone: %s', (value, is) => {
    expect(takes(timeZone, value)).toBe(is);
  });
});

describe('ids', () => {
  test('have their own kind', () => {
    const bill = `bil_${'0'.repeat(26)}`;
    expect(takes(id('bil'), bill)).toBe(true);
    for (const other of [
      `sub_${'0'.repeat(26)}`,
      bill.toUpperCase(),
      `${bill}0`,
      '',
      1,
      null,
      [bill],
      { toString: () => bill },
    ])
      expect(takes(id('bil'), other)).toBe(false);
  });
});

describe('figures in the API', () => {
  test.each<[unknown, boolean, boolean]>([
    ['1', true, true],
    ['-1', true, false],
    ['0.000000000001', true, true],
    ['1e3', false, false],
    ['0.0000000000001', true, false],
    ['9'.repeat(60), true, false],
    [1, false, false],
    ['', false, false],
    ['Infinity', false, false],
    ['1\n', false, false],
    [' 1', false, false],
  ])('%j is a figure of an answer: %s, one that is accepted: %s', (value, signed, unsigned) => {
    expect(takes(exactDecimal, value)).toBe(signed);
    expect(takes(unsignedDecimal, value)).toBe(unsigned);
  });
  test('money is unchanged after encoding and decoding', () => {
    fc.assert(
      fc.property(
        fc.bigInt(-(10n ** 60n), 10n ** 60n),
        fc.constantFrom('TWD' as const, 'USD' as const, 'KWD' as const),
        (minor, currency) => {
          const wire = z.encode(moneyShape, money(minor, currency));
          expect(JSON.parse(JSON.stringify(wire))).toEqual(wire);
          expect(z.decode(moneyShape, wire)).toEqual(money(minor, currency));
        },
      ),
    );
  });
  test('an amount is accepted up to 15 digits before the decimal point', () => {
    const amount = (digits: number, currency: string) => ({ amount: '9'.repeat(digits), currency });
    for (const currency of ['TWD', 'USD', 'KWD']) {
      expect([
        takes(acceptedMoney, amount(15, currency)),
        takes(acceptedMoney, amount(16, currency)),
      ]).toEqual([true, false]);
      expect(takes(moneyShape, amount(16, currency))).toBe(true);
    }
  });
  test.each([
    { amount: '1.5', currency: 'TWD' },
    { amount: '1', currency: 'XXX' },
    { amount: '1', currency: '__proto__' },
    { amount: 1, currency: 'TWD' },
    { amount: '1' },
    { amount: '1', currency: 'TWD', minor: 1 },
    '1',
    null,
    { amount: '1'.repeat(41), currency: 'TWD' },
    { amount: '1e5', currency: 'USD' },
  ])('%j is rejected as money', (value) => {
    expect(takes(acceptedMoney, value)).toBe(false);
  });
  test.each<[unknown, number | null]>([
    ['1', 1],
    ['200', 200],
    ['0', null],
    ['201', null],
    ['-1', null],
    ['1.0', null],
    ['1e2', null],
    ['١', null],
    [1, null],
    ['', null],
    ['99999999999', null],
  ])('%j as a number from 1 to 200 of a query is %s', (value, number) => {
    const read = z.safeParse(queryInteger(1, 200), value);
    expect(read.success ? read.data : null).toBe(number);
  });
  test.each<[unknown, boolean | null]>([
    ['true', true],
    ['false', false],
    ['TRUE', null],
    ['1', null],
    ['', null],
    [true, null],
  ])('%j as a flag of a query is %s', (value, flag) => {
    const read = z.safeParse(queryFlag, value);
    expect(read.success ? read.data : null).toBe(flag);
  });
});

describe('days, months and times', () => {
  test.each<[unknown, boolean]>([
    ['2028-02-29', true],
    ['2026-02-29', false],
    ['1900-02-29', false],
    ['2000-02-29', true],
    ['2100-02-29', false],
    ['2026-11-00', false],
    ['2026-12-32', false],
    ['2026-04-31', false],
    ['2026-13-01', false],
    ['2026-00-10', false],
    ['2026-1-1', false],
    ['1899-12-31', false],
    ['2200-01-01', false],
    ['2026-11-20T00:00:00Z', false],
    ['', false],
    [20261120, false],
    [null, false],
  ])('%j is a day: %s', (value, is) => {
    expect(isDay(value)).toBe(is);
    expect(takes(day, value)).toBe(is);
  });
  test.each<[unknown, boolean]>([
    ['2026-11', true],
    ['2026-00', false],
    ['2026-13', false],
    ['2026-1', false],
    ['1899-12', false],
    ['2026-11-20', false],
    [202611, false],
    [undefined, false],
  ])('%j is a month: %s', (value, is) => {
    expect(isMonth(value)).toBe(is);
    expect(takes(month, value)).toBe(is);
  });
  test('a day that is not in the calendar is rejected', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1900, max: 2199 }),
        fc.integer({ min: 0, max: 99 }),
        fc.integer({ min: 0, max: 99 }),
        (year, monthNumber, dayNumber) => {
          const written = `${year}-${String(monthNumber).padStart(2, '0')}-${String(dayNumber).padStart(2, '0')}`;
          const date = new Date(Date.UTC(year, monthNumber - 1, dayNumber));
          expect(isDay(written)).toBe(date.toISOString().slice(0, 10) === written);
        },
      ),
      { numRuns: 1000 },
    );
  });
  test('every day of the calendar is accepted', () => {
    fc.assert(
      fc.property(
        fc.date({
          min: new Date('1900-01-01T00:00:00Z'),
          max: new Date('2199-12-31T00:00:00Z'),
          noInvalidDate: true,
        }),
        (date) => {
          expect(isDay(date.toISOString().slice(0, 10))).toBe(true);
        },
      ),
    );
  });
  test.each<[unknown, string | null]>([
    ['2026-11-20T05:43:12Z', '2026-11-20T05:43:12.000Z'],
    ['2026-11-20T13:43:12+08:00', '2026-11-20T05:43:12.000Z'],
    ['2026-11-20', null],
    ['2026-02-30T00:00:00Z', null],
    ['2026-11-20T24:00:00Z', null],
    ['2026-11-20T05:43:12', null],
    ['', null],
    [0, null],
  ])('%j is the time %s', (value, moment) => {
    const read = z.safeParse(instant, value);
    expect(read.success ? read.data.toISOString() : null).toBe(moment);
  });
});
