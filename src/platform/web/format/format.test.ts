import { describe, expect, it } from 'vitest';
import { money, type Currency } from '#kernel/money.ts';
import { formatOf } from './format.ts';

const zh = formatOf('zhTW', 'Asia/Taipei');
const en = formatOf('enUS', 'Asia/Taipei');

it('an addition to a figure has each language’s brackets', () => {
  expect([zh.aside('+8.2%'), en.aside('+8.2%')]).toEqual(['（+8.2%）', ' (+8.2%)']);
});

describe('formatted money', () => {
  it.each<[bigint, Currency, string, string]>([
    [1234n, 'TWD', 'NT$1,234', 'NT$1,234'],
    [-1234n, 'TWD', '-NT$1,234', '-NT$1,234'],
    [0n, 'TWD', 'NT$0', 'NT$0'],
    [123450n, 'USD', 'US$1,234.50', '$1,234.50'],
    [-5n, 'USD', '-US$0.05', '-$0.05'],
    [90071992547409931234n, 'TWD', 'NT$90,071,992,547,409,931,234', 'NT$90,071,992,547,409,931,234'],
    [1000n, 'JPY', '¥1,000', '¥1,000'],
    [100n, 'EUR', '€1.00', '€1.00'],
    [100n, 'CHF', 'CHF 1.00', 'CHF 1.00'],
  ])('%s %s', (minor, currency, chinese, english) => {
    expect(zh.money(money(minor, currency))).toBe(chinese);
    expect(en.money(money(minor, currency))).toBe(english);
  });

  it.each<[bigint, Currency, string, string]>([
    [99_999n, 'TWD', 'NT$99,999', 'NT$99,999'],
    [123_456n, 'TWD', 'NT$12.3 萬', 'NT$123.5K'],
    [-123_456n, 'TWD', '-NT$12.3 萬', '-NT$123.5K'],
    [100_000n, 'TWD', 'NT$10 萬', 'NT$100K'],
    [99_999_999n, 'TWD', 'NT$1 億', 'NT$100M'],
    [99_990_000n, 'TWD', 'NT$9,999 萬', 'NT$100M'],
    [999_960n, 'TWD', 'NT$100 萬', 'NT$1M'],
    [12_345_678_900n, 'TWD', 'NT$123.5 億', 'NT$12.3B'],
    [10_000_000n, 'USD', 'US$10 萬', '$100K'],
    [123_450n, 'USD', 'US$1,234.50', '$1,234.50'],
  ])('short %s %s', (minor, currency, chinese, english) => {
    expect(zh.moneyShort(money(minor, currency)).text).toBe(chinese);
    expect(en.moneyShort(money(minor, currency)).text).toBe(english);
    expect(zh.moneyShort(money(minor, currency)).full).toBe(zh.money(money(minor, currency)));
  });

  it('changes have a sign, unit prices all their digits', () => {
    expect(zh.moneyChange(money(486n, 'TWD'))).toBe('+NT$486');
    expect(zh.moneyChange(money(0n, 'TWD'))).toBe('NT$0');
    expect(zh.moneyChange(money(-1n, 'TWD'))).toBe('-NT$1');
    expect(zh.unitPrice('0.000000400', 'USD')).toBe('US$0.0000004');
    expect(en.unitPrice('0.1', 'USD')).toBe('$0.10');
    expect(en.unitPrice('1000.5', 'USD')).toBe('$1,000.50');
    expect(en.unitPrice('5', 'USD')).toBe('$5');
    expect(en.unitPrice('0.5', 'JPY')).toBe('¥0.5');
    expect(en.unitPrice('1234.50', 'TWD')).toBe('NT$1,234.5');
  });
});

