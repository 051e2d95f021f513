// Users are notified of a quota exactly at its thresholds, once, with the day on which it runs out
// (R-USE-04).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimal, zero } from '#kernel/decimal.ts';
import { decimalTexts } from '#tests/support/arbitraries.ts';
import { quotaStatuses, type QuotaStatus } from './contract.ts';
import {
  crossing,
  allows,
  initialThresholds,
  percentUsed,
  raisedQuota,
  remainingOf,
  runsOutInDays,
  statusOf,
  suggestedLimit,
  nextNotice,
  type LastNotice,
} from './rules.ts';

const status = (used: string, limit: string): QuotaStatus =>
  statusOf(decimal(used), decimal(limit), initialThresholds);
const used = decimalTexts(0n, 10n ** 15n);
const limits = decimalTexts(0n, 10n ** 15n).filter((text) => decimal(text).gt(zero));

describe('R-USE-04: Normal below 85 %, Warning from 85 %, Critical from 95 %', () => {
  test.each<[string, string, QuotaStatus]>([
    ['0', '100', 'Normal'],
    ['84.999999999999', '100', 'Normal'],
    ['85', '100', 'Warning'],
    ['94.999999999999', '100', 'Warning'],
    ['95', '100', 'Critical'],
    ['100', '100', 'Critical'],
    ['1000', '100', 'Critical'],
    ['-5', '100', 'Normal'],
    ['850000000000000', '1000000000000000', 'Warning'],
    ['849999999999999.999999999999', '1000000000000000', 'Normal'],
    ['949999999999999.999999999999', '1000000000000000', 'Warning'],
    ['950000000000000', '1000000000000000', 'Critical'],
    ['2.55', '3', 'Warning'],
    ['2.549999999999', '3', 'Normal'],
    ['0.00000000085', '0.000000001', 'Warning'],
  ])('%s of %s is %s', (amount, limit, is) => {
    expect(status(amount, limit)).toBe(is);
  });
  test('thresholds are configurable, with or without decimals', () => {
    const own = { warningPercent: 50.5, criticalPercent: 80 };
    expect(
      ['50.4', '50.5', '79.9', '80'].map((amount) => statusOf(decimal(amount), decimal('100'), own)),
    ).toEqual(['Normal', 'Warning', 'Warning', 'Critical']);
  });
  test('more usage never lowers the status', () => {
    fc.assert(
      fc.property(used, used, limits, (a, b, limit) => {
        const [less, more] = decimal(a).lte(b) ? [a, b] : [b, a];
        expect(quotaStatuses.indexOf(status(less, limit))).toBeLessThanOrEqual(
          quotaStatuses.indexOf(status(more, limit)),
        );
      }),
    );
  });
  test('the displayed percentage never exceeds the status', () => {
    fc.assert(
      fc.property(used, limits, (amount, limit) => {
        const percent = percentUsed(decimal(amount), decimal(limit));
        expect(percent >= 95).toBe(status(amount, limit) === 'Critical');
        expect(percent >= 85).toBe(status(amount, limit) !== 'Normal');
      }),
    );
  });
  test.each([
    ['94.99', '100', 94.9],
    ['949999999999999.999999999999', '1000000000000000', 94.9],
    ['1', '3', 33.3],
    ['2', '3', 66.6],
    ['0', '7', 0],
    ['250', '100', 250],
    ['-1', '3', -33.3],
    ['99.99999', '100', 99.9],
  ])('%s of %s is shown as %f %%', (amount, limit, percent) => {
    expect(percentUsed(decimal(amount), decimal(limit))).toBe(percent);
  });
});

