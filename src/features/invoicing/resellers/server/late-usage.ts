// Lets an Admin bill late usage of months in which another party was the seller.
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { organizationById, organizationsByIds } from '#features/access/identity/server/index.ts';
import { issueUnbilledLate, unbilledLate } from '#features/invoicing/billing/server/index.ts';
import { organizationsEverResold, resellersById } from '#features/selling/resale/server/index.ts';
import { resellersErrors, type resellers } from '../contract.ts';

export async function listUnbilledLate(ctx: Ctx): Promise<Out<typeof resellers.listUnbilledLate>> {
  const found = await unbilledLate(ctx, await organizationsByIds(ctx, await organizationsEverResold(ctx)));
  const sellers = await resellersById(
    ctx,
    found.flatMap(({ sellerId }) => sellerId ?? []),
  );
  return {
    items: found.flatMap(({ organization, month, sellerId, parts }) => {
      const billed = parts.filter(({ plans }) => plans.length > 0);
      if (billed.length === 0) return [];
      return {
        organizationId: organization.id,
        organization: organization.name,
        month,
        seller: sellers.get(sellerId ?? '')?.name ?? null,
        payer: billed.map(({ payer }) => payer.name).join(', '),
        amounts: billed.flatMap(({ plans }) => plans.map(({ net }) => net)),
      };
    }),
  };
}

export async function billUnbilledLate(
  ctx: Ctx,
  { organizationId, month }: In<typeof resellers.billUnbilledLate>,
): Promise<Out<typeof resellers.billUnbilledLate>> {
  const organization = await organizationById(ctx.db, organizationId);
  if (!organization)
    throw domainError(resellersErrors, 'resellers.organization_not_found', {}, ['organizationId']);
  const bills = await issueUnbilledLate(ctx, organization, month);
  if (bills === 'nothing') throw domainError(resellersErrors, 'resellers.late_nothing');
  if (bills === 'lowers') throw domainError(resellersErrors, 'resellers.late_lowers');
  ctx.audit('resellers.billUnbilledLate', organizationId, {
    month,
    bills: bills.map(({ number }) => number),
  });
  ctx.publish('system/billing', { kind: 'resellers' });
  return { bills: bills.map(({ id, number, total }) => ({ id, number, total })) };
}
