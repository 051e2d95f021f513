// Looks up the session of an access token, in one statement for all concurrent requests.
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { batchedReads } from '#platform/server/database/cached-reads.ts';
import { actorsOfSessions, type UserActor } from './store-sessions.ts';

const sessions = batchedReads(async (app, ids) => {
  const found = await actorsOfSessions(app.database, ids, app.clock.now());
  const byId = new Map<string, UserActor>(found.map((actor) => [actor.sessionId, actor]));
  return ids.map((id) => byId.get(id));
});

/**
 * Returns the actor of a user's session as it is now; undefined when the session has ended or belongs to
 * another user.
 */
export async function actorOfSession(
  app: App,
  userId: string,
  sessionId: string,
): Promise<UserActor | undefined> {
  const actor = await sessions(app).load(sessionId);
  return actor?.userId === userId ? actor : undefined;
}
