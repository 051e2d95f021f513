// How much credit the bills of open months will use: what of it is still there, as far as one can know before they are issued.
import type { Id } from '#kernel/ids.ts';
import { addMonths, monthOf } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { organizationsByIds } from '#features/access/identity/server/index.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import { ownerKey } from '#features/invoicing/credit-grants/rules.ts';
import type { PlannedUse } from '#features/invoicing/credit-grants/server/index.ts';
import type { BillPlan, TakenOf } from '../rules.ts';
import { planMonth, planRunningMonth } from './plan-month.ts';
import { closedFor } from './store-late.ts';

/** What the running month and the one before, while it is not closed, will use of credit, in minor units by organization and currency. */
export async function plannedCreditUse(ctx: Ctx, organizationIds: readonly Id<'org'>[]): Promise<PlannedUse> {
  const organizations = await organizationsByIds(ctx, organizationIds);
  const planned = new Map<string, { paid: bigint; promotional: bigint }>();
  const add = (organization: Organization, plans: readonly BillPlan[]): void => {
    for (const { currency, applied } of plans) {
      const key = ownerKey(organization.id, currency);
      const before = planned.get(key) ?? { paid: 0n, promotional: 0n };
      planned.set(key, {
        paid: before.paid + sumOf(applied.prepaid),
        promotional: before.promotional + sumOf(applied.promotional),
      });
    }
  };
  const inMonth = Map.groupBy(organizations, ({ timeZone }) => monthOf(ctx.now, timeZone));
  for (const [month, members] of inMonth) {
    const before = addMonths(month, -1);
    const closed = await closedFor(
      ctx,
      members.map(({ id }) => id),
      before,
    );
    const open = members.filter(({ id }) => !closed.has(id));
    const earlier = (await planMonth(ctx, before, open)).plans;
    const running = (await planRunningMonth(ctx, month, members)).plans;
    for (const member of members)
      add(member, [...(earlier.get(member.id) ?? []), ...(running.get(member.id) ?? [])]);
  }
  return planned;
}

const sumOf = (taken: readonly TakenOf<string>[]): bigint =>
  taken.reduce((sum, { amount }) => sum + amount.minor, 0n);
