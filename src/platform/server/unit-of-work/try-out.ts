// Executes an operation and rolls it back, so that a preview shows exactly what the operation would do.
import { sql } from 'kysely';
import type { Ctx } from './ctx.ts';
import { handleEvent } from './event-handler.ts';

/**
 * Runs `deed` in this unit of work with all its event handlers, and rolls it back: rows, locks, jobs and
 * messages are as before. Returns its result and throws what it throws, so a preview fails exactly when the
 * operation would. Requires a unit that is a transaction; what `deed` defers to the end of the unit ({@link
 * Ctx.part}) is not executed.
 */
export async function tryOut<T>(ctx: Ctx, deed: (trial: Ctx) => Promise<T>): Promise<T> {
  const nothing = (): void => undefined;
  const trial: Ctx = {
    ...ctx,
    emit: (event, payload) => handleEvent(trial, event, payload),
    publish: nothing,
    send: nothing,
    audit: nothing,
    part: nothing,
  };
  await sql`savepoint deed`.execute(ctx.db);
  try {
    return await deed(trial);
  } finally {
    await sql`rollback to savepoint deed`.execute(ctx.db);
  }
}
