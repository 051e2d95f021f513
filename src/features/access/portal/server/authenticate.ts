// Identifies the actor of a portal session by its token.
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { batchedReads } from '#platform/server/database/cached-reads.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import { portalTokenPrefix } from '../contract.ts';
import { actorsOfPortals, type PortalActor } from './store.ts';

/** Never cached: a session that ended on any console is rejected at the next call. */
const sessions = batchedReads(async (app, hashes) => {
  const found = await actorsOfPortals(
    app.database,
    hashes.map((hash) => Buffer.from(hash, 'hex')),
    app.clock.now(),
  );
  const byHash = new Map(found.map(({ hash, actor }): [string, PortalActor] => [hash, actor]));
  return hashes.map((hash) => byHash.get(hash));
});

/** Whether a bearer credential is the token of a portal session. */
export const isPortalToken = (bearer: string): boolean => bearer.startsWith(portalTokenPrefix);

/** Returns the actor of a portal session; undefined when it is over, revoked or unknown. */
export const actorOfPortal = (app: App, bearer: string): Promise<PortalActor | undefined> =>
  sessions(app).load(sha256(bearer).toString('hex'));
