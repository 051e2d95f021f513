// Commitments as Admins and their organizations read them.
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
 * A page of commitments, each heading where its own panel says: worked out for the organizations of the page, in sets. Filters and
 * order go by what was last estimated.
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

/** Undefined when an organization's open month cannot be planned: the others are not to disappear with it, and stand as last estimated. */
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

/** The last month of which a bill that stands drew. */
export const lastBilledOf = (uses: readonly Use[]): Use['month'] | undefined =>
  uses.find(({ releasedAt }) => releasedAt === null)?.month;

/** One commitment with everything about it, its outlook as of now. */
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

/** A commitment that was just stored or changed, as it is now. */
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

/** The own organization's commitments, those that run first, as of now. */
export const ownCommitments =
  (bills: BillsAhead) =>
  async (ctx: Ctx): Promise<Out<typeof commitments.ownCommitments>> => {
    const rows = await commitmentsOfOrganization(ctx, tenant(ctx));
    const estimates = new Map(
      (await estimatesOf(ctx, bills, rows)).map((estimate) => [estimate.id, estimate]),
    );
    return { items: rows.map((row) => ownView(row, ctx.now, estimates.get(row.id) ?? null)) };
  };
