// Settings of dunning: the schedule, and since when it is on.
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { setting } from '#platform/server/unit-of-work/settings.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { DunningPlan } from '../contract.ts';
import { initialSteps } from '../rules.ts';
import { exemptOnes } from './store-exemptions.ts';

type WirePlan = z.input<typeof DunningPlan>;
const stored = z.custom<WirePlan>((value) => z.safeDecode(DunningPlan, value as WirePlan).success);

/** The schedule in its JSON form, because settings are stored as JSON. */
export const planSetting = setting<WirePlan>('dunning.plan', stored, {
  steps: [...initialSteps],
  minimums: [],
  deferDays: 3,
});
/** Since when dunning is on, as ISO text; null while it is off. */
export const switchedOnAt = setting<string | null>('dunning.switchedOnAt', z.nullable(z.string()), null);

export const planOf = async (ctx: Ctx): Promise<DunningPlan> =>
  z.decode(DunningPlan, await ctx.setting(planSetting));
export const onSince = async (ctx: Ctx): Promise<Date | null> => {
  const since = await ctx.setting(switchedOnAt);
  return since === null ? null : new Date(since);
};

/** A key of a rehearsal's input: a different schedule or list of exemptions requires a new rehearsal. */
export async function keyOfPlan(ctx: Ctx, plan: DunningPlan): Promise<string> {
  const minimums = plan.minimums.map((each) => `${each.currency} ${each.minor}`).toSorted();
  const content = JSON.stringify([
    plan.steps.map(({ day, action }) => [day, action]),
    minimums,
    plan.deferDays,
    await exemptOnes(ctx),
  ]);
  return createHash('sha256').update(content).digest('hex');
}
