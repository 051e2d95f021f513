// Rules of budgets: the spent share, whether a forecast is possible, and which notices are due.
import { decimal, truncateDivide, type Decimal } from '#kernel/decimal.ts';
import type { BudgetKind } from './contract.ts';

/** The cost of a month so far and its forecast; `completeDays` are the days that are over. */
export type Figures = {
  readonly actual: Decimal;
  readonly expected: Decimal;
  readonly low: Decimal;
  readonly high: Decimal;
  readonly completeDays: number;
};

/**
 * After this many days, spending that is the same every day has a reliable forecast, although its range is
 * empty.
 */
const steadyAfterDays = 3;

/**
 * Whether a forecast is possible: in the first days there is no range, and the expected cost equals the
 * actual cost.
 */
export function isForeseeable({ actual, expected, low, high, completeDays }: Figures): boolean {
  return !low.eq(high) || (completeDays >= steadyAfterDays && !expected.eq(actual));
}

/** A share of a budget in percent, truncated to one fraction digit: 99.99 % is never shown as 100 %. */
export function percentOf(part: Decimal, amount: Decimal): number {
  return Number(truncateDivide(part.times('1000'), amount)) / 10;
}

/** Whether a share of a budget reaches a threshold in percent, compared exactly. */
export const reaches = (part: Decimal, amount: Decimal, threshold: number): boolean =>
  part.times('100').gte(amount.times(decimal(String(threshold))));

/** Thresholds as they are stored: without duplicates, ascending. */
export const inOrder = (thresholds: readonly number[]): number[] =>
  [...new Set(thresholds)].toSorted((a, b) => a - b);

/** Returns the first threshold that is not reached yet. */
export const nextThreshold = (
  thresholds: readonly number[],
  actual: Decimal,
  amount: Decimal,
): number | null => thresholds.find((each) => !reaches(actual, amount, each)) ?? null;

export type BudgetNotice = { readonly kind: BudgetKind; readonly threshold: number };

/**
 * Returns the thresholds that a month's figures newly reached. `reached` is stored, so that each threshold is
 * notified once per month and kind. Of several reached at once, only the highest is in `notify`, and a lower
 * one never follows a higher one. A threshold that actual spending has reached gets no forecast notice.
 */
export function newlyReached(
  thresholds: readonly number[],
  amount: Decimal,
  figures: Figures,
  reachedBefore: readonly BudgetNotice[],
): { readonly reached: BudgetNotice[]; readonly notify: BudgetNotice[] } {
  const spent = thresholds.filter((each) => reaches(figures.actual, amount, each));
  const expected = isForeseeable(figures)
    ? thresholds.filter((each) => !spent.includes(each) && reaches(figures.expected, amount, each))
    : [];
  const all = (
    [
      ['actual', spent],
      ['forecast', expected],
    ] as const
  ).map(([kind, reached]) => {
    const known = reachedBefore.filter((each) => each.kind === kind).map((each) => each.threshold);
    const fresh = reached
      .filter((each) => !known.includes(each))
      .map((threshold): BudgetNotice => ({ kind, threshold }));
    const highest = fresh.at(-1);
    return { reached: fresh, notify: highest && highest.threshold > Math.max(0, ...known) ? [highest] : [] };
  });
  return { reached: all.flatMap((each) => each.reached), notify: all.flatMap((each) => each.notify) };
}
