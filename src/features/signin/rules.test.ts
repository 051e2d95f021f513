// How long an account waits after failed sign-ins.
import { describe, expect, test } from 'vitest';
import { delayAfterFailures } from './rules.ts';

describe('delays after failed sign-ins (reliability.md, check 10)', () => {
  test.each([[0, 0], [1, 0], [4, 0], [5, 2], [6, 4], [7, 8], [12, 256], [13, 512], [14, 900], [100, 900], [5000, 900]])('after %i failures %i seconds', (failures, seconds) => {
    expect(delayAfterFailures(failures)).toBe(seconds);
  });
  test('never shrink', () => {
    for (let failures = 1; failures < 2000; failures++) expect(delayAfterFailures(failures)).toBeGreaterThanOrEqual(delayAfterFailures(failures - 1));
  });
});
