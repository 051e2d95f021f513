// Doing something and taking it back: what a preview answers has been done, and was not refused.
import { sql } from 'kysely';
import type { Ctx } from './ctx.ts';
import { handleEvent } from './event-handler.ts';

/**
 * Does `deed` in this unit of work with all its event handlers, and takes it back: rows, locks, jobs and messages are as before. Its result
 * is answered and what it throws is thrown, so a preview refuses what the deed refuses. Only of a unit that is a transaction; what a deed leaves to the unit's end
 * ({@link Ctx.part}) is not tried.
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
