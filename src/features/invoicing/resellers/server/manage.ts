// Resellers for Admins: create and stop them, and assign customers to them.
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { addMonths, monthOf } from '#kernel/time.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { isResoldSince } from '#features/selling/resale/server/index.ts';
import { payersErrors } from '#features/invoicing/payers/contract.ts';
import { monthMistake } from '#features/invoicing/payers/rules.ts';
import {
  assertNoMistake,
  changePayer,
  hasPaidSubscriptionsSince,
  lockOrganizations,
} from '#features/invoicing/payers/server/index.ts';
import { holdMonths } from '#features/invoicing/billing/server/index.ts';
import { resellersErrors, type Reseller, type resellers } from '../contract.ts';
import { allResellers, lockResellerRow, replaceResale, stopReseller, storeReseller } from './store.ts';

const resellerNow = async (ctx: Ctx, id: string): Promise<Reseller | undefined> =>
  (await allResellers(ctx, id))[0];

/** Returns a reseller; throws at the field if there is none. */
export async function requireReseller(ctx: Ctx, id: string, field: string): Promise<Reseller> {
  const found = await resellerNow(ctx, id);
  if (!found) throw domainError(resellersErrors, 'resellers.reseller_not_found', {}, [field]);
  return found;
}

/** Returns an open organization; throws at the field otherwise. */
async function requireOpen(ctx: Ctx, organizationId: string): Promise<Organization> {
  const organization = await organizationById(ctx.db, organizationId);
  if (!organization)
    throw domainError(resellersErrors, 'resellers.organization_not_found', {}, ['organizationId']);
  if (organization.closedAt !== null)
    throw domainError(resellersErrors, 'resellers.organization_closed', {}, ['organizationId']);
  return organization;
}

export async function makeReseller(ctx: Ctx, input: In<typeof resellers.makeReseller>): Promise<Reseller> {
  const { organizationId, ...details } = input;
  await lockOrganizations(ctx, [organizationId]);
  await requireOpen(ctx, organizationId);
  // A month may still be current in one time zone when it is over in another.
  if (await isResoldSince(ctx, organizationId, addMonths(monthOf(ctx.now, 'UTC'), -1)))
    throw domainError(resellersErrors, 'resellers.organization_resold', {}, ['organizationId']);
  await storeReseller(ctx, organizationId, details, person(ctx).userId);
  ctx.audit('resellers.makeReseller', organizationId, { ...details });
  ctx.publish('system/billing', { kind: 'resellers' });
  return required(await resellerNow(ctx, organizationId), 'the reseller');
}

export async function stop(
  ctx: Ctx,
  { resellerId }: In<typeof resellers.stopReseller>,
): Promise<Out<typeof resellers.stopReseller>> {
  await lockResellerRow(ctx, resellerId);
  if (!(await resellerNow(ctx, resellerId))) throw domainError(resellersErrors, 'resellers.not_found');
  await stopReseller(ctx, resellerId);
  ctx.audit('resellers.stopReseller', resellerId);
  ctx.publish('system/billing', { kind: 'resellers' });
  return required(await resellerNow(ctx, resellerId), 'the reseller');
}

/**
 * Sets who sells to an organization from a month on. From then on the reseller gets its bills, at the
 * reseller's price. Only unbilled months can be chosen; they are locked until the transaction ends.
 */
export async function sellThrough(
  ctx: Ctx,
  organization: Organization,
  resellerId: Id<'org'> | null,
  from: BillingMonth,
): Promise<void> {
  const { id: organizationId } = organization;
  if (resellerId !== null) {
    await lockResellerRow(ctx, resellerId);
    const reseller = await requireReseller(ctx, resellerId, 'resellerId');
    if (reseller.stoppedAt !== null)
      throw domainError(resellersErrors, 'resellers.stopped', { name: reseller.name }, ['resellerId']);
  }
  // A reseller pays for everything its customer uses.
  if (resellerId !== null && (await hasPaidSubscriptionsSince(ctx, organizationId, from)))
    throw domainError(payersErrors, 'payers.subscriptions_paid', {}, ['organizationId']);
  const running = monthOf(ctx.now, organization.timeZone);
  // Only allowed months are locked.
  assertNoMistake(ctx, monthMistake(from, { running, billed: null }));
  assertNoMistake(ctx, monthMistake(from, { running, billed: await holdMonths(ctx, organization, from) }));
  await changePayer(holdMonths)(ctx, { organizationId, payerId: resellerId, from });
  await replaceResale(ctx, organizationId, from, resellerId, person(ctx).userId);
  ctx.publish('system/billing', { kind: 'resellers' });
  ctx.publish(`org/${organizationId}/bills`, { kind: 'resale' });
  if (resellerId !== null) ctx.publish(`org/${resellerId}/bills`, { kind: 'resale' });
}

export async function setReseller(ctx: Ctx, input: In<typeof resellers.setReseller>): Promise<null> {
  const { organizationId, resellerId, from } = input;
  await lockOrganizations(ctx, resellerId === null ? [organizationId] : [organizationId, resellerId]);
  const organization = await requireOpen(ctx, organizationId);
  if (await resellerNow(ctx, organizationId))
    throw domainError(resellersErrors, 'resellers.is_reseller', {}, ['organizationId']);
  await sellThrough(ctx, organization, resellerId, from);
  ctx.audit('resellers.setReseller', organizationId, { organization: organization.name, resellerId, from });
  return null;
}
