// Billing months for choosing one: which month it is now, and the months before it.
import type { BillingMonth } from '#kernel/shape.ts';
import { shiftMonth } from './calendar.ts';
import { nowMs } from './clock.ts';
import { formatOf } from './format.ts';

/** The month it is now in a time zone (IANA name). */
export function monthNow(timeZone: string): BillingMonth {
  // English tables write days as 2026-11-20.
  return formatOf('enUS', timeZone).dateTable(new Date(nowMs())).slice(0, 7) as BillingMonth;
}

/** The month `count` months later; earlier when negative. */
export function monthsLater(month: BillingMonth, count: number): BillingMonth {
  return shiftMonth(month, count) as BillingMonth;
}

/** `count` months, the latest first. */
export function monthsBack(latest: BillingMonth, count: number): readonly BillingMonth[] {
  return Array.from({ length: count }, (_, index) => monthsLater(latest, -index));
}
