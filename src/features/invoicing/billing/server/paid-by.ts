// Who pays for organizations in a month: most of them for themselves.
import { required } from '#kernel/assert.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import { organizationsByIds } from '#features/access/identity/server/index.ts';
import { payersOf } from '#features/invoicing/payers/server/index.ts';

/** Who pays for an organization; itself where nobody else does. */
export type Payers = (organization: Organization) => Organization;

/** Who pays for some organizations in a month. A change waits while the month's series is locked. */
export async function payersOfMonth(
  ctx: Ctx,
  month: BillingMonth,
  organizations: readonly Organization[],
): Promise<Payers> {
  const payerIds = await payersOf(
    ctx,
    organizations.map(({ id }) => id),
    month,
  );
  if (payerIds.size === 0) return (organization) => organization;
  const found = new Map(
    (await organizationsByIds(ctx, [...new Set(payerIds.values())])).map((payer) => [payer.id, payer]),
  );
  return (organization) => {
    const payerId = payerIds.get(organization.id);
    return payerId === undefined ? organization : required(found.get(payerId), 'a payer');
  };
}
