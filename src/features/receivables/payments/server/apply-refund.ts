// Applies providers' refund notices: each refund is booked once in the ledger, and reversed when a bank
// returned it.
import { required } from '#kernel/assert.ts';
import { money } from '#kernel/money.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { ProviderName } from '#features/receivables/gateways/contract.ts';
import type { RefundAnswer, RefundNotice } from '#features/receivables/gateways/server/index.ts';
import { append } from '#features/invoicing/ledger/server/index.ts';
import { paymentsErrors } from '../contract.ts';
import { nextRefund, refundEntries } from '../rules.ts';
import { payAutomatically } from './automatic.ts';
import { notifyAdmins, notifyPayer, publishPayments } from './notices.ts';
import { paymentById, paymentOfReference, type StoredPayment } from './store.ts';
import {
  insertRefund,
  updateRefund,
  recountRefunded,
  refundById,
  refundOfReference,
  type StoredRefund,
} from './store-refunds.ts';

/** Applies a provider's response or notice to a refund. The caller must hold the payment's lock. */
export async function applyRefund(
  ctx: Ctx,
  payment: StoredPayment,
  refund: StoredRefund,
  answer: RefundAnswer,
): Promise<void> {
  const next = nextRefund(refund.state, answer.outcome);
  if (next.state === refund.state && (refund.reference !== null || answer.reference === null)) return;
  await updateRefund(ctx, refund.id, next.state, answer.reference, answer.reason);
  const { organizationId } = payment;
  if (next.books === 1)
    await append(ctx, [
      { kind: 'refund', reference: refund.id, entries: refundEntries(organizationId, refund.amount) },
    ]);
  if (next.books === -1)
    await append(ctx, [
      {
        kind: 'correction',
        reference: refund.id,
        entries: refundEntries(organizationId, money(-refund.amount.minor, refund.amount.currency)),
      },
    ]);
  await recountRefunded(ctx, payment.id);
  if (next.books === -1) await payAutomatically(ctx, [organizationId]);
  publishPayments(ctx, organizationId);
  if (next.state === 'succeeded')
    await notifyPayer(
      ctx,
      payment,
      'payment.refunded',
      'payments.notice_refunded',
      refund.amount,
      { reason: refund.reason },
      refund.id,
    );
  if (next.state === 'failed' && refund.state !== 'failed')
    await notifyAdmins(
      ctx,
      payment,
      'refund.failed',
      'payments.notice_refund_failed',
      refund.amount,
      {},
      refund.id,
    );
}

/**
 * Applies a provider's notice about a refund. A refund made at the provider rather than here is stored, too;
 * if its payment is not known yet, the notice waits for it.
 */
export async function applyRefundNotice(
  ctx: Ctx,
  provider: ProviderName,
  notice: RefundNotice,
): Promise<void> {
  const known = notice.refundId === null ? undefined : await refundById(ctx, notice.refundId);
  const paymentId = known?.paymentId ?? (await paymentOfReference(ctx, provider, notice.paymentReference));
  if (!paymentId) return;
  const payment = required(await paymentById(ctx, paymentId, null, true), 'the payment of a refund');
  if (payment.method !== provider) throw domainError(paymentsErrors, 'payments.wrong_provider');
  // Read again under the payment's lock.
  const refund = known
    ? await refundById(ctx, known.id)
    : ((await refundOfReference(ctx, payment.id, notice.reference)) ??
      (await foreignRefund(ctx, payment, notice)));
  if (!refund) return;
  if (refund.amount.currency !== notice.amount.currency || refund.amount.minor !== notice.amount.minor)
    throw domainError(paymentsErrors, 'payments.amount_differs');
  await applyRefund(ctx, payment, refund, {
    outcome: notice.outcome,
    reference: notice.reference,
    reason: '',
  });
}

async function foreignRefund(
  ctx: Ctx,
  payment: StoredPayment,
  notice: RefundNotice,
): Promise<StoredRefund | undefined> {
  const refundId = await insertRefund(ctx, {
    paymentId: payment.id,
    organizationId: payment.organizationId,
    amount: notice.amount,
    reason: '',
    origin: 'provider',
    reference: notice.reference,
    createdBy: payment.method,
  });
  return refundById(ctx, refundId);
}