describe('R-USE-04: crossing a threshold notifies once', () => {
  test.each<[QuotaStatus, QuotaStatus, QuotaStatus | undefined]>([
    ['Normal', 'Normal', undefined],
    ['Normal', 'Warning', 'Warning'],
    ['Normal', 'Critical', 'Critical'],
    ['Warning', 'Warning', undefined],
    ['Warning', 'Critical', 'Critical'],
    ['Warning', 'Normal', undefined],
    ['Critical', 'Critical', undefined],
    ['Critical', 'Warning', undefined],
    ['Critical', 'Normal', undefined],
  ])('notified %s, now %s: %s', (announced, current, expected) => {
    expect(crossing(announced, current)).toBe(expected);
  });
  test('within a period each status is notified at most once, including the highest', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...quotaStatuses), { maxLength: 30 }), (statuses) => {
        const notified: QuotaStatus[] = [];
        let announced: QuotaStatus = 'Normal';
        for (const current of statuses) {
          const crossed = crossing(announced, current);
          if (!crossed) continue;
          notified.push(crossed);
          announced = crossed;
        }
        expect(new Set(notified).size).toBe(notified.length);
        expect(notified).toEqual(
          notified.toSorted((a, b) => quotaStatuses.indexOf(a) - quotaStatuses.indexOf(b)),
        );
        for (const worst of ['Critical', 'Warning'] as const) {
          if (statuses.includes(worst))
            expect(notified.at(-1)).toBe(statuses.includes('Critical') ? 'Critical' : 'Warning');
        }
      }),
    );
  });
});

describe('the day on which the limit is reached at the current rate', () => {
  test.each<[string, string, string, number, number, number | undefined]>([
    ['half in ten days', '50', '100', 10, 20, 10],
    ['on the last day', '50', '100', 10, 10, 10],
    ['a day after the reset', '50', '100', 10, 9, undefined],
    ['a partial day counts as a day', '60', '100', 10, 20, 7],
    ['slightly more than five days', '66.666666666666', '100', 10, 20, 6],
    ['exactly five days', '66.666666666667', '100', 10, 20, 5],
    ['used up', '100', '100', 3, 20, 0],
    ['used up and more', '150', '100', 3, 20, 0],
    ['nothing used', '0', '100', 10, 20, undefined],
    ['corrections outweigh', '-1', '100', 10, 20, undefined],
    ['no day has passed', '5', '100', 0, 20, undefined],
    ['the last day of the period, not used up', '99', '100', 30, 0, undefined],
    ['little usage of a huge limit', '0.000000000001', '1000000000000000', 1, 30, undefined],
  ])('%s', (_what, amount, limit, elapsed, left, days) => {
    expect(runsOutInDays(decimal(amount), decimal(limit), elapsed, left)).toBe(days);
  });
  test('the limit lasts until the day before, and no longer', () => {
    fc.assert(
      fc.property(
        used.filter((text) => decimal(text).gt(zero)),
        limits,
        fc.integer({ min: 1, max: 31 }),
        fc.integer({ min: 0, max: 31 }),
        (amount, limit, elapsed, left) => {
          const days = runsOutInDays(decimal(amount), decimal(limit), elapsed, left);
          // After n more days: used × (elapsed + n) / elapsed; compared without dividing.
          const reaches = (more: number): boolean =>
            decimal(amount)
              .times(decimal(BigInt(elapsed + more)))
              .gte(decimal(limit).times(decimal(BigInt(elapsed))));
          if (days === undefined) expect(reaches(left)).toBe(false);
          else {
            expect(reaches(days)).toBe(true);
            expect(days === 0 || !reaches(days - 1)).toBe(true);
          }
        },
      ),
    );
  });
});

