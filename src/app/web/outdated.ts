// Reloads once when a screen's code is gone from the server because a new version was installed.
import { nowMs } from '#platform/web/clock.ts';

const mark = 'reloadedForNewVersion';

export function reloadWhenOutdated(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(mark) ?? 0);
    // A second failure within a minute is no old version but a broken connection: then the error screen shows.
    if (nowMs() - last < 60_000) return;
    sessionStorage.setItem(mark, String(nowMs()));
    event.preventDefault();
    location.reload();
  });
}
