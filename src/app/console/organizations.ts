// Lets an Admin change an organization's state: suspend it (with the same flag as unpaid bills), close it, or
// resume it.
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import type { Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { lockUntilEnd } from '#platform/server/unit-of-work/unit-of-work.ts';
import { closeOrganizationRow, reopenOrganizationRow } from '#features/access/identity/server/index.ts';
import {
  holdSubscriptions,
  releaseFromAdmin,
  suspendByAdmin,
} from '#features/selling/subscriptions/server/index.ts';
import { paysForOthers } from '#features/invoicing/payers/server/index.ts';
import { consoleErrors, type OrganizationAccount, type consoleContract } from './contract.ts';
import { accountById, dunnedLevel, pageOfAccounts } from './store-organizations.ts';

async function requireAccount(ctx: Ctx, organizationId: Id<'org'>): Promise<OrganizationAccount> {
  const found = await accountById(ctx, organizationId);
  if (!found) throw domainError(consoleErrors, 'console.organization_not_found');
  return found;
}

/** Reads and locks the organization, so that other changes of its state wait until this unit ends. */
async function take(ctx: Ctx, organizationId: Id<'org'>): Promise<OrganizationAccount> {
  await lockUntilEnd(ctx, `state of ${organizationId}`);
  return requireAccount(ctx, organizationId);
}

const reload = async (ctx: Ctx, organizationId: Id<'org'>): Promise<OrganizationAccount> =>
  required(await accountById(ctx, organizationId), 'the organization');

async function listOrganizationAccounts(
  ctx: Ctx,
  input: In<typeof consoleContract.listOrganizationAccounts>,
): Promise<Page<OrganizationAccount>> {
  return pageOfAccounts(ctx, input);
}

async function getOrganizationAccount(
  ctx: Ctx,
  { organizationId }: In<typeof consoleContract.getOrganizationAccount>,
): Promise<OrganizationAccount> {
  return requireAccount(ctx, organizationId);
}

async function suspendOrganization(
  ctx: Ctx,
  { organizationId, reason }: In<typeof consoleContract.suspendOrganization>,
): Promise<OrganizationAccount> {
  if ((await take(ctx, organizationId)).state === 'closed')
    throw domainError(consoleErrors, 'console.organization_closed');
  await suspendByAdmin(ctx, organizationId, reason);
  ctx.audit('console.suspendOrganization', organizationId, { reason });
  return reload(ctx, organizationId);
}

/**
 * Ends an Admin's suspension. An organization that is also suspended for unpaid bills remains so, at its
 * dunning level.
 */
async function resumeOrganization(
  ctx: Ctx,
  { organizationId }: In<typeof consoleContract.resumeOrganization>,
): Promise<OrganizationAccount> {
  const found = await take(ctx, organizationId);
  if (found.state !== 'suspended' || found.reason === '')
    throw domainError(consoleErrors, 'console.organization_not_suspended');
  const level = await dunnedLevel(ctx, organizationId);
  await releaseFromAdmin(ctx, organizationId);
  if (level) await holdSubscriptions(ctx, [organizationId], level);
  ctx.audit('console.resumeOrganization', organizationId, { dunned: level ?? null });
  return reload(ctx, organizationId);
}

/** Closes an organization with nothing left to settle: deactivates its users and revokes its keys and invitations. */
async function closeOrganization(
  ctx: Ctx,
  { organizationId, reason }: In<typeof consoleContract.closeOrganization>,
): Promise<OrganizationAccount> {
  const found = await take(ctx, organizationId);
  if (found.state === 'closed') throw domainError(consoleErrors, 'console.organization_closed');
  if (found.subscriptions > 0 || found.openBills > 0 || found.owed.length > 0 || found.balances.length > 0)
    throw domainError(consoleErrors, 'console.organization_unsettled', {
      subscriptions: found.subscriptions,
      bills: found.openBills,
    });
  if (await paysForOthers(ctx, organizationId)) throw domainError(consoleErrors, 'console.organization_pays');
  await closeOrganizationRow(ctx, organizationId, reason);
  ctx.audit('console.closeOrganization', organizationId, { reason, members: found.members });
  return reload(ctx, organizationId);
}

async function reopenOrganization(
  ctx: Ctx,
  { organizationId }: In<typeof consoleContract.reopenOrganization>,
): Promise<OrganizationAccount> {
  if ((await take(ctx, organizationId)).state !== 'closed')
    throw domainError(consoleErrors, 'console.organization_open');
  await reopenOrganizationRow(ctx, organizationId);
  ctx.audit('console.reopenOrganization', organizationId);
  return reload(ctx, organizationId);
}

export const organizationVerbs = {
  listOrganizationAccounts,
  getOrganizationAccount,
  suspendOrganization,
  resumeOrganization,
  closeOrganization,
  reopenOrganization,
};
