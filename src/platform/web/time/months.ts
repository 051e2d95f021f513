// Billing months for pickers: the current day and month, and the months before it.
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { shiftMonth } from './calendar.ts';
import { nowMs } from './clock.ts';
import { formatOf } from '../format/format.ts';

/** The current day in a time zone (IANA name). */
export function dayNow(timeZone: string): LocalDay {
  // dateTable writes English days as 2026-11-20.
  return formatOf('enUS', timeZone).dateTable(new Date(nowMs())) as LocalDay;
}

/** The current month in a time zone (IANA name). */
export function monthNow(timeZone: string): BillingMonth {
  return dayNow(timeZone).slice(0, 7) as BillingMonth;
}

/** The month `count` months later; earlier when negative. */
export function monthsLater(month: BillingMonth, count: number): BillingMonth {
  return shiftMonth(month, count) as BillingMonth;
}

/** `count` months, the latest first. */
export function monthsBack(latest: BillingMonth, count: number): readonly BillingMonth[] {
  return Array.from({ length: count }, (_, index) => monthsLater(latest, -index));
}
