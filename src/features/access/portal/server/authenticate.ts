// Who looks through a link, by the token that the link was exchanged for.
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { batchedReads } from '#platform/server/database/cached-reads.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import { portalTokenPrefix } from '../contract.ts';
import { actorsOfPortals, type PortalActor } from './store.ts';

/** Never kept: what has ended on any console has ended at the next call. */
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

/** The actor of a portal session; undefined when it is over, withdrawn or unknown. */
export const actorOfPortal = (app: App, bearer: string): Promise<PortalActor | undefined> =>
  sessions(app).load(sha256(bearer).toString('hex'));
