// Saves the schedule and turns it on; both require a rehearsal that the Admin has just seen.
import * as z from 'zod/mini';
import type { In } from '#kernel/contract.ts';
import { ValidationError, domainError } from '#kernel/errors.ts';
import { hourMs } from '#kernel/durations.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { storeSetting } from '#platform/server/unit-of-work/settings.ts';
import { lockUntilEnd } from '#platform/server/unit-of-work/unit-of-work.ts';
import { DunningPlan, dunningErrors, type dunning, type Dunning } from '../contract.ts';
import { planMistake } from '../rules.ts';
import { keyOfPlan, onSince, planOf, planSetting, switchedOnAt } from './settings.ts';
import { exemptOnes, wasRehearsed } from './store-exemptions.ts';
import { countHolds } from './store-steps.ts';
import { publishDunning } from './notices.ts';

const rehearsedWithinMs = 24 * hourMs;

export async function getDunning(ctx: Ctx): Promise<Dunning> {
  return shown(ctx, await planOf(ctx), await onSince(ctx));
}

async function shown(ctx: Ctx, plan: DunningPlan, since: Date | null): Promise<Dunning> {
  return {
    isOn: since !== null,
    switchedOnAt: since,
    plan,
    exempt: (await exemptOnes(ctx)).length,
    held: await countHolds(ctx),
  };
}

/** Throws if the schedule is invalid. */
export function assertPlan(plan: DunningPlan): void {
  const mistake = planMistake(plan);
  if (mistake) throw new ValidationError([mistake]);
}

async function assertRehearsed(ctx: Ctx, plan: DunningPlan, rehearsalId: string | undefined): Promise<void> {
  const isDone =
    rehearsalId !== undefined &&
    (await wasRehearsed(
      ctx,
      rehearsalId,
      await keyOfPlan(ctx, plan),
      new Date(ctx.now.getTime() - rehearsedWithinMs),
    ));
  if (!isDone) throw domainError(dunningErrors, 'dunning.rehearse_first');
}

/** Saves the schedule; while it is on, only after a rehearsal of it. */
export async function saveDunning(
  ctx: Ctx,
  { plan, rehearsalId }: In<typeof dunning.saveDunning>,
): Promise<Dunning> {
  assertPlan(plan);
  await lockUntilEnd(ctx, 'dunning plan');
  const since = await onSince(ctx);
  if (since !== null && (await keyOfPlan(ctx, plan)) !== (await keyOfPlan(ctx, await planOf(ctx))))
    await assertRehearsed(ctx, plan, rehearsalId);
  const before = z.encode(DunningPlan, await planOf(ctx));
  const wire = z.encode(DunningPlan, plan);
  await storeSetting(ctx.db, planSetting, wire, ctx.now, person(ctx).userId);
  ctx.audit('dunning.saveDunning', undefined, { before, after: wire });
  publishDunning(ctx, []);
  return shown(ctx, plan, since);
}

/** Turns dunning on or off. Bills that are overdue at that time count from that day. */
export async function switchDunning(
  ctx: Ctx,
  { isOn, rehearsalId }: In<typeof dunning.switchDunning>,
): Promise<Dunning> {
  await lockUntilEnd(ctx, 'dunning plan');
  const [plan, since] = [await planOf(ctx), await onSince(ctx)];
  if (isOn === (since !== null)) return shown(ctx, plan, since);
  if (isOn) await assertRehearsed(ctx, plan, rehearsalId);
  const next = isOn ? ctx.now : null;
  await storeSetting(ctx.db, switchedOnAt, next?.toISOString() ?? null, ctx.now, person(ctx).userId);
  ctx.audit('dunning.switchDunning', undefined, {
    before: { isOn: !isOn },
    after: { isOn },
    ...(rehearsalId && { rehearsal: rehearsalId }),
  });
  publishDunning(ctx, []);
  return shown(ctx, plan, next);
}
