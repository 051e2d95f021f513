// Rules of e-invoices: periods of Taiwan, valid values of fields, displayed states, and ranges of numbers
// (T-EINV).
import { describe, expect, test } from 'vitest';
import {
  buyerMistakes,
  choiceMistake,
  deadlineOf,
  einvoiceNumber,
  gapSeconds,
  isPeriod,
  nextPeriod,
  periodOf,
  periodWords,
  previousPeriod,
  runsLow,
  shownState,
  tidyCode,
  unusedRanges,
  type StoredStanding,
} from './rules.ts';

describe('T-EINV: the two-month period', () => {
  test.each([
    ['2026-10-31T15:59:59.999Z', '2026-09'],
    ['2026-10-31T16:00:00.000Z', '2026-11'],
    ['2026-12-31T15:59:59.999Z', '2026-11'],
    ['2026-12-31T16:00:00.000Z', '2027-01'],
    ['2027-02-28T15:59:59.999Z', '2027-01'],
    ['2028-02-29T15:59:59.999Z', '2028-01'],
    ['2028-02-29T16:00:00.000Z', '2028-03'],
  ])('%s is in %s in Taiwan’s time', (moment, period) => {
    expect(periodOf(new Date(moment))).toBe(period);
  });
  test('follows the previous one across the year’s end, written in years of the Republic', () => {
    expect(nextPeriod('2026-11')).toBe('2027-01');
    expect(nextPeriod('2026-09')).toBe('2026-11');
    expect(previousPeriod('2027-01')).toBe('2026-11');
    expect(previousPeriod('2026-03')).toBe('2026-01');
    expect(periodWords('2026-11')).toBe('115年11-12月');
    expect(periodWords('2027-01')).toBe('116年01-02月');
    expect(isPeriod('2026-12')).toBe(false);
    expect(isPeriod('2026-11')).toBe(true);
  });
});

describe('T-EINV: the carrier of an invoice', () => {
  test.each([
    ['mobile', '/ABC1234', undefined],
    ['mobile', '/A.+-123', undefined],
    ['mobile', 'ABC12345', 'einvoices.mobile_wrong'],
    ['mobile', '/ABC123', 'einvoices.mobile_wrong'],
    ['mobile', '/ABC12345', 'einvoices.mobile_wrong'],
    ['mobile', '/abc1234', 'einvoices.mobile_wrong'],
    ['mobile', '', 'einvoices.mobile_wrong'],
    ['citizen', 'AB12345678901234', undefined],
    ['citizen', 'A123456789012345', 'einvoices.citizen_wrong'],
    ['citizen', 'AB1234567890123', 'einvoices.citizen_wrong'],
    ['donate', '919', undefined],
    ['donate', '1234567', undefined],
    ['donate', '12', 'einvoices.donation_wrong'],
    ['donate', '12345678', 'einvoices.donation_wrong'],
    ['donate', 'X12', 'einvoices.donation_wrong'],
    ['member', '', undefined],
    ['paper', '', undefined],
  ] as const)('%s %s: %s', (keep, code, mistake) => {
    expect(choiceMistake({ keep, code })).toBe(mistake);
  });
  test('codes are stored in capitals without spaces', () => {
    expect(tidyCode(' /abc 1234 ')).toBe('/ABC1234');
  });
});

describe('T-EINV: the buyer', () => {
  const buyer = { taxId: '', name: '', keep: 'member', code: '' } as const;
  test.each([
    [{}, []],
    [{ keep: 'donate' as const, code: '1' }, ['code']],
    [{ taxId: '22099131', name: '台灣積體電路' }, []],
    [{ taxId: '22099131', name: ' ' }, ['name']],
    [{ taxId: '12345678', name: 'A' }, ['taxId']],
    [{ taxId: '2209913', name: '' }, ['taxId', 'name']],
    // A company’s invoice is on paper: a consumer’s carrier does not matter.
    [{ taxId: '22099131', name: 'A', keep: 'donate' as const, code: '1' }, []],
  ])('%o is invalid at %o', (more, fields) => {
    expect(buyerMistakes({ ...buyer, ...more }).map(({ field }) => field)).toEqual(fields);
  });
});

describe('T-EINV: displayed states', () => {
  const standing: StoredStanding = { state: 'uploaded', voidAskedAt: null, voidedAt: null, allowed: 0n };
  const at = new Date(0);
  test.each([
    [{}, 'uploaded'],
    [{ allowed: 1n }, 'allowed'],
    [{ voidAskedAt: at }, 'voiding'],
    [{ voidAskedAt: at, voidedAt: at }, 'voided'],
    [{ state: 'failed', voidAskedAt: at }, 'failed'],
    [{ state: 'failed', allowed: 1n }, 'failed'],
    [{ state: 'pending', allowed: 1n }, 'pending'],
    [{ state: 'dropped', voidAskedAt: at }, 'dropped'],
  ] as const)('%o is shown as %s', (more, shown) => {
    expect(shownState({ ...standing, ...more })).toBe(shown);
  });
});

describe('T-EINV: numbers and deadlines', () => {
  test('eight digits with leading zeros', () => expect(einvoiceNumber('AB', 50)).toBe('AB00000050'));
  test('few are left at exactly the percentage, and never of zero', () => {
    expect([runsLow(21, 100, 20), runsLow(20, 100, 20), runsLow(0, 0, 20)]).toEqual([false, true, false]);
  });
  test('unused numbers are gaps and the rest', () => {
    expect(unusedRanges(100, 149, [100, 101, 103, 149])).toEqual([
      { from: 102, to: 102 },
      { from: 104, to: 148 },
    ]);
    expect(unusedRanges(100, 149, [])).toEqual([{ from: 100, to: 149 }]);
    expect(unusedRanges(100, 101, [100, 101])).toEqual([]);
  });
  test('a deadline is hours after the date; pauses between attempts grow to four hours', () => {
    expect(deadlineOf(new Date('2026-10-31T20:00:00Z'), 48)).toEqual(new Date('2026-11-02T20:00:00Z'));
    const gaps = Array.from({ length: 12 }, (_, index) => gapSeconds(index + 1));
    expect(gaps).toEqual(gaps.toSorted((a, b) => a - b));
    expect([gaps[0], gaps.at(-1)]).toEqual([30, 14_400]);
  });
});
