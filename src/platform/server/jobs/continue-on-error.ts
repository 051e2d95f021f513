// For jobs that work on many records, of which one that fails must not stop the others.
import type { App } from '../unit-of-work/ctx.ts';
import { isDatabaseUnavailable } from '../database/unavailable.ts';

/**
 * Runs `work` and returns its result; logs an error with `about`, and then returns undefined.
 * @throws when the database is unavailable, because nothing else would succeed either
 */
export async function continueOnError<T>(
  app: App,
  about: Readonly<Record<string, unknown>>,
  message: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    app.log.error({ err: error, ...about }, message);
    return undefined;
  }
}
