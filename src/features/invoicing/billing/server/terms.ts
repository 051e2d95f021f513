// Organizations' terms for their bills: loaded in bulk before planning, locked while a bill is issued, used
// up by it, and restored when it is voided.
import type { Id } from '#kernel/ids.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  discountsOf,
  holdDiscounts,
  recordApplications,
  stackingOrder,
  voidApplications,
} from '#features/invoicing/discounts/server/index.ts';
import {
  grantsOf,
  holdGrants,
  paidUseOfBill,
  recordUses,
  restoreUses,
  type BillToReplace,
} from '#features/invoicing/credit-grants/server/index.ts';
import {
  commitmentsOf,
  holdCommitments,
  recordDraws,
  releaseDraws,
} from '#features/invoicing/commitments/server/index.ts';
import {
  holdOneOffs,
  minimumSpendsOf,
  oneOffsOf,
  recordBilled,
  releaseBilled,
} from '#features/invoicing/one-offs/server/index.ts';
import type { AppliedTerms, Terms } from '../rules.ts';
import type { NewBill } from './store.ts';
import { interimsOf, lockInterims } from './store-interims.ts';

/** A minimum spend has no name: its line is named by its kind. */
const minimumSpendKey = 'billing.kind_minimum_spend';

/**
 * Returns the terms in force for some organizations in a month; with `without`, as if that bill were void.
 * Without organizations nothing is read.
 */
export async function termsOf(
  ctx: Ctx,
  organizationIds: readonly Id<'org'>[],
  month: BillingMonth,
  without?: BillToReplace,
): Promise<(organizationId: Id<'org'>) => Terms> {
  const order = await stackingOrder(ctx);
  const discounts = await discountsOf(ctx, organizationIds, month, without?.id);
  const oneOffs = await oneOffsOf(ctx, organizationIds, month, without?.id);
  const commitments = await commitmentsOf(ctx, organizationIds, month, without?.id);
  const minimumSpends = await minimumSpendsOf(ctx, organizationIds, month);
  const grants = await grantsOf(ctx, organizationIds, month, without);
  const interims = await interimsOf(ctx, organizationIds, month);
  const minimumSpendName = {
    zhTW: ctx.text(minimumSpendKey, {}, 'zhTW'),
    enUS: ctx.text(minimumSpendKey, {}, 'enUS'),
  };
  return (organizationId) => ({
    order,
    discounts: discounts.get(organizationId) ?? [],
    oneOffs: oneOffs.get(organizationId) ?? [],
    commitments: commitments.get(organizationId) ?? [],
    minimumSpends: (minimumSpends.get(organizationId) ?? []).map((agreed) => ({
      ...agreed,
      name: minimumSpendName,
    })),
    grants: grants.get(organizationId) ?? [],
    interims: interims.get(organizationId) ?? [],
  });
}

/**
 * Locks the terms used by planned bills until the end of the unit of work, kind by kind in a fixed order;
 * false if another unit of work has changed one of them since the bills were planned.
 */
export async function holdTerms(ctx: Ctx, applied: readonly AppliedTerms[]): Promise<boolean> {
  const discounts = applied.flatMap((each) => each.discounts);
  const oneOffs = applied.flatMap((each) => each.oneOffs);
  const commitments = applied.flatMap((each) => each.commitments);
  const grants = applied.flatMap((each) => [...each.promotional, ...each.prepaid]);
  return (
    (discounts.length === 0 ||
      (await holdDiscounts(
        ctx,
        onceEach(discounts).map(({ id, version }) => ({ redemptionId: id, version })),
      ))) &&
    (oneOffs.length === 0 || (await holdOneOffs(ctx, onceEach(oneOffs)))) &&
    (commitments.length === 0 || (await holdCommitments(ctx, onceEach(commitments)))) &&
    (grants.length === 0 || (await holdGrants(ctx, onceEach(grants))))
  );
}

/**
 * Locks the month's interim bills of organizations, optionally of one currency, until the end of the unit of
 * work; false if they are not those that the planned bills deduct.
 */
export async function holdInterims(
  ctx: Ctx,
  organizationIds: readonly Id<'org'>[],
  month: BillingMonth,
  applied: readonly AppliedTerms[],
  currency?: Currency,
): Promise<boolean> {
  const standing = new Set(await lockInterims(ctx, organizationIds, month, currency));
  const deducted = applied.flatMap(({ interims }) => interims);
  return standing.size === deducted.length && deducted.every((id) => standing.has(id));
}

/** A discount or a grant may be on bills in several currencies, and is locked once. */
const onceEach = <T extends { readonly id: string }>(taken: readonly T[]): T[] => [
  ...new Map(taken.map((each) => [each.id, each])).values(),
];

/** Uses terms up by the amounts on issued bills; the caller holds their locks. */
export async function consumeTerms(ctx: Ctx, bills: readonly NewBill[]): Promise<void> {
  const ofBill = <T, R>(
    pick: (applied: AppliedTerms) => readonly T[],
    row: (taken: T, bill: NewBill) => R,
  ): R[] => bills.flatMap((bill) => pick(bill.applied).map((taken) => row(taken, bill)));
  const named = ({ id, number, month }: NewBill) => ({ billId: id, billNumber: number, month });
  const discounts = ofBill(
    ({ discounts: taken }) => taken,
    ({ id, amount }, bill) => ({ redemptionId: id, amount, ...named(bill) }),
  );
  const oneOffs = ofBill(
    ({ oneOffs: taken }) => taken,
    ({ id }, bill) => ({ id, billId: bill.id, billNumber: bill.number }),
  );
  const draws = ofBill(
    ({ commitments }) => commitments,
    ({ version: _version, ...drawn }, bill) => ({ ...drawn, ...named(bill) }),
  );
  const uses = ofBill(
    ({ promotional, prepaid }) => [...promotional, ...prepaid],
    ({ id, amount }, bill) => ({ grantId: id, amount, ...named(bill) }),
  );
  if (discounts.length > 0) await recordApplications(ctx, discounts);
  if (oneOffs.length > 0) await recordBilled(ctx, oneOffs);
  if (draws.length > 0) await recordDraws(ctx, draws);
  if (uses.length > 0) await recordUses(ctx, uses);
}

/** Returns what prepaid credit paid of a bill. */
export async function prepaidUsed(
  ctx: Ctx,
  bill: { readonly id: Id<'bil'>; readonly currency: Currency },
): Promise<Money> {
  return money(await paidUseOfBill(ctx, bill.id), bill.currency);
}

/**
 * Restores the terms that a bill being voided had used; of prepaid credit at most `prepaid`, because credit
 * notes may have returned part of it to the balance.
 */
export async function releaseTerms(ctx: Ctx, billId: Id<'bil'>, prepaid: Money): Promise<void> {
  await voidApplications(ctx, billId);
  await releaseBilled(ctx, billId);
  await releaseDraws(ctx, billId);
  await restoreUses(ctx, billId, prepaid);
}
