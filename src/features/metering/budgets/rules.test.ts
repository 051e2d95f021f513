// A budget's thresholds are compared exactly and notified once; without a reliable forecast there is no
// forecast notice.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimal } from '#kernel/decimal.ts';
import {
  inOrder,
  isForeseeable,
  newlyReached,
  nextThreshold,
  percentOf,
  type Figures,
  type BudgetNotice,
} from './rules.ts';

const figures = (
  actual: string,
  expected = actual,
  low = expected,
  high = expected,
  completeDays = 10,
): Figures => ({
  actual: decimal(actual),
  expected: decimal(expected),
  low: decimal(low),
  high: decimal(high),
  completeDays,
});
const amount = decimal('1000');
const words = (notices: readonly BudgetNotice[]): string[] =>
  notices.map(({ kind, threshold }) => `${kind} ${threshold}`);
const usual = [50, 85, 100];

describe('whether a month can be forecast', () => {
  test.each<[string, Figures, boolean]>([
    ['nothing is over yet', figures('100', '100', '100', '100', 0), false],
    ['one day has no range', figures('100', '3000', '3000', '3000', 1), false],
    ['two days with a range', figures('100', '1500', '1200', '1800', 2), true],
    ['the same every day, three days', figures('30', '300', '300', '300', 3), true],
    ['nothing more is expected', figures('100', '100', '100', '100', 20), false],
  ])('%s', (_what, given, is) => {
    expect(isForeseeable(given)).toBe(is);
  });
});

describe('thresholds newly reached', () => {
  test.each<[string, string, string[]]>([
    ['499.999999999999', '0', []],
    ['500', '50', ['actual 50']],
    ['849.99', '50', ['actual 50']],
    ['1000', '100', ['actual 100']],
    ['5000', '500', ['actual 100']],
  ])('%s of 1,000', (spent, _percent, expected) => {
    expect(words(newlyReached(usual, amount, figures(spent), []).notify)).toEqual(expected);
  });
  test('by spending are not forecasts; forecasts are notified separately', () => {
    const { reached, notify } = newlyReached(usual, amount, figures('600', '1100', '900', '1300'), []);
    expect(words(reached)).toEqual(['actual 50', 'forecast 85', 'forecast 100']);
    expect(words(notify)).toEqual(['actual 50', 'forecast 100']);
  });
  test('a threshold added below a notified one is stored as reached, not notified', () => {
    const { reached, notify } = newlyReached([60, 85], amount, figures('900'), [
      { kind: 'actual', threshold: 85 },
    ]);
    expect([words(reached), words(notify)]).toEqual([['actual 60'], []]);
  });
  test('each threshold is notified at most once per kind, in rising order, for any course of a month', () => {
    const course = fc.array(
      fc.tuple(
        fc.integer({ min: 0, max: 2000 }),
        fc.integer({ min: 0, max: 2000 }),
        fc.integer({ min: 0, max: 30 }),
      ),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(
        course,
        fc.uniqueArray(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 5 }),
        (days, given) => {
          const thresholds = inOrder(given);
          const sent: BudgetNotice[] = [];
          const notified: BudgetNotice[] = [];
          for (const [actual, more, completeDays] of days) {
            const { reached, notify } = newlyReached(
              thresholds,
              amount,
              figures(
                String(actual),
                String(actual + more),
                String(actual),
                String(actual + 2 * more),
                completeDays,
              ),
              sent,
            );
            sent.push(...reached);
            notified.push(...notify);
          }
          expect(new Set(words(sent)).size).toBe(sent.length);
          for (const kind of ['actual', 'forecast'] as const) {
            const levels = notified.filter((each) => each.kind === kind).map((each) => each.threshold);
            expect(levels).toEqual(inOrder(levels));
          }
          const highest = Math.max(0, ...days.map(([actual]) => actual / 10));
          expect(notified.filter((each) => each.kind === 'actual').at(-1)?.threshold).toBe(
            thresholds.findLast((each) => each <= highest),
          );
        },
      ),
    );
  });
});

describe('the displayed percentage', () => {
  test('99.99 % is never shown as 100 %', () =>
    expect([
      percentOf(decimal('999.99'), amount),
      percentOf(decimal('-5'), amount),
      percentOf(decimal('2500'), amount),
    ]).toEqual([99.9, -0.5, 250]));
  test('the next threshold', () =>
    expect([
      nextThreshold(usual, decimal('0'), amount),
      nextThreshold(usual, decimal('850'), amount),
      nextThreshold(usual, decimal('1000'), amount),
    ]).toEqual([50, 100, null]));
});
