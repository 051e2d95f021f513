// Billing months for choosing one: which month it is now, and the months before it.
import type { BillingMonth } from '#kernel/shape.ts';
import { nowMs } from './clock.ts';
import { formatOf } from './format.ts';

/** The month it is now in a time zone (IANA name). */
export function monthNow(timeZone: string): BillingMonth {
  // English tables write days as 2026-11-20.
  return formatOf('enUS', timeZone).dateTable(new Date(nowMs())).slice(0, 7) as BillingMonth;
}

/** The month `count` months later; earlier when negative. */
export function monthsLater(month: BillingMonth, count: number): BillingMonth {
  const index = Number.parseInt(month.slice(0, 4), 10) * 12 + Number.parseInt(month.slice(5), 10) - 1 + count;
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}` as BillingMonth;
}

/** `count` months, the latest first. */
export function monthsBack(latest: BillingMonth, count: number): readonly BillingMonth[] {
  return Array.from({ length: count }, (_, index) => monthsLater(latest, -index));
}
