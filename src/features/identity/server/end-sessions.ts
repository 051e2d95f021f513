// Ending sessions: in the database, and at once in every tab that still shows them.
import type { Ctx } from '#platform/server/ctx.ts';
import { markEnded, type WhichSessions } from './store-sessions.ts';

/** Ends sessions of a user, one or all but one, and tells their open tabs. Answers how many ended. */
export async function endSessions(ctx: Ctx, userId: string, which: WhichSessions): Promise<number> {
  const ended = await markEnded(ctx, userId, which);
  for (const sessionId of ended) ctx.touch(`user/${userId}/sessions`, { kind: 'sessions', ended: sessionId });
  return ended.length;
}
