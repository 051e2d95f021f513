// Closes an organization: its users can no longer sign in, and nobody can join it.
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { endSessionsOfMany } from './end-sessions.ts';
import { markClosed, markOpen } from './store-organizations.ts';

/**
 * Marks an organization as closed, deactivates its users and revokes its keys and invitations. The caller
 * must have checked that there is nothing left to bill or refund.
 */
export async function closeOrganizationRow(
  ctx: Ctx,
  organizationId: Id<'org'>,
  reason: string,
): Promise<void> {
  await endSessionsOfMany(ctx, await markClosed(ctx, organizationId, reason));
}

/** Reopens a closed organization; its users stay deactivated until an Admin activates them one by one. */
export async function reopenOrganizationRow(ctx: Ctx, organizationId: Id<'org'>): Promise<void> {
  await markOpen(ctx, organizationId);
}
