// The only place of the browser side that reads the clock.
import { useSyncExternalStore } from 'react';

/** Milliseconds since 1970. */
export const nowMs = (): number => Date.now();

/** A clock that moves in steps; all who look at it move together. */
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
      // Nobody was listening for a while: catch up, but never within a step, so that one render sees one time.
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

/** The time for what counts seconds ("12 秒前"); components render again every second: keep them small. */
export function useNowSeconds(): Date {
  return useSyncExternalStore(seconds.subscribe, seconds.current);
}
