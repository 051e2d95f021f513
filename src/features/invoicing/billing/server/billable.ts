// Loads, in bulk, what the bills of some organizations in a month are made of.
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import type { PriceBasis } from '#features/selling/catalogue/server/index.ts';
import type { BillableSubscription } from '#features/selling/subscriptions/rules.ts';
import { subscriptionsOfMany } from '#features/selling/subscriptions/server/index.ts';
import { billableSubscriptions } from '#features/metering/usage/server/index.ts';

/**
 * Returns the usage of every subscription of some organizations in a month at the prices in force: by default
 * those the operator is paid, as its bills charge them; with `basis`, those that organizations pay their
 * resellers.
 */
export async function billableOf(
  ctx: Ctx,
  organizations: readonly Organization[],
  month: BillingMonth,
  basis: PriceBasis = 'wholesale',
): Promise<ReadonlyMap<string, BillableSubscription[]>> {
  if (organizations.length === 0) return new Map();
  return billableSubscriptions(
    ctx,
    await subscriptionsOfMany(
      ctx.db,
      organizations.map((organization) => organization.id),
    ),
    month,
    { basis },
  );
}
