// The moment at which something on a chosen day begins: pickers choose days, and the server accepts moments.
import type { LocalDay } from '#kernel/shape.ts';
import { dayOf, dayPeriod } from '#kernel/time.ts';

/**
 * The start of the day, or, on the first day of what it belongs to, the same moment as that, which may have
 * begun during the day.
 */
export const beginOn = (day: LocalDay, zone: string, notBefore: Date): Date =>
  dayOf(notBefore, zone) === day ? notBefore : dayPeriod(day, zone).start;
