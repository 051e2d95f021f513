// Reloads once when code is gone from the server because a new version was installed.
import { useReach } from '../api/reach.ts';
import { nowMs } from '../time/clock.ts';

const mark = 'reloadedForNewVersion';
/** How long the server may take to say that it is there. */
const answerMs = 5000;

let decided: Promise<void> = Promise.resolve();

/** Watches for code that cannot be loaded. Call once, at start. */
export function reloadWhenOutdated(): void {
  addEventListener('vite:preloadError', () => {
    // Without a server there is nothing to load, and a reload would lose what the user has typed and read. It may have gone
    // away just now, so it is asked before.
    if (useReach.getState().isLost) return;
    decided = decided
      .then(() => fetch('/healthz', { signal: AbortSignal.timeout(answerMs) }))
      .then(reloadOnce, () => {
        // It is away: the next call says so.
      });
  });
}

/** Settles when the page stays as it is after code could not be loaded: until then an error would be shown for a moment, and then reloaded away. */
export const whenNotReloading = (): Promise<void> => decided;

/** Settles at once when the page is not reloaded, and otherwise never. */
function reloadOnce(): Promise<void> {
  const last = Number(sessionStorage.getItem(mark) ?? 0);
  // A second failure within a minute is a broken connection, not an old version: the error screen shows it.
  if (nowMs() - last < 60_000) return Promise.resolve();
  sessionStorage.setItem(mark, String(nowMs()));
  location.reload();
  return new Promise(() => undefined);
}
