// Approving, rejecting and withdrawing requests.
import * as z from 'zod/mini';
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import { failPoint } from '#platform/server/fail-point.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unseal } from '#platform/server/security/sealing.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { approvalsErrors, Field, type ApprovalDetail, type approvals } from '../contract.ts';
import { mayDecide } from '../rules.ts';
import type { Console } from './choices.ts';
import { detailOf, requireApproval } from './read.ts';
import { runApproved, secretsPurpose } from './run.ts';
import { decideOnce, takeSealedSecrets } from './store.ts';

/**
 * Records the decision on somebody else's waiting request.
 * @throws approvals.own when the caller made it; approvals.over when it is no longer waiting
 */
async function decide(
  ctx: Ctx,
  approvalId: string,
  { state, note }: { readonly state: 'approved' | 'rejected'; readonly note: string },
): Promise<void> {
  const who = person(ctx);
  const row = await requireApproval(ctx, approvalId);
  const requestedBy = row.requestedBy.id;
  if (requestedBy === who.userId) throw domainError(approvalsErrors, 'approvals.own');
  if (
    !mayDecide(who, { requestedBy, state: row.state }) ||
    !(await decideOnce(ctx, approvalId, { state, by: who.userId, note }))
  )
    throw domainError(approvalsErrors, 'approvals.over');
  const action = state === 'approved' ? 'approvals.approve' : 'approvals.reject';
  ctx.audit(action, approvalId, { call: row.call, requestedBy });
  ctx.publish('system/approvals', { kind: state });
}

/**
 * Approves a request and runs it. The approval is committed first: if the console dies before the run, a job
 * runs it.
 */
export const approveOf =
  (console: Console) =>
  async (ctx: Ctx, { approvalId, note = '' }: In<typeof approvals.approve>): Promise<ApprovalDetail> => {
    const { app, actor, language, requestId } = ctx;
    await unitOfWork(app, { actor, language, requestId }, (unit) =>
      decide(unit, approvalId, { state: 'approved', note }),
    );
    failPoint(app, 'approvals.approved');
    await runApproved(app, console, approvalId, actor);
    return detailOf(ctx, console, await requireApproval(ctx, approvalId));
  };

export const rejectOf =
  (console: Console) =>
  async (ctx: Ctx, { approvalId, note }: In<typeof approvals.reject>): Promise<ApprovalDetail> => {
    await decide(ctx, approvalId, { state: 'rejected', note });
    return detailOf(ctx, console, await requireApproval(ctx, approvalId));
  };

/** Withdraws the caller's own request. @throws approvals.not_own, approvals.over */
export const withdrawApprovalOf =
  (console: Console) =>
  async (ctx: Ctx, { approvalId }: In<typeof approvals.withdrawApproval>): Promise<ApprovalDetail> => {
    const row = await requireApproval(ctx, approvalId);
    if (row.requestedBy.id !== person(ctx).userId) throw domainError(approvalsErrors, 'approvals.not_own');
    if (!(await decideOnce(ctx, approvalId, { state: 'withdrawn', by: null, note: '' })))
      throw domainError(approvalsErrors, 'approvals.over');
    ctx.audit('approvals.withdrawApproval', approvalId, { call: row.call });
    ctx.publish('system/approvals', { kind: 'withdrawn' });
    return detailOf(ctx, console, await requireApproval(ctx, approvalId));
  };

/**
 * Returns the secrets in the answer to the caller's own request; works once.
 * @throws approvals.not_own, approvals.no_secrets
 */
export async function takeSecrets(
  ctx: Ctx,
  { approvalId }: In<typeof approvals.takeSecrets>,
): Promise<Out<typeof approvals.takeSecrets>> {
  const row = await requireApproval(ctx, approvalId);
  if (row.requestedBy.id !== person(ctx).userId) throw domainError(approvalsErrors, 'approvals.not_own');
  if (row.sealedSecrets === null) throw domainError(approvalsErrors, 'approvals.no_secrets');
  await takeSealedSecrets(ctx, approvalId);
  const opened: unknown = JSON.parse(unseal(ctx.app, secretsPurpose, row.id, row.sealedSecrets));
  return { secrets: z.parse(z.array(Field), opened) };
}
