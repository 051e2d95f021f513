// Whether the console answers at all, asked without a session.
import { consoleApi } from '#platform/web/api/console-api.ts';

export async function serverAnswers(): Promise<boolean> {
  try {
    await consoleApi.send({ method: 'GET', path: '/system/status', needsSession: false });
    return true;
  } catch {
    // No answer is the answer.
    return false;
  }
}
