// Queries providers about payments and refunds with an unknown outcome, after lost webhooks and crashes.
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { isProvider } from '#features/receivables/gateways/contract.ts';
import { ProviderUnsure, providersOf } from '#features/receivables/gateways/server/index.ts';
import { intentOf } from './intents.ts';
import { requestRefund } from './refunds.ts';
import { applyNotice, closeUnpaid } from './settle.ts';
import { countQuery, paymentById, paymentsToAsk, type StoredPayment } from './store.ts';
import { recordUnsure, refundsToAsk, type StoredRefund } from './store-refunds.ts';

const actor = { kind: 'system', name: 'payments' } as const;
const atOnce = 100;

/** Queries everything that has waited too long. A failure does not stop the others. */
export async function reconcile(app: App): Promise<void> {
  const { payments, refunds } = await unitOfWork(app, { actor, mode: 'read' }, async (ctx) => ({
    payments: await paymentsToAsk(ctx, atOnce),
    refunds: await refundsToAsk(ctx, atOnce),
  }));
  for (const payment of payments) await askPayment(app, payment);
  for (const refund of refunds) await askRefund(app, refund);
}

async function askPayment(app: App, payment: StoredPayment): Promise<void> {
  const provider = isProvider(payment.method) ? providersOf(app.config).get(payment.method) : undefined;
  try {
    // The provider is no longer configured; the payment is queried again when it is.
    if (!provider) throw new ProviderUnsure(`${payment.method} is not set up`);
    const answer = await provider.queryPayment(
      intentOf(app, payment),
      payment.checkoutReference,
      app.clock.now(),
    );
    await unitOfWork(app, { actor }, async (ctx) => {
      await countQuery(ctx, payment.id);
      if (answer === 'absent') {
        const waiting = await paymentById(ctx, payment.id, null, true);
        if (waiting) await closeUnpaid(ctx, waiting, 'expired');
      } else if (answer !== 'open') await applyNotice(ctx, { provider: provider.name, notice: answer });
    });
  } catch (error) {
    if (!(error instanceof ProviderUnsure))
      app.log.error({ err: error, paymentId: payment.id }, 'a payment could not be asked about');
    await unitOfWork(app, { actor }, (ctx) => countQuery(ctx, payment.id));
  }
}

async function askRefund(app: App, refund: StoredRefund): Promise<void> {
  try {
    await requestRefund(app, refund.id, true);
  } catch (error) {
    app.log.error({ err: error, refundId: refund.id }, 'a refund could not be asked about');
  }
  await unitOfWork(app, { actor }, (ctx) => recordUnsure(ctx, refund.id));
}

/** Every five minutes; the interval between queries of one payment or refund grows. */
export const reconcileJob = job({ name: 'reconcile-payments', schedule: '*/5 * * * *', run: reconcile });
