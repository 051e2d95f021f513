// Looks up the session of an access token, in one statement for all requests of the same moment.
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { batchedReads } from '#platform/server/database/cached-reads.ts';
import { actorsOfSessions, type UserActor } from './store-sessions.ts';

const sessions = batchedReads(async (app, ids) => {
  const found = await actorsOfSessions(app.database, ids, app.clock.now());
  const byId = new Map<string, UserActor>(found.map((actor) => [actor.sessionId, actor]));
  return ids.map((id) => byId.get(id));
});

/** The actor of a user's session as it is now; undefined when the session is over or another user's. */
export async function actorOfSession(
  app: App,
  userId: string,
  sessionId: string,
): Promise<UserActor | undefined> {
  const actor = await sessions(app).load(sessionId);
  return actor?.userId === userId ? actor : undefined;
}
