// A selected day starts in the organization’s time zone, even when clocks change.
import { expect, test } from 'vitest';
import type { LocalDay } from '#kernel/shape.ts';
import { addDays, dayPeriod } from '#kernel/time.ts';
import { beginOn, dayStart } from './day-start.ts';

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

test('a subscription’s first day starts with the subscription, any other one at midnight', () => {
  const began = new Date('2026-03-05T04:30:00Z');
  expect(beginOn('2026-03-05', 'Asia/Taipei', began)).toEqual(began);
  expect(beginOn('2026-03-06', 'Asia/Taipei', began)).toEqual(new Date('2026-03-05T16:00:00Z'));
  expect(beginOn('2026-03-04', 'Asia/Taipei', began)).toEqual(new Date('2026-03-03T16:00:00Z'));
});
