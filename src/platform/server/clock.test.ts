import { expect, test } from 'vitest';
import { movableClock, systemClock } from './clock.ts';

test('the movable clock stands still, jumps and advances, and returns times that cannot change it', () => {
  const clock = movableClock(new Date('2026-01-31T16:00:00Z'));
  clock.now().setFullYear(1999);
  expect(clock.now()).toEqual(new Date('2026-01-31T16:00:00Z'));
  clock.advance(24 * 60 * 60 * 1000);
  expect(clock.now()).toEqual(new Date('2026-02-01T16:00:00Z'));
  clock.set(new Date('2025-12-31T00:00:00Z'));
  expect(clock.now()).toEqual(new Date('2025-12-31T00:00:00Z'));
});

test('the system clock is between two reads of the machine’s', () => {
  const before = Date.now();
  const now = systemClock().now().getTime();
  expect(now).toBeGreaterThanOrEqual(before);
  expect(now).toBeLessThanOrEqual(Date.now());
});
