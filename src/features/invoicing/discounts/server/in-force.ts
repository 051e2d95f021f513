// Discounts for bills: those in force, locked while a bill is stored, and what it used.
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { DiscountOrder } from '../contract.ts';
import { appliesIn, type DiscountInForce } from '../rules.ts';
import { publishRedemption } from './redeem.ts';
import { stackingOrderSetting } from './settings.ts';
import {
  begunRedemptions,
  insertApplications,
  lockedVersions,
  raiseVersions,
  voidApplicationsOf,
  type BegunRedemption,
  type NewApplication,
} from './store-redemptions.ts';

/**
 * Returns the discounts that apply to organizations' bills of a month, by organization id, in the order in
 * which the organization redeemed them; organizations without any are not in the map. With `without`, as if
 * that bill were void. One statement, however many organizations.
 */
export async function discountsOf(
  ctx: Ctx,
  organizationIds: readonly string[],
  month: BillingMonth,
  without?: Id<'bil'>,
): Promise<ReadonlyMap<string, readonly DiscountInForce[]>> {
  const inForce = new Map<string, DiscountInForce[]>();
  if (organizationIds.length === 0) return inForce;
  for (const row of await begunRedemptions(ctx, organizationIds, month, without ?? null)) {
    if (!appliesIn({ ...row, isEnded: false }, month)) continue;
    const others = inForce.get(row.organizationId);
    if (others) others.push(toInForce(row));
    else inForce.set(row.organizationId, [toInForce(row)]);
  }
  return inForce;
}

const toInForce = (row: BegunRedemption): DiscountInForce => ({
  redemptionId: row.id,
  version: row.version,
  name: row.name,
  reduction: row.reduction,
  maximum: row.maximum,
  scope: { subscriptionId: row.subscriptionId, services: row.scope },
  isOnce: row.duration.kind === 'once',
});

/** Returns the order in which several discounts reduce one bill. */
export const stackingOrder = (ctx: Ctx): Promise<DiscountOrder> => ctx.setting(stackingOrderSetting);

/**
 * Locks redemptions until the transaction ends and increments their versions. Returns false, without
 * incrementing any, if one has a different version than was read, because another bill used it or it was
 * taken away; the bill must then be planned again.
 */
export async function holdDiscounts(
  ctx: Ctx,
  read: readonly { readonly redemptionId: Id<'rdm'>; readonly version: bigint }[],
): Promise<boolean> {
  if (read.length === 0) return true;
  const ids = [...new Set(read.map(({ redemptionId }) => redemptionId))];
  const versions = await lockedVersions(ctx, ids);
  if (read.some(({ redemptionId, version }) => versions.get(redemptionId) !== version)) return false;
  await raiseVersions(ctx, ids);
  return true;
}

/**
 * Stores what bills used of locked redemptions. A discount that took nothing off a bill is not recorded, so
 * that one for a single bill waits for a bill it can reduce.
 */
export async function recordApplications(ctx: Ctx, rows: readonly NewApplication[]): Promise<void> {
  const taken = rows.filter(({ amount }) => amount.minor !== 0n);
  if (taken.length > 0) await insertApplications(ctx, taken);
}

/** Releases what a voided bill used; a discount for one bill may then be used on another. */
export async function voidApplications(ctx: Ctx, billId: Id<'bil'>): Promise<void> {
  for (const { organizationId } of await voidApplicationsOf(ctx, billId))
    publishRedemption(ctx, organizationId);
}
