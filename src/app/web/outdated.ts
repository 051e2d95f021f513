// Reloads once when a screen's code is gone from the server because a new version was installed.
import { useReach } from '#platform/web/api/reach.ts';
import { nowMs } from '#platform/web/time/clock.ts';

const mark = 'reloadedForNewVersion';

export function reloadWhenOutdated(): void {
  addEventListener('vite:preloadError', () => {
    // Without a server there is nothing to load, and a reload would lose what the user has typed and read. It may have gone
    // away just now, so it is asked before.
    if (useReach.getState().isLost) return;
    fetch('/healthz').then(reloadOnce, () => {
      // It is away: the next call says so.
    });
  });
}

function reloadOnce(): void {
  const last = Number(sessionStorage.getItem(mark) ?? 0);
  // A second failure within a minute is a broken connection, not an old version: the error screen shows it.
  if (nowMs() - last < 60_000) return;
  sessionStorage.setItem(mark, String(nowMs()));
  location.reload();
}
