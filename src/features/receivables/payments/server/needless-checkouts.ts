// Checkouts for more than is still due, with which a customer would pay needlessly.
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { LoweredBills } from '#features/invoicing/billing/server/index.ts';
import { checkoutsAboveDue } from './store.ts';

export const closeCheckoutKind = 'payments.close_checkout';

/**
 * Queues the closing of bills' checkouts that exceed the amount due; handles billing's event. Money that is
 * paid there nevertheless goes to the balance.
 */
export async function closeCheckouts(ctx: Ctx, { billIds }: Pick<LoweredBills, 'billIds'>): Promise<void> {
  for (const paymentId of await checkoutsAboveDue(ctx, billIds))
    ctx.send(closeCheckoutKind, paymentId, { paymentId });
}
