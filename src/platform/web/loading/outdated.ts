// Reloads the page once when code is missing on the server because a new version was installed.
import { useReach } from '../api/reach.ts';
import { nowMs } from '../time/clock.ts';

const mark = 'reloadedForNewVersion';
/** How long to wait for the server's response. */
const answerMs = 5000;

let decided: Promise<void> = Promise.resolve();

/** Watches for code that cannot be loaded. Call once, at start. */
export function reloadWhenOutdated(): void {
  addEventListener('vite:preloadError', () => {
    // Without a server there is nothing to load, and a reload would discard what the user has typed and is
    // reading. The server may have become unreachable just now, so it is checked first.
    if (useReach.getState().isLost) return;
    decided = decided
      .then(() => fetch('/healthz', { signal: AbortSignal.timeout(answerMs) }))
      .then(reloadOnce, () => {
        // It is unreachable: the next call reports that.
      });
  });
}

/**
 * Settles if the page is not reloaded after code failed to load; until then, an error would flash before the
 * reload.
 */
export const whenNotReloading = (): Promise<void> => decided;

/** Settles at once if the page is not reloaded, otherwise never. */
function reloadOnce(): Promise<void> {
  const last = Number(sessionStorage.getItem(mark) ?? 0);
  // A second failure within a minute means a broken connection, not an old version: the error screen shows
  // it.
  if (nowMs() - last < 60_000) return Promise.resolve();
  sessionStorage.setItem(mark, String(nowMs()));
  location.reload();
  return new Promise(() => undefined);
}
