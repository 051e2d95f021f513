// What billing needs from credit grants: those that a month's bills can use, locked until the bills are
// stored, and their use. Use and restoration are booked with the bill, in the same transaction.
import type { Id } from '#kernel/ids.ts';
import { assert, required } from '#kernel/assert.ts';
import { money, type Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { askCreditChecks } from '#features/metering/usage/server/index.ts';
import type { GrantKind } from '../contract.ts';
import { availableIn, byBurnOrder, type GrantFigures, type GrantInForce } from '../rules.ts';
import { coverName } from './cover.ts';
import { endCredit, reopenCredit } from './move-credit.ts';
import {
  bumpVersions,
  expiredSinceVoid,
  grantsForMonth,
  insertMovements,
  lockGrants,
  lockGrantsOfBill,
  usesOfBill,
  type GrantPart,
  type NewMovement,
} from './store-movements.ts';

/**
 * A bill to be replaced, and the maximum that its void returns to paid grants; null if it is already void and
 * has returned it.
 */
export type BillToReplace = { readonly id: Id<'bil'>; readonly mostPaid: Money | null };

/**
 * Returns what organizations' grants can contribute to their bills of a month, in all currencies: by
 * organization id, in order of use, only those with a remaining amount. A fixed number of queries for any
 * number of organizations. `without`: what that bill used is available again, as {@link restoreUses} will
 * return it or, if it already did, {@link reopenUses}.
 */
export async function grantsOf(
  ctx: Ctx,
  organizationIds: readonly string[],
  month: BillingMonth,
  without?: BillToReplace,
): Promise<ReadonlyMap<string, readonly GrantInForce[]>> {
  if (organizationIds.length === 0) return new Map();
  const restored = new Map((without ? await returningOf(ctx, without) : []).map((use) => [use.grantId, use]));
  const found = await grantsForMonth(ctx, organizationIds, month, [...restored.keys()]);
  const inForce = found
    .map((grant) => {
      const use = restored.get(grant.id);
      const figures = use ? asRestored(grant.figures, use, month) : grant.figures;
      return { ...grant, figures, available: money(availableIn(figures, month), grant.currency) };
    })
    .filter((grant) => grant.available.minor > 0n)
    .toSorted((a, b) => byBurnOrder(a.rank, b.rank));
  return new Map(
    [...Map.groupBy(inForce, (grant) => grant.organizationId)].map(([organizationId, grants]) => [
      organizationId,
      grants.map(({ id, version, kind, name, available, scope, figures }) => ({
        id,
        version,
        kind,
        name,
        available,
        isOfMonth: figures.recurring !== null && !figures.recurring.rollover,
        scope,
      })),
    ]),
  );
}

/**
 * Returns what replacing a bill makes available: what it used or, for a void one, what has expired since it
 * was voided.
 */
const returningOf = async (ctx: Ctx, { id, mostPaid }: BillToReplace): Promise<readonly GrantPart[]> =>
  mostPaid === null ? expiredSinceVoid(ctx, id) : upTo(mostPaid.minor, await usesOfBill(ctx, id));

/** The figures of a grant as if a use were returned. */
const asRestored = (
  figures: GrantFigures,
  use: Pick<GrantPart, 'month' | 'minor'>,
  month: BillingMonth,
): GrantFigures => ({
  ...figures,
  taken: figures.taken - use.minor,
  takenInMonth: figures.takenInMonth - (use.month === month ? use.minor : 0n),
});

/**
 * Locks grants until the transaction ends, in a fixed order, so that two closes cannot use the same credit.
 * Returns false if one of them has changed since it was read: read them again. Otherwise increments their
 * versions, so that earlier readers notice.
 */
export async function holdGrants(
  ctx: Ctx,
  read: readonly { readonly id: string; readonly version: bigint }[],
): Promise<boolean> {
  if (read.length === 0) return true;
  const ids = [...new Set(read.map((grant) => grant.id))];
  const versions = await lockGrants(ctx, ids);
  if (read.some((grant) => versions.get(grant.id) !== grant.version)) return false;
  await bumpVersions(ctx, ids);
  return true;
}

export type GrantUse = {
  readonly grantId: string;
  readonly billId: string;
  readonly billNumber: string;
  readonly month: BillingMonth;
  /** Positive. */
  readonly amount: Money;
};

/**
 * Records what bills used. The database rejects more than the remaining amount. A bill's use of a grant is a
 * single movement, so all of it is recorded at once.
 */
export async function recordUses(ctx: Ctx, rows: readonly GrantUse[]): Promise<void> {
  const byBill = Map.groupBy(rows, (row) => `${row.billId} ${row.grantId}`);
  await insertMovements(
    ctx,
    [...byBill.values()].map((uses): NewMovement => {
      const { grantId, billId, billNumber, month } = required(uses[0], 'a use');
      const minor = uses.reduce((sum, use) => sum + use.amount.minor, 0n);
      assert(minor > 0n, 'a bill uses more than nothing of a grant');
      return { grantId, kind: 'used', month, minor: -minor, bill: { id: billId, number: billNumber } };
    }),
  );
}

/** Limits uses so that paid grants together get back at most an amount. */
function upTo<U extends { readonly kind: GrantKind; readonly minor: bigint }>(
  mostPaid: bigint,
  uses: readonly U[],
): U[] {
  let rest = mostPaid;
  const restored: U[] = [];
  for (const use of uses.toReversed()) {
    const minor = use.kind === 'promotional' || use.minor < rest ? use.minor : rest;
    if (minor <= 0n) continue;
    if (use.kind === 'paid') rest -= minor;
    restored.push({ ...use, minor });
  }
  return restored;
}

export type RestoredUse = {
  readonly grantId: Id<'cgr'>;
  readonly kind: GrantKind;
  /** Positive. */
  readonly amount: Money;
};

/**
 * Restores what a voided bill used, for bills of the months that its grants cover; for paid grants at most
 * `mostPaid`, the last used first. What returns to a grant that was withdrawn in the meantime goes where its
 * remainder went, and is booked here. Safe to repeat: the second time there is nothing to restore.
 */
export async function restoreUses(
  ctx: Ctx,
  billId: Id<'bil'>,
  mostPaid: Money,
): Promise<readonly RestoredUse[]> {
  await lockGrantsOfBill(ctx, billId);
  const uses = upTo(mostPaid.minor, await usesOfBill(ctx, billId));
  await insertMovements(
    ctx,
    uses.map(({ grantId, month, minor, billNumber }): NewMovement => ({
      grantId,
      kind: 'restored',
      month,
      minor,
      bill: { id: billId, number: billNumber },
    })),
  );
  await endCredit(
    ctx,
    uses.filter((use) => use.isWithdrawn),
    'withdrawn',
  );
  const paid = uses.filter(({ kind, isWithdrawn }) => kind === 'paid' && !isWithdrawn);
  if (paid.length > 0) {
    // Checked right after the commit: a replacement bill may use it again in this unit of work.
    await askCreditChecks(ctx, new Set(paid.map(({ organizationId }) => organizationId)));
    await ctx.enqueue(coverName, {}, 'now');
  }
  return uses.map(({ grantId, kind, minor, currency }) => ({
    grantId,
    kind,
    amount: money(minor, currency),
  }));
}

/**
 * Restores, for the replacement of a void bill, what the void returned and has expired since. So it makes no
 * difference to the customer whether a bill is replaced at once or much later.
 */
export async function reopenUses(ctx: Ctx, billId: Id<'bil'>): Promise<void> {
  await lockGrantsOfBill(ctx, billId);
  await reopenCredit(ctx, await expiredSinceVoid(ctx, billId));
}
