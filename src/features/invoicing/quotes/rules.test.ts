// What a quote can contain, its state at a given time, and its number.
import { describe, expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import type { QuoteContent } from './contract-content.ts';
import {
  contentMistakes,
  expiryOf,
  isFinal,
  quoteNumber,
  quoteSeries,
  stateAt,
  validUntilMistake,
} from './rules.ts';

const service = (name: string) => `svc_${name}` as Id<'svc'>;
const name = { zhTW: '名', enUS: 'name' };
const content = (more: Partial<QuoteContent>): QuoteContent => ({
  months: 12,
  items: [{ serviceId: service('a') }],
  oneOffs: [],
  discounts: [],
  grants: [],
  minimumSpend: null,
  ...more,
});
const mistakes = (more: Partial<QuoteContent>) =>
  contentMistakes(content(more), 'TWD').map(({ field, code }) => `${field}: ${code}`);
const twd = (minor: bigint) => money(minor, 'TWD');

describe('T-QUOTE: what a quote can contain', () => {
  it.each<[string, Partial<QuoteContent>, string[]]>([
    ['a service alone', {}, []],
    ['a minimum alone', { items: [], minimumSpend: { amount: twd(1n), months: null } }, []],
    ['credit alone', { items: [], grants: [{ name, amount: twd(1n), months: null }] }, []],
    [
      'not only a discount, which has nothing to reduce',
      { items: [], discounts: [{ name, percent: '5', months: 1 }] },
      ['content.items: quotes.nothing_offered'],
    ],
    ['a percentage with four decimals', { discounts: [{ name, percent: '99.9999', months: null }] }, []],
    [
      'not five',
      { discounts: [{ name, percent: '99.99999', months: null }] },
      ['content.discounts.0.percent: quotes.percent_wrong'],
    ],
    [
      'not zero, and not text',
      {
        discounts: [
          { name, percent: '0', months: 1 },
          { name, percent: '1e1', months: 1 },
        ],
      },
      [
        'content.discounts.0.percent: quotes.percent_wrong',
        'content.discounts.1.percent: quotes.percent_wrong',
      ],
    ],
    [
      'not both a percentage and an amount',
      { discounts: [{ name, percent: '5', fixed: twd(5n), months: 1 }] },
      ['content.discounts.0.percent: quotes.discount_unclear'],
    ],
    [
      'not a maximum for a fixed amount',
      { discounts: [{ name, fixed: twd(5n), maximum: twd(4n), months: 1 }] },
      ['content.discounts.0.maximum: quotes.maximum_of_percent'],
    ],
    [
      'no negative or too large amount',
      {
        grants: [
          { name, amount: twd(-1n), months: 1 },
          { name, amount: twd(10n ** 12n), months: 1 },
        ],
      },
      ['content.grants.0.amount: quotes.amount_wrong', 'content.grants.1.amount: quotes.amount_wrong'],
    ],
    [
      'a quantity with at most six decimals',
      { oneOffs: [{ name, quantity: '0.0000001', unitPrice: '1' }] },
      ['content.oneOffs.0.quantity: quotes.quantity_wrong'],
    ],
    [
      'an amount that can be booked',
      { oneOffs: [{ name, quantity: '1000', unitPrice: '999999999999.999999999999' }] },
      ['content.oneOffs.0.unitPrice: quotes.amount_wrong'],
    ],
    [
      'terms of its own services only',
      {
        oneOffs: [{ name, unitPrice: '1', serviceId: service('b') }],
        discounts: [{ name, percent: '5', months: 1, serviceId: service('b') }],
      },
      [
        'content.oneOffs.0.serviceId: quotes.not_offered',
        'content.discounts.0.serviceId: quotes.not_offered',
      ],
    ],
  ])('%s', (_what, more, expected) => {
    expect(mistakes(more)).toEqual(expected);
  });
});

describe('T-QUOTE: the expiry of a quote', () => {
  const day = (text: string) => text as LocalDay;
  it.each([
    ['2026-10-12', undefined],
    ['2026-10-11', 'quotes.valid_until_past'],
    ['2027-10-13', undefined],
    ['2027-10-14', 'quotes.valid_until_far'],
  ])('%s on 12 October: %s', (validUntil, expected) => {
    expect(validUntilMistake(day(validUntil), day('2026-10-12'))?.code).toBe(expected);
  });

  it('is at the end of the day in the organization’s time zone, also when clocks change on it', () => {
    expect(expiryOf(day('2026-10-15'), 'Asia/Taipei').toISOString()).toBe('2026-10-15T16:00:00.000Z');
    // A day of 25 hours.
    expect(expiryOf(day('2026-11-01'), 'America/New_York').toISOString()).toBe('2026-11-02T05:00:00.000Z');
  });

  it('is exclusive: open in the last millisecond, expired at the end, and final once decided', () => {
    const end = new Date('2026-10-15T16:00:00Z');
    expect(stateAt('sent', end, new Date(end.getTime() - 1))).toBe('sent');
    expect(stateAt('sent', end, end)).toBe('expired');
    for (const state of ['accepted', 'declined', 'withdrawn'] as const) {
      expect(stateAt(state, end, new Date(end.getTime() + 1))).toBe(state);
      expect(isFinal(state)).toBe(true);
    }
    expect(stateAt('draft', null, end)).toBe('draft');
    expect([isFinal('draft'), isFinal('sent')]).toEqual([false, false]);
  });

  it('numbers have a series of the month and at least four digits', () => {
    expect(quoteSeries('2026-11' as BillingMonth)).toBe('Q-202611');
    expect([1, 9999, 10_000].map((each) => quoteNumber('Q-202611', each))).toEqual([
      'Q-202611-0001',
      'Q-202611-9999',
      'Q-202611-10000',
    ]);
  });
});
