// Checkouts for more than is still due: a customer who paid there would pay for nothing.
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { LoweredBills } from '#features/invoicing/billing/server/index.ts';
import { checkoutsAboveDue } from './store.ts';

export const closeCheckoutKind = 'payments.close_checkout';

/**
 * Queues the closing of bills' checkouts that exceed the amount due; subscribes to billing's event. Money
 * that is paid there all the same goes to the balance.
 */
export async function closeCheckouts(ctx: Ctx, { billIds }: Pick<LoweredBills, 'billIds'>): Promise<void> {
  for (const paymentId of await checkoutsAboveDue(ctx, billIds))
    ctx.send(closeCheckoutKind, paymentId, { paymentId });
}
