// Everything that lowers the amount due of issued bills. Each function emits one event in its transaction,
// for features that wait for bills to be settled.
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { domainEvent } from '#platform/server/unit-of-work/domain-event.ts';
import type { Bill } from '../contract.ts';
import * as store from './store.ts';
import * as corrections from './store-corrections.ts';
import { noteDue } from './store-due-history.ts';
import * as payable from './store-payable.ts';

export type LoweredBills = {
  readonly billIds: readonly Id<'bil'>[];
  readonly by: 'payment' | 'credit' | 'void';
};
/**
 * Emitted when the amount due of bills decreased: they were fully or partly paid, credited or voided. A close
 * emits it once for a chunk.
 */
export const billsLowered = domainEvent<LoweredBills>('billing.billsLowered');

/**
 * Adds to the paid amount of a bill, which becomes paid when nothing is due any more. The caller holds its
 * lock.
 */
export async function addPaid(ctx: Ctx, billId: Id<'bil'>, minor: bigint): Promise<Bill['state']> {
  const state = await store.addPaid(ctx, billId, minor);
  await noteDue(ctx, [billId]);
  await ctx.emit(billsLowered, { billIds: [billId], by: 'payment' });
  return state;
}

/**
 * Adds to the paid amounts of bills whose locks the caller holds; those with nothing due any more become
 * paid.
 */
export async function addPaidToMany(
  ctx: Ctx,
  paid: readonly { readonly billId: Id<'bil'>; readonly minor: bigint }[],
): Promise<void> {
  await payable.addPaidToMany(ctx, paid);
  await noteDue(
    ctx,
    paid.map(({ billId }) => billId),
  );
  await ctx.emit(billsLowered, { billIds: paid.map(({ billId }) => billId), by: 'payment' });
}

/**
 * Adds what a credit note deducted from the amount due of a bill, and what it returned to the balance. The
 * caller holds its lock.
 */
export async function addCredited(
  ctx: Ctx,
  billId: Id<'bil'>,
  credited: { readonly toDue: bigint; readonly toBalance: bigint },
): Promise<void> {
  await corrections.addCredited(ctx, billId, credited);
  await noteDue(ctx, [billId]);
  await ctx.emit(billsLowered, { billIds: [billId], by: 'credit' });
}

/** Voids a bill in force. The caller holds its lock. */
export async function markVoid(ctx: Ctx, billId: Id<'bil'>): Promise<void> {
  await corrections.markVoid(ctx, billId);
  await noteDue(ctx, [billId]);
  await ctx.emit(billsLowered, { billIds: [billId], by: 'void' });
}
