// The live connection of a link's session: its topics, and whether the session has ended.
import type { Id } from '#kernel/ids.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import type { LiveClient } from '#platform/server/live/broker-clients.ts';
import { takePortalTicket } from '#features/access/identity/server/index.ts';
import { portalTopics } from '../rules.ts';
import { linksOver, openLinkOf } from './store.ts';

/**
 * Returns the live client for a link and a ticket of its session; undefined when either is invalid. The
 * ticket is used up.
 */
export async function admitPortal(
  app: App,
  linkId: Id<'plk'>,
  ticket: string,
): Promise<LiveClient | undefined> {
  if (!(await takePortalTicket(app, linkId, ticket))) return undefined;
  const link = await openLinkOf(app.database.kysely, linkId, app.clock.now());
  return (
    link && {
      userId: linkId,
      sessionId: linkId,
      topics: portalTopics(linkId, link.organizationId, link.pages),
    }
  );
}

/** Returns those of these links whose session is over. */
export const portalsOver = (app: App, linkIds: readonly string[]): Promise<string[]> =>
  linksOver(app.database.kysely, linkIds, app.clock.now());
