// Queries of commitments for Admins and their organizations.
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import type { Page } from '#kernel/shape.ts';
import { monthOf } from '#kernel/time.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  commitmentsErrors,
  type Commitment,
  type CommitmentDetail,
  type commitments,
  type Use,
} from '../contract.ts';
import { earliestEnd } from '../rules.ts';
import { estimatesOf, type BillsAhead } from './outlooks.ts';
import { commitmentById, commitmentsOfOrganization, pageOfCommitments, type CommitmentRow } from './store.ts';
import type { Estimate } from './store-outlooks.ts';
import { usesOf } from './store-uses.ts';
import { commitmentView, detailView, ownView } from './view.ts';

/**
 * Returns a page of commitments with current projections, computed in bulk for the organizations of the page.
 * Filter and order use the last stored estimates.
 */
export const adminListCommitments =
  (bills: BillsAhead) =>
  async (ctx: Ctx, input: In<typeof commitments.adminListCommitments>): Promise<Page<Commitment>> => {
    const page = await pageOfCommitments(ctx, input);
    const estimates = await estimatesOfPage(ctx, bills, page.items);
    return {
      ...page,
      items: page.items.map((row) => commitmentView(row, ctx.now, estimates?.get(row.id))),
    };
  };

/**
 * Undefined if an organization's open month cannot be planned: the others then fall back to their last
 * estimates instead of failing with it.
 */
async function estimatesOfPage(
  ctx: Ctx,
  bills: BillsAhead,
  rows: readonly CommitmentRow[],
): Promise<ReadonlyMap<string, Estimate> | undefined> {
  try {
    return new Map((await estimatesOf(ctx, bills, rows)).map((estimate) => [estimate.id, estimate]));
  } catch (error) {
    ctx.app.log.warn({ err: error }, 'where commitments are heading could not be worked out for a list');
    return undefined;
  }
}

/** Returns the last month for which a bill in force drew from it. */
export const lastBilledOf = (uses: readonly Use[]): Use['month'] | undefined =>
  uses.find(({ releasedAt }) => releasedAt === null)?.month;

/** Returns one commitment with all details and its current projection. */
export async function detailOf(ctx: Ctx, bills: BillsAhead, row: CommitmentRow): Promise<CommitmentDetail> {
  const uses = await usesOf(ctx, row.id, row.currency);
  const [estimate = null] = await estimatesOf(ctx, bills, [row]);
  const standing = {
    terms: row.terms,
    current: monthOf(ctx.now, row.timeZone),
    lastBilled: lastBilledOf(uses),
  };
  return detailView(row, ctx.now, { uses, estimate, endsFrom: earliestEnd(standing) });
}

/** Returns the current state of a commitment that was just stored or changed. */
export async function changedDetail(
  ctx: Ctx,
  bills: BillsAhead,
  commitmentId: string,
): Promise<CommitmentDetail> {
  return detailOf(ctx, bills, required(await commitmentById(ctx, commitmentId), 'the commitment'));
}

export const adminGetCommitment =
  (bills: BillsAhead) =>
  async (
    ctx: Ctx,
    { commitmentId }: In<typeof commitments.adminGetCommitment>,
  ): Promise<CommitmentDetail> => {
    const row = await commitmentById(ctx, commitmentId);
    if (!row) throw domainError(commitmentsErrors, 'commitments.not_found');
    return detailOf(ctx, bills, row);
  };

/** Returns the caller's organization's commitments, current ones first, with current projections. */
export const ownCommitments =
  (bills: BillsAhead) =>
  async (ctx: Ctx): Promise<Out<typeof commitments.ownCommitments>> => {
    const rows = await commitmentsOfOrganization(ctx, tenant(ctx));
    const estimates = new Map(
      (await estimatesOf(ctx, bills, rows)).map((estimate) => [estimate.id, estimate]),
    );
    return { items: rows.map((row) => ownView(row, ctx.now, estimates.get(row.id) ?? null)) };
  };
