// Billing months for choosing one: which day and month it is now, and the months before it.
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { shiftMonth } from './calendar.ts';
import { nowMs } from './clock.ts';
import { formatOf } from '../format/format.ts';

/** The day it is now in a time zone (IANA name). */
export function dayNow(timeZone: string): LocalDay {
  // English tables write days as 2026-11-20.
  return formatOf('enUS', timeZone).dateTable(new Date(nowMs())) as LocalDay;
}

/** The month it is now in a time zone (IANA name). */
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
