// The amount above which a second Admin has to approve a one-off.
import * as z from 'zod/mini';
import type { In } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Money } from '#kernel/money.ts';
import { acceptedMoney } from '#kernel/shape.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { setting, storeSetting } from '#platform/server/unit-of-work/settings.ts';
import { lockUntilEnd } from '#platform/server/unit-of-work/unit-of-work.ts';
import { oneOffsErrors, type ApprovalSetting, type oneOffs } from '../contract.ts';
import { otherAdmins } from './store.ts';

type WireAmount = z.input<typeof acceptedMoney>;
const stored = z.custom<WireAmount | null>(
  (value) => value === null || z.safeDecode(acceptedMoney, value as WireAmount).success,
);

/** In JSON form, because settings are stored as JSON. */
const approvalSetting = setting<WireAmount | null>('oneoffs.approvalAbove', stored, null);

/** Returns the amount above which a second Admin has to approve; null if no approval is required. */
export async function approvalAbove(ctx: Ctx): Promise<Money | null> {
  const wire = await ctx.setting(approvalSetting);
  return wire && z.decode(acceptedMoney, wire);
}

const viewOf = async (ctx: Ctx, amount: Money | null): Promise<ApprovalSetting> => ({
  approvalAbove: amount,
  otherAdmins: (await otherAdmins(ctx, person(ctx).userId)).length,
});

export const oneOffSettings = async (ctx: Ctx): Promise<ApprovalSetting> =>
  viewOf(ctx, await approvalAbove(ctx));

/** Changes the amount for one-offs created from now on; those awaiting approval still need it. */
export async function saveOneOffSettings(
  ctx: Ctx,
  { approvalAbove: wanted }: In<typeof oneOffs.saveOneOffSettings>,
): Promise<ApprovalSetting> {
  if (wanted && wanted.minor < 0n)
    throw domainError(oneOffsErrors, 'oneoffs.threshold_negative', {}, ['approvalAbove']);
  await lockUntilEnd(ctx, approvalSetting.key);
  const before = await ctx.setting(approvalSetting);
  const after = wanted && z.encode(acceptedMoney, wanted);
  await storeSetting(ctx.db, approvalSetting, after, ctx.now, person(ctx).userId);
  ctx.audit('oneoffs.saveOneOffSettings', undefined, { before, after });
  ctx.publish('system/billing', { kind: 'one-offs' });
  return viewOf(ctx, wanted);
}
