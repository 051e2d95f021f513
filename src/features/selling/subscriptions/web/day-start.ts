// The moment at which a day begins in a time zone, because pickers choose days and the server takes moments.
import { formatOf } from '#platform/web/format/format.ts';

// Zones lie between UTC−12 and UTC+14.
const widestMs = 15 * 3_600_000;

/** The first moment at which a zone's calendar shows a day ('YYYY-MM-DD'), however its clock is set on the way. */
export function dayStart(day: string, zone: string): Date {
  // English tables write days as 2026-11-20.
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
 * The moment at which something begins on a chosen day: with the day, or on the first day of what it belongs to with that one, which began
 * in the course of the day.
 */
export function beginOn(day: string, zone: string, notBefore: Date): Date {
  const start = dayStart(day, zone);
  return formatOf('enUS', zone).dateTable(notBefore) === day ? notBefore : start;
}
