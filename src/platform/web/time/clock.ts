// The only file of the browser code that reads the clock.
import { useSyncExternalStore } from 'react';

/** Milliseconds since 1970. */
export const nowMs = (): number => Date.now();

/** A clock that advances in steps; all components that use it get the same time. */
function steppedClock(stepMs: number): {
  readonly subscribe: (notify: () => void) => () => void;
  readonly current: () => Date;
} {
  let now = new Date(nowMs());
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    subscribe(notify) {
      listeners.add(notify);
      timer ??= setInterval(() => {
        now = new Date(nowMs());
        for (const listener of listeners) listener();
      }, stepMs);
      return () => {
        listeners.delete(notify);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    current() {
      // Without listeners, the clock has stopped: catch up, but only after a full step, so that one render
      // has one time.
      if (nowMs() - now.getTime() > stepMs) now = new Date(nowMs());
      return now;
    },
  };
}

const minutes = steppedClock(60_000);
const seconds = steppedClock(1000);

/** The time for relative texts ("3 小時前") and greetings; components render again every minute. */
export function useNow(): Date {
  return useSyncExternalStore(minutes.subscribe, minutes.current);
}

/**
 * The time for texts that count seconds ("12 秒前"); components render again every second, so keep them small.
 */
export function useNowSeconds(): Date {
  return useSyncExternalStore(seconds.subscribe, seconds.current);
}
