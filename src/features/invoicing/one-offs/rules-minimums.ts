// Rules of the minimum monthly spend: its months, and how they may be changed.
import type { Id } from '#kernel/ids.ts';
import type { Money } from '#kernel/money.ts';
import { daysInMonth, addMonths } from '#kernel/time.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import type { MinimumState } from './contract-minimums.ts';

/** What an organization agreed to spend in a month, before tax. */
export type MinimumSpendInForce = { readonly id: Id<'msp'>; readonly amount: Money };

/** Whole months; `toMonth` is the last one, null without an end, and before `fromMonth` when it never counts. */
export type Months = { readonly fromMonth: BillingMonth; readonly toMonth: BillingMonth | null };

/** Where a minimum stands in an organization's current month. */
export function minimumState({ fromMonth, toMonth }: Months, current: BillingMonth): MinimumState {
  if (toMonth !== null && toMonth < fromMonth) return 'cancelled';
  if (toMonth !== null && toMonth < current) return 'ended';
  return fromMonth > current ? 'upcoming' : 'running';
}

/** Whether two have a month in common; one that never counts has none. */
export const overlap = (a: Months, b: Months): boolean =>
  [a, b].every((each) => each.toMonth === null || each.toMonth >= each.fromMonth) &&
  (a.toMonth === null || b.fromMonth <= a.toMonth) &&
  (b.toMonth === null || a.fromMonth <= b.toMonth);

export type MonthMistake = {
  readonly code: 'oneoffs.month_over' | 'oneoffs.month_order' | 'oneoffs.ends_earlier';
  readonly field: 'fromMonth' | 'toMonth' | 'lastMonth';
  /** The first or last month that is possible. */
  readonly month: BillingMonth;
};

/**
 * What is wrong with the months of a new minimum: months before the current one may be billed already, and a
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
 * What is wrong with another last month: it changes months from the current one on alone, does not go before
 * the month ahead of the first one, and only ever makes the minimum end earlier.
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

/** The last day of a month. */
export const lastDayOf = (month: BillingMonth): LocalDay => `${month}-${daysInMonth(month)}` as LocalDay;
