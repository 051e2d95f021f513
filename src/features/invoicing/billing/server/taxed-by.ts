// Determines the day whose tax rates apply: for a month's bill, the month's last day, when its supply ends;
// for other bills, the day of issue.
import type { BillingMonth } from '#kernel/shape.ts';
import { dayOf, lastDayOf } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import type { Taxation } from '#features/invoicing/taxes/rules.ts';
import { taxationsOf } from '#features/invoicing/taxes/server/index.ts';

/** Returns how the bills of a month are taxed, by organization. */
export const taxationsOfMonth = (
  ctx: Ctx,
  month: BillingMonth,
  organizations: readonly Organization[],
): Promise<(organizationId: string) => Taxation> => taxationsOf(ctx, organizations, lastDayOf(month));

/** Returns how a bill issued now is taxed. */
export async function taxationOfToday(ctx: Ctx, organization: Organization): Promise<Taxation> {
  const taxations = await taxationsOf(ctx, [organization], dayOf(ctx.now, organization.timeZone));
  return taxations(organization.id);
}
