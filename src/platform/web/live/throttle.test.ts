import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createThrottle } from './throttle.ts';

describe('throttle', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('turns a storm of 1,000 messages in a second into two or three runs, the last one after the last message', () => {
    const run = vi.fn<() => void>();
    const throttle = createThrottle(run, 500);
    for (let message = 0; message < 1000; message++) {
      throttle.request();
      vi.advanceTimersByTime(1);
    }
    vi.advanceTimersByTime(500);
    expect(run).toHaveBeenCalledTimes(3);
    vi.advanceTimersByTime(5000);
    expect(run).toHaveBeenCalledTimes(3);
  });

  it('runs immediately after a pause, and not after it was stopped', () => {
    const run = vi.fn<() => void>();
    const throttle = createThrottle(run, 500);
    throttle.request();
    vi.advanceTimersByTime(600);
    throttle.request();
    expect(run).toHaveBeenCalledTimes(2);
    throttle.request();
    throttle.stop();
    vi.advanceTimersByTime(5000);
    expect(run).toHaveBeenCalledTimes(2);
  });
});
