// Queries of credit grants for Admins.
import type { In } from '#kernel/contract.ts';
import type { Page } from '#kernel/shape.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  creditgrantsErrors,
  type CreditGrant,
  type CreditGrantDetail,
  type creditgrants,
} from '../contract.ts';
import { grantById, pageOfGrants } from './store.ts';
import { movementsOf } from './store-movements.ts';

export async function adminListGrants(
  ctx: Ctx,
  input: In<typeof creditgrants.adminListGrants>,
): Promise<Page<CreditGrant>> {
  return pageOfGrants(ctx, input);
}

/** Returns a grant with its movements; undefined if it does not exist. */
export async function detailOf(ctx: Ctx, grantId: string): Promise<CreditGrantDetail | undefined> {
  const grant = await grantById(ctx, grantId);
  return grant && { ...grant, movements: await movementsOf(ctx, grant.id) };
}

export async function adminGetGrant(
  ctx: Ctx,
  { grantId }: In<typeof creditgrants.adminGetGrant>,
): Promise<CreditGrantDetail> {
  const detail = await detailOf(ctx, grantId);
  if (!detail) throw domainError(creditgrantsErrors, 'creditgrants.not_found');
  return detail;
}
