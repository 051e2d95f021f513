import { expect, test } from 'vitest';
import type { LocalDay } from '#kernel/shape.ts';
import { beginOn } from './begin-on.ts';

test.each([
  ['2026-03-05', '2026-03-05T04:30:00Z'],
  ['2026-03-06', '2026-03-05T16:00:00Z'],
  ['2026-03-04', '2026-03-03T16:00:00Z'],
])('a subscription’s first day starts with the subscription, any other one at midnight: %s', (day, at) => {
  const began = new Date('2026-03-05T04:30:00Z');
  expect(beginOn(day as LocalDay, 'Asia/Taipei', began)).toEqual(new Date(at));
});
