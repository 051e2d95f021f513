// The only place of the browser side that reads the clock.
import { useSyncExternalStore } from 'react';

/** Milliseconds since 1970. */
export const nowMs = (): number => Date.now();

/** All relative times on a page move together, once a minute. */
const tickMs = 60_000;
let now = new Date(nowMs());
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(notify: () => void): () => void {
  listeners.add(notify);
  timer ??= setInterval(() => {
    now = new Date(nowMs());
    for (const listener of listeners) listener();
  }, tickMs);
  return () => {
    listeners.delete(notify);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function current(): Date {
  // Nobody was listening for a while: catch up, but never within a tick, so that one render sees one time.
  if (nowMs() - now.getTime() > tickMs) now = new Date(nowMs());
  return now;
}

/** The time for relative texts ("3 小時前") and greetings; components render again every minute. */
export function useNow(): Date {
  return useSyncExternalStore(subscribe, current);
}
