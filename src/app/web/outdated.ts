// Reloads the page once when a screen's code is missing on the server because a new version was installed.
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
  // A second failure within a minute is not caused by an old version but by the network: then the error
  // screen shows.
  if (nowMs() - last < 60_000) return;
  // While the server is away a reload would fail and lose what is on the screen.
  if (!(await serverAnswers())) return;
  sessionStorage.setItem(mark, String(nowMs()));
  location.reload();
}
