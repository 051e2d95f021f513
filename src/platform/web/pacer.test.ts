import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPacer } from './pacer.ts';

describe('pacer', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('turns a storm of 1,000 messages in a second into two or three runs, the last one after the last message', () => {
    const run = vi.fn<() => void>();
    const pacer = createPacer(run, 500);
    for (let message = 0; message < 1000; message++) {
      pacer.ask();
      vi.advanceTimersByTime(1);
    }
    vi.advanceTimersByTime(500);
    expect(run).toHaveBeenCalledTimes(3);
    vi.advanceTimersByTime(5000);
    expect(run).toHaveBeenCalledTimes(3);
  });

  it('runs at once after a rest, and not after it was stopped', () => {
    const run = vi.fn<() => void>();
    const pacer = createPacer(run, 500);
    pacer.ask();
    vi.advanceTimersByTime(600);
    pacer.ask();
    expect(run).toHaveBeenCalledTimes(2);
    pacer.ask();
    pacer.stop();
    vi.advanceTimersByTime(5000);
    expect(run).toHaveBeenCalledTimes(2);
  });
});
