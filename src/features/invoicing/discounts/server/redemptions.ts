// The discounts that organizations have, for Admins and for the organization itself.
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Page } from '#kernel/shape.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { discountErrors, type discounts, type Redemption } from '../contract.ts';
import { publishRedemption } from './redeem.ts';
import { discountById } from './store.ts';
import { endRedemptionRow, pageOfRedemptions, redemptionById, redemptionsOf } from './store-redemptions.ts';
import { ownViews, redemptionView } from './view.ts';

/** Returns one page of the organizations that have a discount. */
export async function listRedemptions(
  ctx: Ctx,
  input: In<typeof discounts.listRedemptions>,
): Promise<Page<Redemption>> {
  if (!(await discountById(ctx, input.discountId))) throw domainError(discountErrors, 'discounts.not_found');
  const page = await pageOfRedemptions(ctx, input);
  return { ...page, items: page.items.map((row) => redemptionView(ctx, row)) };
}

/** Takes a discount away from an organization; issued bills keep it. Ending it again has no effect. */
export async function endRedemption(
  ctx: Ctx,
  { redemptionId }: In<typeof discounts.endRedemption>,
): Promise<Redemption> {
  const hasEnded = await endRedemptionRow(ctx, redemptionId);
  const row = await redemptionById(ctx, redemptionId);
  if (!row) throw domainError(discountErrors, 'discounts.redemption_not_found');
  if (hasEnded) {
    ctx.audit('discounts.endRedemption', redemptionId, {
      discountId: row.discountId,
      organizationId: row.organizationId,
    });
    publishRedemption(ctx, row.organizationId);
  }
  return redemptionView(ctx, row);
}

/** Returns the caller's organization's discounts, newest first. */
export async function ownDiscounts(ctx: Ctx): Promise<Out<typeof discounts.ownDiscounts>> {
  return { items: await ownViews(ctx, await redemptionsOf(ctx, tenant(ctx))) };
}
