// Rules of exchange rates: the path with the fewest and newest rates, exact amounts, and the bank's files.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { money, type Currency } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { converted, dayOfSteps, euroRatesOfCsv, rateText, stepsBetween, type Rate } from './rules.ts';

const rate = (currency: Currency, against: Currency, value: string, day = '2026-11-25'): Rate => ({
  currency,
  against,
  day: day as LocalDay,
  rate: value,
  source: 'manual',
});
const known = [
  rate('EUR', 'USD', '1.05'),
  rate('EUR', 'JPY', '160.4'),
  rate('USD', 'TWD', '32.5', '2026-11-20'),
];
const into = (minor: bigint, from: Currency, to: Currency): bigint | undefined => {
  const steps = stepsBetween(known, from, to);
  return steps && converted(money(minor, from), to, steps).minor;
};

describe('T-FX: conversion between currencies', () => {
  it('uses a direct or inverse rate, or others in between, at most three', () => {
    expect([into(10_000n, 'USD', 'TWD'), into(3250n, 'TWD', 'USD')]).toEqual([3250n, 10_000n]);
    // 100 EUR = 105 USD = 3412.5 TWD, rounded once.
    expect(into(10_000n, 'EUR', 'TWD')).toBe(3413n);
    // 1000 JPY = 6.2344… EUR = 6.546… USD = 212.75 TWD.
    expect(into(1000n, 'JPY', 'TWD')).toBe(213n);
    expect(into(5n, 'TWD', 'TWD')).toBe(5n);
    expect(into(1n, 'GBP', 'TWD')).toBe(undefined);
  });
  it('returns the day of its oldest rate, and prefers the newer of two equally long paths', () => {
    expect(dayOfSteps(stepsBetween(known, 'EUR', 'TWD') ?? [])).toBe('2026-11-20');
    const both = [rate('USD', 'TWD', '30', '2026-11-01'), rate('TWD', 'USD', '0.03125', '2026-11-02')];
    expect(rateText(stepsBetween(both, 'USD', 'TWD') ?? [])).toBe('32');
  });
  it('rounds once, half away from zero, for any rates and amounts', () => {
    const amount = fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n });
    const units = fc.bigInt({ min: 1n, max: 10n ** 9n });
    fc.assert(
      fc.property(amount, units, (minor, millionths) => {
        const text = `${millionths / 1_000_000n}.${String(millionths % 1_000_000n).padStart(6, '0')}`;
        const steps = stepsBetween([rate('USD', 'TWD', text)], 'USD', 'TWD') ?? [];
        // Cents at millionths: 100,000,000 of them are one New Taiwan dollar.
        const exact = minor * millionths;
        const found = converted(money(minor, 'USD'), 'TWD', steps).minor * 100_000_000n;
        const off = found - exact < 0n ? exact - found : found - exact;
        expect(off * 2n <= 100_000_000n).toBe(true);
        expect(converted(money(-minor, 'USD'), 'TWD', steps).minor * 100_000_000n).toBe(-found);
      }),
    );
  });
});

describe('T-FX: files of the European Central Bank', () => {
  it('the history: every day and supported currency, without N/A', () => {
    const text =
      'Date,USD,JPY,BGN,TRY,\n2026-11-25,1.0473,160.43,1.9558,N/A,\n2026-11-24,1.0495,N/A,1.9558,36.2,\n';
    expect(
      euroRatesOfCsv(text)?.map(({ day, against, rate: value }) => `${day} ${against} ${value}`),
    ).toEqual(['2026-11-25 USD 1.0473', '2026-11-25 JPY 160.43', '2026-11-24 USD 1.0495']);
  });
  it('the day’s file has days in words', () => {
    expect(euroRatesOfCsv('Date, USD, JPY, \n5 November 2026, 1.0473, 160.43, \n')?.[0]).toEqual({
      day: '2026-11-05',
      against: 'USD',
      rate: '1.0473',
    });
  });
  it('another table is rejected', () => {
    expect(euroRatesOfCsv('Day;Dollar\n1;2')).toBe(undefined);
    expect(euroRatesOfCsv('Date,USD\nnonsense,abc\n2026-11-25,0\n')).toEqual([]);
  });
});
