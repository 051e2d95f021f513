// What billing needs from commitments: those that a month's bills can draw from, locked until the bills are
// stored, and their draws.
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { byDrawOrder, inForce, type CommitmentInForce } from '../rules.ts';
import { askEstimates, publishCommitments } from './outlooks.ts';
import {
  commitmentsForMonth,
  insertUses,
  raiseHeld,
  releaseUses,
  type BilledCommitment,
  type NewUse,
} from './store-uses.ts';

/**
 * Returns the commitments that organizations' bills of a month draw from, in all currencies: by organization
 * id, each list in the order in which lines belong to them (`commitmentOfLine`); organizations without any
 * are not in the map. With `without`, as if that bill were void. One statement, however many organizations.
 */
export async function commitmentsOf(
  ctx: Ctx,
  organizationIds: readonly string[],
  month: BillingMonth,
  without?: Id<'bil'>,
): Promise<ReadonlyMap<string, readonly CommitmentInForce[]>> {
  if (organizationIds.length === 0) return new Map();
  const found = await commitmentsForMonth(ctx, organizationIds, month, without ?? null);
  const ordered = found.toSorted((a, b) => byDrawOrder(a.rank, b.rank));
  return new Map(
    [...Map.groupBy(ordered, (row) => row.organizationId)].map(([organizationId, rows]) => [
      organizationId,
      rows.flatMap((row) => asInForce(row, month) ?? []),
    ]),
  );
}

const asInForce = (
  { organizationId: _organizationId, rank: _rank, sums, ...commitment }: BilledCommitment,
  month: BillingMonth,
): CommitmentInForce | undefined => inForce(commitment, month, () => sums);

/**
 * Locks commitments until the transaction ends and increments their versions. Returns false, without
 * incrementing any, if one has changed since it was read because another bill drew from it or it ended; the
 * bill must then be planned again.
 */
export async function holdCommitments(
  ctx: Ctx,
  read: readonly { readonly id: Id<'cmt'>; readonly version: bigint }[],
): Promise<boolean> {
  const distinct = [...new Map(read.map((each) => [`${each.id} ${each.version}`, each])).values()];
  return distinct.length === 0 || (await raiseHeld(ctx, distinct)) === distinct.length;
}

/**
 * Records the draws of bills on locked commitments: one row per bill and commitment, even if it drew nothing,
 * because its month then counts as billed. `isSettlement` is the value of `settles`; only settlements have a
 * true-up. The database rejects refunds that return more than was drawn.
 */
export async function recordDraws(ctx: Ctx, rows: readonly NewUse[]): Promise<void> {
  if (rows.length === 0) return;
  const organizationIds = await insertUses(ctx, rows);
  publishCommitments(ctx, organizationIds);
  await askEstimates(ctx, organizationIds);
}

/** Releases what a voided bill drew and charged. Safe to repeat. */
export async function releaseDraws(ctx: Ctx, billId: Id<'bil'>): Promise<void> {
  const organizationIds = await releaseUses(ctx, billId);
  publishCommitments(ctx, organizationIds);
  await askEstimates(ctx, organizationIds);
}
