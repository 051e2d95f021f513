// Months and days for pickers, in whole numbers: no time zone, no clock, no library.

/** 'YYYY-MM' plus some months: ('2026-01', -1) is '2025-12'. */
export function shiftMonth(month: string, count: number): string {
  const index = Number.parseInt(month.slice(0, 4), 10) * 12 + Number.parseInt(month.slice(5, 7), 10) - 1 + count;
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${pad((index % 12) + 1)}`;
}

/** 'YYYY-MM-DD' plus some days. */
export function shiftDay(day: string, count: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + count);
  return at.toISOString().slice(0, 10);
}

/** The first and the last day of a month. */
export function daysOf(month: string): { first: string; last: string } {
  return { first: `${month}-01`, last: shiftDay(`${shiftMonth(month, 1)}-01`, -1) };
}

/** The same day some months later, or the last of that month when it has no such day. */
export function shiftDayByMonths(day: string, count: number): string {
  const month = shiftMonth(day.slice(0, 7), count);
  const { last } = daysOf(month);
  const same = `${month}${day.slice(7)}`;
  return same > last ? last : same;
}

/** The moment at which a day begins in a zone; where the clocks jump over midnight, the first one there is. */
export function startOfDay(day: string, zone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
  // A day begins at a full minute of some hour within a day and a bit of Greenwich's: halve until that minute is found.
  let [before, within] = [midnight - 26 * hourMs, midnight + 26 * hourMs];
  while (within - before > minuteMs) {
    const middle = before + Math.floor((within - before) / 2 / minuteMs) * minuteMs;
    if (format.format(middle) < day) before = middle;
    else within = middle;
  }
  return new Date(within);
}
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

export type RangeProblem = 'range.start_after_end' | 'range.end_before_start' | 'range.too_long';

/**
 * R-USE-05: start not after end, end not before start, at most three months. `touched` says which end was changed
 * last, so that the sentence is about that one. Undefined when the range is fine or not complete yet.
 */
export function rangeProblem(from: string, to: string, touched: 'from' | 'to'): RangeProblem | undefined {
  if (from === '' || to === '') return undefined;
  if (from > to) return touched === 'from' ? 'range.start_after_end' : 'range.end_before_start';
  return to > shiftDayByMonths(from, 3) ? 'range.too_long' : undefined;
}

const pad = (value: number): string => String(value).padStart(2, '0');
