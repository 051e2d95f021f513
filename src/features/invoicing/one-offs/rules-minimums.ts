// Rules of the minimum monthly spend: its months, and how they may be changed.
import type { Id } from '#kernel/ids.ts';
import type { Money } from '#kernel/money.ts';
import { addMonths } from '#kernel/time.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { MinimumState } from './contract-minimums.ts';

/** What an organization agreed to spend in a month, before tax. */
export type MinimumSpendInForce = { readonly id: Id<'msp'>; readonly amount: Money };

/**
 * Whole months; `toMonth` is the last one, null without an end, and before `fromMonth` if it never applies.
 */
export type Months = { readonly fromMonth: BillingMonth; readonly toMonth: BillingMonth | null };

/** Returns the state of a minimum in an organization's current month. */
export function minimumState({ fromMonth, toMonth }: Months, current: BillingMonth): MinimumState {
  if (toMonth !== null && toMonth < fromMonth) return 'cancelled';
  if (toMonth !== null && toMonth < current) return 'ended';
  return fromMonth > current ? 'upcoming' : 'running';
}

/** Whether two overlap in a month; one that never applies overlaps with none. */
export const overlap = (a: Months, b: Months): boolean =>
  [a, b].every((each) => each.toMonth === null || each.toMonth >= each.fromMonth) &&
  (a.toMonth === null || b.fromMonth <= a.toMonth) &&
  (b.toMonth === null || a.fromMonth <= b.toMonth);

export type MonthMistake = {
  readonly code: 'oneoffs.month_over' | 'oneoffs.month_order' | 'oneoffs.ends_earlier';
  readonly field: 'fromMonth' | 'toMonth' | 'lastMonth';
  /** The first or last allowed month. */
  readonly month: BillingMonth;
};

/**
 * Why the months of a new minimum are invalid: months before the current one may already be billed, and a
 * billed month never changes (domain.md, "Closing a month").
 */
export function newMonthsMistake(
  { fromMonth, toMonth }: Months,
  current: BillingMonth,
): MonthMistake | undefined {
  if (fromMonth < current) return { code: 'oneoffs.month_over', field: 'fromMonth', month: current };
  if (toMonth !== null && toMonth < fromMonth)
    return { code: 'oneoffs.month_order', field: 'toMonth', month: fromMonth };
  return undefined;
}

/**
 * Why a new last month is invalid: it may only change months from the current one on, must not be earlier
 * than the month before the first one, and may only make the minimum end earlier.
 */
export function lastMonthMistake(
  { fromMonth, toMonth }: Months,
  lastMonth: BillingMonth,
  current: BillingMonth,
): MonthMistake | undefined {
  if (toMonth !== null && lastMonth >= toMonth)
    return { code: 'oneoffs.ends_earlier', field: 'lastMonth', month: toMonth };
  const earliest = addMonths(fromMonth > current ? fromMonth : current, -1);
  if (lastMonth < earliest) return { code: 'oneoffs.month_over', field: 'lastMonth', month: earliest };
  return undefined;
}