describe('formatted numbers', () => {
  it.each<[string, string]>([
    [zh.number(1234), '1,234'],
    [zh.number('123456789012345678901234.000000000001'), '123,456,789,012,345,678,901,234.000000000001'],
    [zh.number('-0.50'), '-0.5'],
    [zh.number(9007199254740993n), '9,007,199,254,740,993'],
    [zh.quantity('820', 'GB'), '820 GB'],
    [zh.quantity('47.50'), '47.5'],
    [zh.brief('1277.216666666667'), '1,277.216666…'],
    [zh.brief('-0.1234567'), '-0.123456…'],
    [zh.brief('15.652170'), '15.65217'],
    [zh.brief('3804'), '3,804'],
    [zh.percent(0.94), '94%'],
    [zh.percent(0.9425), '94.3%'],
    [zh.percentChange(0.082), '+8.2%'],
    [en.percentChange(-0.01), '-1%'],
    [zh.percentChange(0), '0%'],
    [zh.numberShort(120_000_000).text, '1.2 億'],
    [en.numberShort(120_000_000n).text, '120M'],
    [zh.numberShort(-250_000).text, '-25 萬'],
    [zh.bytes(820_000_000_000), '820 GB'],
    [zh.bytes(1_500), '1.5 KB'],
    [zh.bytes(999), '999 B'],
    [zh.bytes(0), '0 B'],
    [zh.bytesAtMost(64 * 1024 * 1024), '64 MB'],
    [zh.bytesAtMost(256 * 1024), '256 KB'],
    [zh.bytesAtMost(100_000), '100 KB'],
    [en.list(['a', 'b', 'c']), 'a, b, and c'],
    [zh.sentences('甲。', false, '乙。'), '甲。乙。'],
    [en.sentences('A.', undefined, '', 'B.'), 'A. B.'],
  ])('%s is %s', (actual, expected) => {
    expect(actual).toBe(expected);
  });
});

describe('formatted times', () => {
  const moment = new Date('2026-03-05T06:07:00Z');
  const lateUtc = new Date('2026-03-05T16:30:00Z');
  const now = new Date('2026-03-05T06:07:00Z');
  const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  it.each<[string, string]>([
    [zh.date(moment), '2026年3月5日'],
    [en.date(moment), 'Mar 5, 2026'],
    [zh.dateTable(moment), '2026/03/05'],
    [en.dateTable(moment), '2026-03-05'],
    [zh.time(moment), '14:07'],
    [zh.time(lateUtc), '00:30'],
    [zh.dateTable(lateUtc), '2026/03/06'],
    [formatOf('zhTW', 'America/New_York').dateTimeTable(moment), '2026/03/05 01:07'],
    [en.dateTimeTable(moment), '2026-03-05 14:07'],
    [zh.dateTime(moment), '2026年3月5日 14:07'],
    [en.dateTime(moment), 'Mar 5, 2026, 14:07'],
    [zh.day('2026-03-05'), '2026年3月5日'],
    [en.dayTable('2026-03-05'), '2026-03-05'],
    [zh.dayShort('2026-03-05'), '3/5'],
    [zh.month('2026-03'), '2026年3月'],
    [en.month('2026-03'), 'Mar 2026'],
    [zh.monthShort('2026-03'), '3月'],
    [zh.range('2026-03-05', '2026-03-25'), '2026/03/05–03/25'],
    [zh.range('2026-03-01', '2026-03-01'), '2026/03/01'],
    [en.range('2026-03-01', '2026-03-01'), 'Mar 1, 2026'],
    [zh.range('2026-12-31', '2027-01-02'), '2026/12/31–2027/01/02'],
    [en.range('2026-03-05', '2026-03-25').replaceAll(/\s/g, ' '), 'Mar 5 – 25, 2026'],
    [zh.relative(at(-3 * 3600), now), '3 小時前'],
    [zh.relative(at(-86_400), now), '昨天'],
    [zh.relative(at(3 * 86_400), now), '3 天後'],
    [en.relative(at(-3 * 3600), now), '3 hours ago'],
    [zh.relative(at(-5), now), '剛剛'],
    [en.relative(at(-5), now), 'just now'],
    [en.relative(at(5), now), 'now'],
    [zh.relative(at(-400 * 86_400), now), '去年'],
  ])('%s is %s', (actual, expected) => {
    expect(actual).toBe(expected);
  });

  it('share one formatter per language and zone', () => {
    expect(formatOf('zhTW', 'Asia/Taipei')).toBe(zh);
  });
});