describe('the remainder of a limit', () => {
  const taken = (amount: string, reserved = '0') => ({ used: decimal(amount), reserved: decimal(reserved) });
  const hard = { type: 'hard', limit: '10' } as const;
  test('is exact to the last digit', () => {
    expect(allows(hard, taken('3', '6.999999999999'), decimal('0.000000000001'))).toBe(true);
    expect(allows(hard, taken('3', '7'), decimal('0.000000000001'))).toBe(false);
    expect(remainingOf(hard, taken('3', '6.5'))?.toFixed()).toBe('0.5');
    expect(remainingOf(hard, taken('30'))?.toFixed()).toBe('0');
    // Usage canceled by corrections can be used again.
    expect(remainingOf(hard, taken('-5'))?.toFixed()).toBe('15');
  });
  test('a soft limit never rejects, and without a limit there is no remainder', () => {
    expect(allows({ type: 'soft', limit: '10' }, taken('100'), decimal('1'))).toBe(true);
    expect(allows({ type: 'unlimited' }, taken('100'), decimal('1'))).toBe(true);
    expect(remainingOf({ type: 'unlimited' }, taken('1'))).toBeNull();
  });
  test.each([
    [null, '10'],
    ['5', '10'],
    ['10', '10'],
    ['12.50', '12.5'],
  ])('with %s granted it is %s', (granted, limit) => {
    expect(raisedQuota(hard, granted)).toEqual({ type: 'hard', limit });
    expect(raisedQuota({ type: 'unlimited' }, granted)).toEqual({ type: 'unlimited' });
  });
});

describe('R-USE-04: notifications of a period', () => {
  /** The notifications for a sequence of statuses; `+` raises the limit before the next one. */
  const course = (...statuses: (QuotaStatus | '+')[]): string[] => {
    let last: LastNotice | undefined;
    let limit = 100n;
    const words: string[] = [];
    for (const each of statuses) {
      if (each === '+') {
        limit += 100n;
        continue;
      }
      const { notify, store } = nextNotice(last, each, decimal(limit));
      if (notify) words.push(notify === 'Normal' ? 'recovered' : notify);
      last = store ?? last;
    }
    return words;
  };
  test.each<[string, (QuotaStatus | '+')[], string[]]>([
    ['nothing while normal', ['Normal', 'Normal', '+', 'Normal'], []],
    ['one recovery', ['Warning', 'Normal', 'Normal', 'Warning', 'Normal'], ['Warning', 'recovered']],
    [
      'a worse one after the recovery, and no second recovery',
      ['Warning', 'Normal', 'Critical', 'Normal'],
      ['Warning', 'recovered', 'Critical'],
    ],
    ['warning is not normal', ['Critical', 'Warning', 'Normal'], ['Critical', 'recovered']],
    [
      'a higher limit starts again once usage is normal',
      ['Critical', '+', 'Normal', 'Warning', 'Critical', 'Normal'],
      ['Critical', 'recovered', 'Warning', 'Critical', 'recovered'],
    ],
    [
      'a higher limit that is also near sends nothing milder',
      ['Critical', '+', 'Warning', 'Normal'],
      ['Critical', 'recovered'],
    ],
    [
      'a limit that changes after the recovery starts again',
      ['Warning', 'Normal', '+', 'Normal', 'Warning'],
      ['Warning', 'recovered', 'Warning'],
    ],
    [
      'also if it is near at once',
      ['Warning', 'Normal', '+', 'Warning'],
      ['Warning', 'recovered', 'Warning'],
    ],
  ])('%s', (_what, statuses, words) => {
    expect(course(...statuses)).toEqual(words);
  });
  test('with one limit each is sent at most once, and a recovery only after a worse status', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...quotaStatuses), { maxLength: 30 }), (statuses) => {
        const words = course(...statuses);
        expect(new Set(words).size).toBe(words.length);
        expect(words[0]).not.toBe('recovered');
        const worst = statuses.some((each) => each !== 'Normal');
        expect(words.includes('recovered')).toBe(
          worst && statuses.lastIndexOf('Normal') > statuses.findIndex((each) => each !== 'Normal'),
        );
      }),
    );
  });
});

test.each([
  ['0', '100', '150'],
  ['96', '100', '150'],
  ['300', '100', '450'],
  ['0', '777', '1200'],
  ['0', '0.05', '0.075'],
  ['1234567', '1000000', '1900000'],
  ['-5', '1', '1.5'],
])('with %s used of %s a limit of %s is suggested', (amount, limit, suggested) => {
  expect(suggestedLimit(decimal(amount), decimal(limit)).toFixed()).toBe(suggested);
});
