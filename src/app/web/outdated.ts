// Reloads once when a screen's code is gone from the server because a new version was installed.
import { isLoadingInBackground } from '#platform/web/loading/background-code.ts';
import { nowMs } from '#platform/web/time/clock.ts';
import { serverAnswers } from './server-answers.ts';

const mark = 'reloadedForNewVersion';

export function reloadWhenOutdated(): void {
  addEventListener('vite:preloadError', () => {
    if (!isLoadingInBackground()) void reloadOnce();
  });
}

async function reloadOnce(): Promise<void> {
  const last = Number(sessionStorage.getItem(mark) ?? 0);
  // A second failure within a minute is no old version but a broken connection: then the error screen shows.
  if (nowMs() - last < 60_000) return;
  // Without a server there would be nothing to load, and what stands on the screen would be lost.
  if (!(await serverAnswers())) return;
  sessionStorage.setItem(mark, String(nowMs()));
  location.reload();
}
