// Closes a checkout at its provider when its bill was paid otherwise, credited or voided, so that the
// customer cannot pay there needlessly.
import * as z from 'zod';
import { id } from '#kernel/shape.ts';
import type { Id } from '#kernel/ids.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import type { Sender } from '#platform/server/live/outbox.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { isProvider } from '#features/receivables/gateways/contract.ts';
import { ProviderRefused, providersOf } from '#features/receivables/gateways/server/index.ts';
import { closeUnpaid } from './settle.ts';
import { paymentById } from './store.ts';

const actor = { kind: 'system', name: 'payments' } as const;
const Message = z.object({ paymentId: id('pay') });

/** Closes checkouts at their provider, a few in parallel. */
export const closeCheckoutSender = (app: App): Sender => ({
  atOnce: 4,
  send: ({ payload }) => closeCheckout(app, Message.parse(payload).paymentId),
});

async function closeCheckout(app: App, paymentId: Id<'pay'>): Promise<void> {
  const payment = await unitOfWork(app, { actor, mode: 'read' }, (ctx) => paymentById(ctx, paymentId));
  const close =
    payment && isProvider(payment.method) ? providersOf(app.config).get(payment.method)?.close : undefined;
  if (!payment || payment.state !== 'pending' || !close) return;
  if (payment.checkoutReference === null) {
    // The checkout is just being created, or the provider's response was lost; after it expires it cannot be
    // paid.
    if (payment.expiresAt !== null && payment.expiresAt < app.clock.now()) return;
    throw new Error('the checkout is not known yet');
  }
  try {
    await close(payment.checkoutReference);
  } catch (error) {
    // The checkout is paid or over; a notice from the provider tells which.
    if (error instanceof ProviderRefused) return;
    throw error;
  }
  await unitOfWork(app, { actor }, async (ctx) => {
    const waiting = await paymentById(ctx, paymentId, null, true);
    if (waiting) await closeUnpaid(ctx, waiting, 'not_needed');
  });
}
