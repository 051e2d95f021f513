// Reads requests for approval.
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import { isSomeId } from '#kernel/ids.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { approvalsErrors, type Approval, type ApprovalDetail, type approvals } from '../contract.ts';
import { decides, hasPermission, mayDecide, readableFields, textsIn } from '../rules.ts';
import type { Console } from './choices.ts';
import { heldCallOf, outcomeOf } from './run.ts';
import { titleOf } from './settings.ts';
import { approvalOf, countWaiting, pageOfApprovals, type ApprovalRow } from './store.ts';

/** The user whose requests the caller can see; null when the caller can see everybody's. */
export function seesOf(ctx: Ctx): string | null {
  const who = person(ctx);
  return hasPermission(who, 'read') || hasPermission(who, 'write') ? null : who.userId;
}

function shown(ctx: Ctx, row: ApprovalRow): Approval {
  const {
    keyId: _key,
    sealedCall: _call,
    sealedOutcome: _outcome,
    sealedSecrets: _secrets,
    failureCode: _code,
    failureParams: _params,
    ...rest
  } = row;
  return { ...rest, title: titleOf(ctx, row.call) };
}

export async function listApprovals(
  ctx: Ctx,
  { only, limit, cursor }: In<typeof approvals.listApprovals>,
): Promise<Out<typeof approvals.listApprovals>> {
  const page = await pageOfApprovals(ctx, { only, requestedBy: seesOf(ctx) }, { limit, cursor });
  return {
    ...page,
    items: page.items.map((row) => shown(ctx, row)),
    waiting: await countWaiting(ctx, person(ctx).userId),
  };
}

/** Counts the requests that await the caller's decision; 0 when the caller cannot decide. */
export async function countToDecide(ctx: Ctx): Promise<number> {
  const { actor } = ctx;
  return actor.kind === 'user' && decides(actor) ? countWaiting(ctx, actor.userId) : 0;
}

/** Returns a request that the caller can see. @throws approvals.not_found */
export async function requireApproval(ctx: Ctx, approvalId: string): Promise<ApprovalRow> {
  const row = await approvalOf(ctx, approvalId);
  const whose = seesOf(ctx);
  if (!row || (whose !== null && row.requestedBy.id !== whose))
    throw domainError(approvalsErrors, 'approvals.not_found');
  return row;
}

export const getApprovalOf =
  (console: Pick<Console, 'namesOf'>) =>
  async (ctx: Ctx, { approvalId }: In<typeof approvals.getApproval>): Promise<ApprovalDetail> =>
    detailOf(ctx, console, await requireApproval(ctx, approvalId));

export async function detailOf(
  ctx: Ctx,
  console: Pick<Console, 'namesOf'>,
  row: ApprovalRow,
): Promise<ApprovalDetail> {
  const who = person(ctx);
  const held = heldCallOf(ctx.app, row);
  const outcome = outcomeOf(ctx.app, row);
  const isOwn = row.requestedBy.id === who.userId;
  const ids = [...textsIn(held?.fields), ...textsIn(outcome)].filter(isSomeId);
  const names = await console.namesOf(ctx, ids);
  return {
    ...shown(ctx, row),
    fields: held ? readableFields(held.fields, [], names) : null,
    outcome: outcome === undefined ? null : readableFields(outcome, [], names),
    failure:
      row.failureCode === null
        ? null
        : { code: row.failureCode, message: ctx.text(row.failureCode, row.failureParams ?? {}) },
    isOwn,
    mayDecide: mayDecide(who, { requestedBy: row.requestedBy.id, state: row.state }),
    hasSecrets: isOwn && row.sealedSecrets !== null,
  };
}
