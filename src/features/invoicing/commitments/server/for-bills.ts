// What the feature of bills asks of commitments: what a month's bills can draw of, held until they are stored, and
// what they drew.
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
 * The commitments that organizations' bills of a month draw of, in all currencies: by organization id, each list in
 * the order in which lines belong to them (`commitmentOfLine`); an organization without any is not in the map. With
 * `without`, as if that bill were void. One statement, however many organizations.
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
 * Locks commitments until the transaction ends and raises their versions. False, and none raised, when one changed
 * since it was read: another bill drew of it, or it ended; then the bill has to be made anew.
 */
export async function holdCommitments(
  ctx: Ctx,
  read: readonly { readonly id: Id<'cmt'>; readonly version: bigint }[],
): Promise<boolean> {
  const distinct = [...new Map(read.map((each) => [`${each.id} ${each.version}`, each])).values()];
  return distinct.length === 0 || (await raiseHeld(ctx, distinct)) === distinct.length;
}

/**
 * Records what bills made of commitments that are held: one row for each bill and commitment, also where it drew
 * nothing, because its month counts as billed then. `isSettlement` is what `settles` was; without it there is no
 * true-up. The database refuses refunds that give back more than was drawn.
 */
export async function recordDraws(ctx: Ctx, rows: readonly NewUse[]): Promise<void> {
  if (rows.length === 0) return;
  const organizationIds = await insertUses(ctx, rows);
  publishCommitments(ctx, organizationIds);
  await askEstimates(ctx, organizationIds);
}

/** A bill was voided: what it drew and charged counts no longer. Safe to repeat. */
export async function releaseDraws(ctx: Ctx, billId: Id<'bil'>): Promise<void> {
  const organizationIds = await releaseUses(ctx, billId);
  publishCommitments(ctx, organizationIds);
  await askEstimates(ctx, organizationIds);
}
