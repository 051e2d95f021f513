// What the bills of some organizations in a month would be: what a close issues, a preview adds up and a member sees of the running month.
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import { planBills, type BillPlan } from '../rules.ts';
import { billableOf } from './billable.ts';
import { lateLines, type LateLines } from './late-usage.ts';
import { taxRate } from './settings.ts';

/** Planned bills by organization, and the late usage that they settle. */
export type MonthPlan = {
  readonly plans: ReadonlyMap<Id<'org'>, readonly BillPlan[]>;
  readonly late: LateLines;
};

// They are computed in parts of this size; after each the event loop serves other requests.
const parts = 4;

/** Plans a month's bills of some organizations. What changed late is read before what was used: a change in between stays noted. */
export async function planMonth(
  ctx: Ctx,
  month: BillingMonth,
  organizations: readonly Organization[],
): Promise<MonthPlan> {
  const late = await lateLines(ctx, organizations, month);
  const standardRate = await ctx.setting(taxRate);
  const atOnce = Math.max(1, Math.ceil(organizations.length / parts));
  const plans = new Map<Id<'org'>, readonly BillPlan[]>();
  for (let from = 0; from < organizations.length; from += atOnce) {
    const chunk = organizations.slice(from, from + atOnce);
    const billable = await billableOf(ctx, chunk, month);
    for (const { id, taxStatus, timeZone } of chunk)
      plans.set(
        id,
        planBills(
          billable.get(id) ?? [],
          month,
          timeZone,
          taxStatus === 'standard' ? standardRate : '0',
          late.lines.get(id),
        ),
      );
  }
  return { plans, late };
}
