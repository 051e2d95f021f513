// Lets a reseller stop and resume its customers' services, as their own users could.
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { servicesByIds } from '#features/selling/catalogue/server/index.ts';
import { startOf, stopOf, subscriptionsOf } from '#features/selling/subscriptions/server/index.ts';
import { resellersErrors, type resellers } from '../contract.ts';
import { ownReseller } from './own.ts';
import { assertSells } from './suspended.ts';

/**
 * Checks that the caller's organization currently sells to a customer, and returns the organization; any other
 * customer is treated as not found.
 */
async function requireCustomer(ctx: Ctx, organizationId: string): Promise<Id<'org'>> {
  const { organizationId: resellerId } = await ownReseller(ctx);
  const seller = await ctx.app.brands.ofOrganization(ctx.db, organizationId, ctx.now);
  if (seller?.organizationId !== resellerId)
    throw domainError(resellersErrors, 'resellers.customer_not_found');
  return resellerId;
}

export async function customerServices(
  ctx: Ctx,
  { organizationId }: In<typeof resellers.customerServices>,
): Promise<Out<typeof resellers.customerServices>> {
  await requireCustomer(ctx, organizationId);
  const rows = await subscriptionsOf(ctx.db, organizationId);
  const services = await servicesByIds(
    ctx.db,
    rows.map(({ serviceId }) => serviceId),
    ctx.now,
  );
  const names = new Map(services.map(({ id, name }) => [id, name]));
  return {
    items: rows.map(({ id, serviceId, state }) => ({ id, name: names.get(serviceId) ?? '', state })),
  };
}

export async function pauseService(
  ctx: Ctx,
  { organizationId, subscriptionId, reason }: In<typeof resellers.pauseService>,
): Promise<null> {
  await requireCustomer(ctx, organizationId);
  await stopOf(ctx, organizationId, { subscriptionId, reason });
  ctx.audit('resellers.pauseService', organizationId, { subscriptionId, reason });
  return null;
}

/** Resumes a customer's service, whose fees then begin again: refused while the reseller is suspended. */
export async function resumeService(
  ctx: Ctx,
  { organizationId, subscriptionId, reason }: In<typeof resellers.resumeService>,
): Promise<null> {
  await assertSells(ctx, await requireCustomer(ctx, organizationId));
  await startOf(ctx, organizationId, { subscriptionId, reason }, { isSeller: true });
  ctx.audit('resellers.resumeService', organizationId, { subscriptionId, reason });
  return null;
}
