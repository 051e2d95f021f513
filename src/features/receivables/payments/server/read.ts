// Queries of payments.
import type { In } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Page } from '#kernel/shape.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { isProvider } from '#features/receivables/gateways/contract.ts';
import { eventsOf } from '#features/receivables/gateways/server/index.ts';
import {
  paymentsErrors,
  type Payment,
  type PaymentDetail,
  type payments,
  type PaymentStep,
} from '../contract.ts';
import { refundableOf, shownRefund } from './refunds.ts';
import { pageOfPayments, paymentById, shown, type StoredPayment } from './store.ts';
import { disputesOf } from './store-disputes.ts';
import { refusedSteps } from './store-refused-notices.ts';
import { refundsOf, type StoredRefund } from './store-refunds.ts';

export async function listPayments(
  ctx: Ctx,
  input: In<typeof payments.listPayments>,
): Promise<Page<Payment>> {
  return pageOfPayments(ctx, tenant(ctx), input);
}

export async function adminListPayments(
  ctx: Ctx,
  input: In<typeof payments.adminListPayments>,
): Promise<Page<Payment>> {
  const { organizationId, ...filter } = input;
  return pageOfPayments(ctx, organizationId ?? null, filter);
}

export async function getPayment(ctx: Ctx, input: In<typeof payments.getPayment>): Promise<Payment> {
  const payment = await paymentById(ctx, input.paymentId, tenant(ctx));
  if (!payment) throw domainError(paymentsErrors, 'payments.not_found');
  return shown(payment);
}

/** Returns one payment with its history. */
export async function adminGetPayment(
  ctx: Ctx,
  input: In<typeof payments.adminGetPayment>,
): Promise<PaymentDetail> {
  const payment = await paymentById(ctx, input.paymentId);
  if (!payment) throw domainError(paymentsErrors, 'payments.not_found');
  const refunds = await refundsOf(ctx, payment.id);
  return {
    ...shown(payment),
    providerReference: payment.providerReference,
    expiresAt: payment.state === 'pending' ? payment.expiresAt : null,
    refunds: refunds.map((refund) => shownRefund(ctx.app, payment, refund)),
    disputes: await disputesOf(ctx, payment.id),
    steps: await stepsOf(ctx, payment, refunds),
    refundable: await refundableOf(ctx, payment),
  };
}

async function stepsOf(
  ctx: Ctx,
  payment: StoredPayment,
  refunds: readonly StoredRefund[],
): Promise<PaymentStep[]> {
  const events = isProvider(payment.method)
    ? await eventsOf(ctx, payment.method, payment.id, payment.providerReference)
    : [];
  const steps: PaymentStep[] = [
    { at: payment.createdAt, kind: 'created', outcome: '', amount: payment.amount, reference: null },
    ...events.map(({ notice, receivedAt }): PaymentStep => ({
      at: receivedAt,
      kind: 'said',
      outcome: `${notice.about}_${notice.outcome}`,
      amount: notice.amount,
      reference: notice.reference,
    })),
    ...(payment.settledAt
      ? [
          {
            at: payment.settledAt,
            kind: 'settled' as const,
            outcome: payment.isMismatch ? 'mismatch' : payment.received ? 'succeeded' : 'failed',
            amount: payment.received,
            reference: null,
          },
        ]
      : []),
    ...refunds.map((refund): PaymentStep => ({
      at: refund.createdAt,
      kind: 'refund',
      outcome: refund.state,
      amount: refund.amount,
      reference: refund.reference,
    })),
  ];
  steps.push(...(await refusedSteps(ctx, payment.id)));
  return steps.toSorted((a, b) => a.at.getTime() - b.at.getTime());
}
