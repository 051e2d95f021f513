// Settings: which actions need approval, and how long requests wait.
import * as z from 'zod/mini';
import type { In } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { setting, storeSetting } from '#platform/server/unit-of-work/settings.ts';
import { lockUntilEnd } from '#platform/server/unit-of-work/unit-of-work.ts';
import {
  approvalsErrors,
  choiceNames,
  type ApprovalSettings,
  type approvals,
  type ChoiceName,
} from '../contract.ts';
import type { Choices } from './choices.ts';
import { approvers } from './store.ts';

/** Unknown names, as of another version, are ignored. */
export const chosenSetting = setting('approvals.chosen', z.array(z.string()), []);
export const daysSetting = setting('approvals.days', z.int(), 7);

export const knownOf = (stored: readonly string[]): ChoiceName[] =>
  choiceNames.filter((name) => stored.includes(name));

/** A title that says what a call would do; the audit log's action names say that it was done. */
export const titleOf = (ctx: Ctx, call: string): string =>
  // used as: 'approvals.call_*'
  ctx.text(`approvals.call_${call}`);

export async function readSettings(ctx: Ctx, choices: Choices): Promise<ApprovalSettings> {
  return {
    chosen: knownOf(await ctx.setting(chosenSetting)),
    days: await ctx.setting(daysSetting),
    choices: choiceNames.map((name) => ({
      name,
      calls: choices[name].calls.map((call) => titleOf(ctx, call)),
    })),
    approvers: (await approvers(ctx)).length,
  };
}

/** Selects the actions that need approval. @throws approvals.needs_two */
export async function saveSettings(
  ctx: Ctx,
  choices: Choices,
  { chosen, days }: In<typeof approvals.setApprovals>,
): Promise<ApprovalSettings> {
  await lockUntilEnd(ctx, 'approvals');
  const before = { chosen: knownOf(await ctx.setting(chosenSetting)), days: await ctx.setting(daysSetting) };
  const after = { chosen: knownOf(chosen), days };
  if (after.chosen.length > 0 && (await approvers(ctx)).length < 2)
    throw domainError(approvalsErrors, 'approvals.needs_two', {}, ['chosen']);
  const by = ctx.actor.kind === 'user' ? ctx.actor.userId : 'cli';
  await storeSetting(ctx.db, chosenSetting, after.chosen, ctx.now, by);
  await storeSetting(ctx.db, daysSetting, days, ctx.now, by);
  ctx.audit('approvals.setApprovals', undefined, { before, after });
  ctx.publish('system/approvals', { kind: 'settings' });
  return { ...(await readSettings(ctx, choices)), ...after };
}
