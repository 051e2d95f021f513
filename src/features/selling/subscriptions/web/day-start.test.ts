// A chosen day begins by the clock of the organization's time zone, also when that clock changes.
import { expect, test } from 'vitest';
import type { LocalDay } from '#kernel/shape.ts';
import { addDays, dayPeriod } from '#kernel/time.ts';
import { dayStart } from './day-start.ts';

test.each([
  'Asia/Taipei',
  'America/New_York',
  'Europe/London',
  'Australia/Lord_Howe',
  'UTC',
  'Pacific/Kiritimati',
])('every day of 2026 in %s', (zone) => {
  for (let day = '2026-01-01' as LocalDay; day < '2027-01-01'; day = addDays(day, 1))
    expect(dayStart(day, zone), day).toEqual(dayPeriod(day, zone).start);
});
