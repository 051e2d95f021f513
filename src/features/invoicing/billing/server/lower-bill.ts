// What lowers what is due of issued bills: each emits one event in its transaction, for features that wait for bills to be settled.
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
/** What is due of bills became less: they were paid in full or in part, credited or voided. A close lowers those of a chunk at once. */
export const billsLowered = domainEvent<LoweredBills>('billing.billsLowered');

/** Adds to what is paid of a bill; it turns paid when nothing is due any more. The caller holds its lock. */
export async function addPaid(ctx: Ctx, billId: Id<'bil'>, minor: bigint): Promise<Bill['state']> {
  const state = await store.addPaid(ctx, billId, minor);
  await noteDue(ctx, [billId]);
  await ctx.emit(billsLowered, { billIds: [billId], by: 'payment' });
  return state;
}

/** Adds to what is paid of bills whose locks are held; those with nothing due any more turn paid. */
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

/** Adds what a credit note took off what was due of a bill, and what it gave back to the balance. The caller holds its lock. */
export async function addCredited(
  ctx: Ctx,
  billId: Id<'bil'>,
  credited: { readonly toDue: bigint; readonly toBalance: bigint },
): Promise<void> {
  await corrections.addCredited(ctx, billId, credited);
  await noteDue(ctx, [billId]);
  await ctx.emit(billsLowered, { billIds: [billId], by: 'credit' });
}

/** Voids a bill that stands. The caller holds its lock. */
export async function markVoid(ctx: Ctx, billId: Id<'bil'>): Promise<void> {
  await corrections.markVoid(ctx, billId);
  await noteDue(ctx, [billId]);
  await ctx.emit(billsLowered, { billIds: [billId], by: 'void' });
}
