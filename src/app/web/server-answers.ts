// Whether the console answers, checked without a session.
import { consoleApi } from '#platform/web/api/console-api.ts';

export async function serverAnswers(): Promise<boolean> {
  try {
    await consoleApi.send({ method: 'GET', path: '/system/status', needsSession: false });
    return true;
  } catch {
    // A failed call means that it does not answer.
    return false;
  }
}
