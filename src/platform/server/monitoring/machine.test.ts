import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { coresOf, cpuMeter, disk, memory } from './machine.ts';

describe('R-ADM-01 the machine’s figures', () => {
  it.each([
    ['150000 100000', 1.5],
    ['50000 100000', 0.5],
    ['max 100000', undefined],
    ['', undefined],
  ])('include a container’s limit %j', (text, cores) => expect(coresOf(text)).toBe(cores));
  it('are shares of what is available', async () => {
    const cpu = cpuMeter();
    const began = performance.now();
    // Works for some ticks, so that there is a difference between two readings.
    while (performance.now() - began < 60) Math.sqrt(began);
    for (const { percent, used, total } of [cpu(), await memory(), await disk(tmpdir())]) {
      expect(percent >= 0 && percent <= 100 && used >= 0 && used <= total && total > 0).toBe(true);
    }
  });
});
