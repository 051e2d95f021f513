// Checkouts that are for more than is still due: whoever paid there would pay for nothing.
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { LoweredBill } from '#features/invoicing/billing/server/index.ts';
import { checkoutsAboveDue } from './store.ts';

export const closeCheckoutKind = 'payments.close_checkout';

/** Asks for the checkouts of a bill to be closed that are for more than is due now; plugged into billing's signal. What is paid there all the same joins the balance. */
export async function closeCheckouts(ctx: Ctx, { billId }: Pick<LoweredBill, 'billId'>): Promise<void> {
  for (const paymentId of await checkoutsAboveDue(ctx, billId))
    ctx.send(closeCheckoutKind, paymentId, { paymentId });
}
