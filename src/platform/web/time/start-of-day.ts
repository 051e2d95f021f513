// Finds when a day begins in a time zone, without a time zone library.
import { momentFormat } from '#kernel/format-date.ts';
import { hourMs, minuteMs } from '#kernel/durations.ts';

/**
 * The moment at which a day begins in a zone; if a DST change skips midnight, the first moment of the day.
 */
export function startOfDay(day: string, zone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const { dateTable } = momentFormat('enUS', zone);
  // Zones differ from UTC by at most about a day, so the moment lies within 26 hours; a binary search finds
  // its minute.
  let [before, within] = [midnight - 26 * hourMs, midnight + 26 * hourMs];
  while (within - before > minuteMs) {
    const middle = before + Math.floor((within - before) / 2 / minuteMs) * minuteMs;
    if (dateTable(new Date(middle)) < day) before = middle;
    else within = middle;
  }
  return new Date(within);
}
