// One-off charges created by the console: late fees. They need no approval, because an Admin configured their
// terms.
import type { Id } from '#kernel/ids.ts';
import { moneyText, type Money } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { OneOff, OneOffTax } from '../contract.ts';
import { publishOneOffs } from './notices.ts';
import { insertOneOff, moveOneOff, oneOffById } from './store.ts';

/** Charges a late fee on the organization's next bill. `by`: the Admin who set the terms. */
export async function chargeLateFee(
  ctx: Ctx,
  fee: {
    readonly organizationId: Id<'org'>;
    readonly name: OneOff['name'];
    readonly amount: Money;
    readonly chargeOn: LocalDay;
    readonly note: string;
    readonly taxedAs: OneOffTax;
    readonly by: Id<'usr'>;
  },
): Promise<Id<'ooc'>> {
  const id = ctx.newId('ooc');
  const { by, ...made } = fee;
  await insertOneOff(ctx, {
    id,
    ...made,
    subscriptionId: null,
    kind: 'charge',
    quantity: '1',
    unitPrice: moneyText(fee.amount),
    billing: 'next_bill',
    state: 'approved',
    createdBy: by,
    origin: 'late_fee',
  });
  publishOneOffs(ctx, fee.organizationId);
  return id;
}

/**
 * Withdraws a late fee that is not on a bill yet; returns whether it did. `by`: null for the console itself.
 */
export async function takeBackLateFee(
  ctx: Ctx,
  id: string,
  by: Id<'usr'> | null,
  reason: string,
): Promise<boolean> {
  const row = await oneOffById(ctx, id, true);
  if (row?.state !== 'approved') return false;
  await moveOneOff(ctx, id, { state: 'withdrawn', step: 'withdrawn', by, reason });
  publishOneOffs(ctx, row.organizationId);
  return true;
}
