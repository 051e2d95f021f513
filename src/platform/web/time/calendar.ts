// Months and days for pickers, with integer arithmetic: no time zone, clock or library.

/** Adds months to 'YYYY-MM': ('2026-01', -1) is '2025-12'. */
export function shiftMonth(month: string, count: number): string {
  const index =
    Number.parseInt(month.slice(0, 4), 10) * 12 + Number.parseInt(month.slice(5, 7), 10) - 1 + count;
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${pad((index % 12) + 1)}`;
}

/** Adds days to 'YYYY-MM-DD'. */
export function shiftDay(day: string, count: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + count);
  return at.toISOString().slice(0, 10);
}

/** The first and the last day of a month. */
export function daysOf(month: string): { first: string; last: string } {
  return { first: `${month}-01`, last: shiftDay(`${shiftMonth(month, 1)}-01`, -1) };
}

/** The same day some months later, or the last day of that month if it is shorter. */
export function shiftDayByMonths(day: string, count: number): string {
  const month = shiftMonth(day.slice(0, 7), count);
  const { last } = daysOf(month);
  const sameDay = `${month}${day.slice(7)}`;
  return sameDay > last ? last : sameDay;
}

export type RangeProblem = 'range.start_after_end' | 'range.end_before_start' | 'range.too_long';

/**
 * R-USE-05: start not after end, end not before start, at most three months. `changed` is the end of the
 * range that the user changed last, which the message names. Undefined when the range is valid or incomplete.
 */
export function rangeProblem(from: string, to: string, changed: 'from' | 'to'): RangeProblem | undefined {
  if (from === '' || to === '') return undefined;
  if (from > to) return changed === 'from' ? 'range.start_after_end' : 'range.end_before_start';
  return to > shiftDayByMonths(from, 3) ? 'range.too_long' : undefined;
}

const pad = (value: number): string => String(value).padStart(2, '0');
