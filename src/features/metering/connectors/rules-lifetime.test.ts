import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal, decimalText, sumDecimals } from '#kernel/decimal.ts';
import { hourMs } from '#kernel/durations.ts';
import { totalsOf, type Average } from './rules-averages.ts';
import { lifetimeIn, utcMoment } from './rules-lifetime.ts';
import type { Window } from './rules.ts';

const begin = Date.UTC(2024, 8, 10);
const windows = (count: number, lengthMs: number): Window[] =>
  Array.from({ length: count }, (_, place) => ({
    start: new Date(begin + place * lengthMs),
    end: new Date(begin + (place + 1) * lengthMs),
  }));
const at = fc.integer({ min: 0, max: 24 * hourMs });

describe('the lifetime of a resource', () => {
  it('T-CONN: adjacent windows of any length add up to the lifetime', () => {
    fc.assert(
      fc.property(at, at, fc.constantFrom(300_000, 900_000, hourMs), (one, two, length) => {
        const [from, until] = [Math.min(one, two), Math.max(one, two)];
        const seconds = windows((24 * hourMs) / length, length).flatMap(
          (window) => lifetimeIn(window, new Date(begin + from), new Date(begin + until)) ?? [],
        );
        expect(decimalText(sumDecimals(seconds.map((each) => decimal(each))).times(decimal('1000')))).toBe(
          String(until - from),
        );
      }),
    );
  });

  it('T-CONN: a running resource counts to the end, a never launched or deleted one counts nothing', () => {
    const [window] = windows(1, hourMs) as [Window];
    expect(lifetimeIn(window, new Date(begin + 60_541), null)).toBe('3539.459');
    expect(lifetimeIn(window, null, null)).toBeUndefined();
    expect(lifetimeIn(window, new Date(begin - hourMs), new Date(begin))).toBeUndefined();
    expect(lifetimeIn(window, window.end, null)).toBeUndefined();
  });

  it('T-CONN: a time without a zone is UTC', () => {
    expect(utcMoment('2012-10-08T20:10:44.541277')).toEqual(new Date('2012-10-08T20:10:44.541Z'));
    expect(utcMoment('2012-10-08 20:10:44')).toEqual(new Date('2012-10-08T20:10:44Z'));
    expect(utcMoment('2012-10-08T20:10:44+02:00')).toEqual(new Date('2012-10-08T18:10:44Z'));
    expect(['', 'soon', null].map(utcMoment)).toEqual([null, null, null]);
  });
});

describe('totals of averages', () => {
  const value = fc.option(fc.integer({ min: 0, max: 1000 }), { nil: null });

  it('T-CONN: adjacent windows add up, even when a step spans several of them', () => {
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 4, maxLength: 4 }),
        fc.constantFrom(300_000, 900_000, hourMs),
        (values, length) => {
          const averages = values.map((each, place): Average => ({
            atMs: begin + place * 1_800_000,
            seconds: 1800,
            value: each,
          }));
          const parts = windows((2 * hourMs) / length, length).flatMap(
            (window) => totalsOf(averages, window) ?? [],
          );
          const all = (key: 'valueSeconds' | 'seconds'): string =>
            decimalText(sumDecimals([decimal('0'), ...parts.map((part) => decimal(part[key]))]));
          const known = values.flatMap((each) => each ?? []);
          expect(all('valueSeconds')).toBe(String(known.reduce((sum, each) => sum + each, 0) * 1800));
          expect(all('seconds')).toBe(String(known.length * 1800));
        },
      ),
    );
  });

  it('T-CONN: sum, maximum and last value are those of the window', () => {
    const [window] = windows(1, 900_000) as [Window];
    const averages = [5, 9, 2].map((each, place): Average => ({
      atMs: begin + place * 300_000,
      seconds: 300,
      value: each,
    }));
    expect(totalsOf(averages, window)).toEqual({
      valueSeconds: '4800',
      seconds: '900',
      sum: '16',
      max: '9',
      last: '2',
    });
    expect(totalsOf([], window)).toBeUndefined();
  });
});
