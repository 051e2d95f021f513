// A suspended reseller starts nothing that it would owe for: it adds no customers and resumes none of their
// services, and those that it has start nothing new.
import { domainError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { isSuspended } from '#features/selling/subscriptions/server/index.ts';
import { resellersErrors } from '../contract.ts';

/** @throws resellers.suspended when the reseller is suspended, for unpaid bills or by an Admin. */
export async function assertSells(ctx: Ctx, resellerId: Id<'org'>): Promise<void> {
  if (await isSuspended(ctx, resellerId)) throw domainError(resellersErrors, 'resellers.suspended');
}

/**
 * Refuses something new to a customer whose reseller is suspended. It is not told why: that is between the
 * reseller and the operator. What is running continues.
 */
export async function refuseUnderSuspended(
  ctx: Ctx,
  { organizationId }: { readonly organizationId: Id<'org'> },
): Promise<void> {
  const seller = await ctx.app.brands.ofOrganization(ctx.db, organizationId, ctx.now);
  if (seller && (await isSuspended(ctx, seller.organizationId)))
    throw domainError(resellersErrors, 'resellers.seller_refuses', { seller: seller.name });
}
