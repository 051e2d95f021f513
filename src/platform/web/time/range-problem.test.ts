import { expect, test } from 'vitest';
import { rangeProblem } from './range-problem.ts';

test.each<[string, string, 'from' | 'to', string | undefined]>([
  ['2026-08-01', '2026-10-31', 'to', undefined],
  ['2026-10-31', '2026-10-31', 'to', undefined],
  ['2026-11-01', '2026-10-31', 'from', 'range.start_after_end'],
  ['2026-11-01', '2026-10-31', 'to', 'range.end_before_start'],
  ['2026-08-01', '2026-11-01', 'to', undefined],
  ['2026-08-01', '2026-11-02', 'to', 'range.too_long'],
  ['2026-11-30', '2027-02-28', 'to', undefined],
  ['2026-11-30', '2027-03-01', 'to', 'range.too_long'],
  ['', '2027-03-01', 'to', undefined],
])('R-USE-05: %s to %s (%s changed): %s', (from, to, changed, expected) => {
  expect(rangeProblem(from, to, changed)).toBe(expected);
});
