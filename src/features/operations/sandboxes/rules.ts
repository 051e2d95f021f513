// Rules for when a sandbox can start, and how far its clock can move.
import { addDays, dayOf, momentAt, monthsAfter } from '#kernel/time.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { dayMs } from '#kernel/durations.ts';
import { maxMoveMonths } from './contract.ts';

const earliest = new Date('2020-01-01T00:00:00Z');
const yearsAhead = 5;

/** Whether a sandbox can start at a moment: from 2020 until five years from now. */
export function isStart(at: Date, now: Date): boolean {
  return at >= earliest && at.getTime() <= now.getTime() + yearsAhead * 366 * dayMs;
}

/** The same time on another day, in a time zone. */
function onDay(at: Date, day: LocalDay, zone: string): Date {
  const sinceMidnight = at.getTime() - momentAt(dayOf(at, zone), '00:00', zone).getTime();
  return new Date(momentAt(day, '00:00', zone).getTime() + sinceMidnight);
}

/** The same day of a later month, at the same time; the last day of a shorter month. */
export function monthsLater(at: Date, months: number, zone: string): Date {
  return onDay(at, monthsAfter(dayOf(at, zone), months), zone);
}

/** When the next day begins in a time zone. */
export function nextMidnight(at: Date, zone: string): Date {
  return momentAt(addDays(dayOf(at, zone), 1), '00:00', zone);
}

export type Wanted = {
  readonly to?: Date | undefined;
  readonly days?: number | undefined;
  readonly months?: number | undefined;
};

/** The target of a clock move, or what is wrong with the request. `zone` is the sandbox's time zone. */
export function targetOf(
  clockAt: Date,
  { to, days, months }: Wanted,
  zone: string,
): Date | 'one' | 'back' | 'far' {
  if ([to, days, months].filter((each) => each !== undefined).length !== 1) return 'one';
  const target =
    to ??
    (months === undefined
      ? onDay(clockAt, addDays(dayOf(clockAt, zone), days ?? 0), zone)
      : monthsLater(clockAt, months, zone));
  if (target <= clockAt) return 'back';
  return target > monthsLater(clockAt, maxMoveMonths, zone) ? 'far' : target;
}
