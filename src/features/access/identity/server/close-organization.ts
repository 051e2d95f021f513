// Closing an organization: nobody of it gets in any more, and nobody joins it.
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { endSessionsOfMany } from './end-sessions.ts';
import { markClosed, markOpen } from './store-organizations.ts';

/** Marks an organization as closed, deactivates its people and revokes its keys and invitations. The caller has seen that nothing is left to settle. */
export async function closeOrganizationRow(
  ctx: Ctx,
  organizationId: Id<'org'>,
  reason: string,
): Promise<void> {
  await endSessionsOfMany(ctx, await markClosed(ctx, organizationId, reason));
}

/** Opens a closed organization again; who of its people may come back is decided one by one. */
export async function reopenOrganizationRow(ctx: Ctx, organizationId: Id<'org'>): Promise<void> {
  await markOpen(ctx, organizationId);
}
