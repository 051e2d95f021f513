// The time at which a day starts in a time zone, because pickers choose days and the server accepts times.
import { formatOf } from '#platform/web/format/format.ts';

// Time zones are between UTC−12 and UTC+14.
const widestMs = 15 * 3_600_000;

/**
 * The first moment at which a time zone's calendar shows a day ('YYYY-MM-DD'), regardless of clock changes.
 */
export function dayStart(day: string, zone: string): Date {
  // English tables format days as 2026-11-20.
  const { dateTable } = formatOf('enUS', zone);
  const utc = Date.parse(`${day}T00:00:00Z`);
  let [before, from] = [utc - widestMs, utc + widestMs];
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (dateTable(new Date(middle)) >= day) from = middle;
    else before = middle;
  }
  return new Date(from);
}

/**
 * When something that starts on a chosen day begins: at the start of the day, or, on the first day of what it
 * belongs to, at the same time as that, which may have started during the day.
 */
export function beginOn(day: string, zone: string, notBefore: Date): Date {
  const start = dayStart(day, zone);
  return formatOf('enUS', zone).dateTable(notBefore) === day ? notBefore : start;
}
