// Refunds by an Admin: the intent is committed first, then the provider is called outside any transaction,
// then its response is applied once.
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { required } from '#kernel/assert.ts';
import { money, type Money } from '#kernel/money.ts';
import { domainError } from '#kernel/errors.ts';
import { person, type Ctx, type App } from '#platform/server/unit-of-work/ctx.ts';
import { failPoint } from '#platform/server/fail-point.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { oncePerKey } from '#platform/server/http/idempotency.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { isPaidLater, isProvider } from '#features/receivables/gateways/contract.ts';
import {
  ProviderRefused,
  ProviderUnsure,
  providersOf,
  type RefundAnswer,
  type RefundIntent,
} from '#features/receivables/gateways/server/index.ts';
import { paymentsErrors, type Payment, type payments, type Refund } from '../contract.ts';
import { refundMistake } from '../rules.ts';
import { notifyAdmins, publishPayments } from './notices.ts';
import { applyRefund } from './apply-refund.ts';
import { spendableBalance } from './spendable.ts';
import { paymentById, type StoredPayment } from './store.ts';
import { withdrawnOf } from './store-disputes.ts';
import { insertRefund, recordUnsure, refundById, refundsOf, type StoredRefund } from './store-refunds.ts';

const system = { kind: 'system', name: 'payments' } as const;

/** A refund for display. */
export function shownRefund(
  app: App,
  payment: Pick<StoredPayment, 'method'>,
  { paymentId: _payment, organizationId: _organization, isUnsure, ...refund }: StoredRefund,
): Refund {
  const canAsk =
    isProvider(payment.method) && (providersOf(app.config).get(payment.method)?.knowsRefunds ?? false);
  return { ...refund, needsHand: refund.state === 'pending' && isUnsure && !canAsk };
}

/**
 * Methods without money that could be refunded: the balance, prepaid credit, and tax paid to the tax office.
 */
const notPaidByMoney: ReadonlySet<Payment['method']> = new Set(['balance', 'prepaid_credit', 'withholding']);

/**
 * Returns the amount of a payment that can still be refunded; null if nothing was received, or if it was not
 * paid with money.
 */
export async function refundableOf(ctx: Ctx, payment: StoredPayment): Promise<Money | null> {
  if (!payment.received || notPaidByMoney.has(payment.method)) return null;
  const gone = (await refundsOf(ctx, payment.id))
    .filter((refund) => refund.state !== 'failed')
    .reduce((sum, refund) => sum + refund.amount.minor, 0n);
  return money(
    payment.received.minor - gone - (await withdrawnOf(ctx, payment.id)).all,
    payment.received.currency,
  );
}

/** Refunds prepaid money by the method with which it was paid. */
export async function refundPayment(
  ctx: Ctx,
  input: In<typeof payments.refundPayment>,
  reply: Reply,
): Promise<Refund> {
  const refundId = await unitOfWork(
    ctx.app,
    { actor: ctx.actor, language: ctx.language, requestId: ctx.requestId },
    async (unit) => {
      const made = await oncePerKey(unit, reply.once, () => startRefund(unit, input));
      unit.audit('payments.refundPayment', input.paymentId, { refundId: made, reason: input.reason });
      // The stored response for an idempotency key is the id of the refund created then.
      return made as Id<'rfd'>;
    },
  );
  return requestRefund(ctx.app, refundId, false);
}

async function startRefund(ctx: Ctx, input: In<typeof payments.refundPayment>): Promise<Id<'rfd'>> {
  const payment = await paymentById(ctx, input.paymentId, null, true);
  if (!payment) throw domainError(paymentsErrors, 'payments.not_found');
  const rest = await refundableOf(ctx, payment);
  if (!rest) throw domainError(paymentsErrors, 'payments.not_refundable');
  if (isProvider(payment.method) && !providersOf(ctx.app.config).has(payment.method))
    throw domainError(paymentsErrors, 'payments.method_not_offered');
  const mistake = refundMistake(
    input.amount,
    rest,
    await spendableBalance(ctx, payment.organizationId, rest.currency),
  );
  if (mistake) throw domainError(paymentsErrors, mistake);
  const refundId = await insertRefund(ctx, {
    paymentId: payment.id,
    organizationId: payment.organizationId,
    amount: input.amount,
    reason: input.reason,
    origin: 'admin',
    reference: null,
    createdBy: person(ctx).userId,
  });
  // Bank transfers, and payments to accounts and codes, are refunded manually, so only recording the refund
  // remains.
  if (!isProvider(payment.method) || isPaidLater(payment.method))
    await applyRefund(ctx, payment, required(await refundById(ctx, refundId), 'a refund'), {
      outcome: 'succeeded',
      reference: null,
      reason: '',
    });
  publishPayments(ctx, payment.organizationId);
  return refundId;
}

/**
 * Requests a stored refund from its provider; with `isRetry` it may have been requested before, so its state
 * is queried first.
 */
export async function requestRefund(app: App, refundId: Id<'rfd'>, isRetry: boolean): Promise<Refund> {
  const { payment, refund } = await unitOfWork(app, { actor: system, mode: 'read' }, (ctx) =>
    refundWithPayment(ctx, refundId),
  );
  const provider = isProvider(payment.method) ? providersOf(app.config).get(payment.method) : undefined;
  if (refund.state !== 'pending' || !provider || payment.providerReference === null)
    return shownRefund(app, payment, refund);
  const intent: RefundIntent = {
    refundId,
    paymentId: payment.id,
    amount: refund.amount,
    isWhole: refund.amount.minor === payment.received?.minor,
    isOffSession: payment.isOffSession,
    paymentReference: payment.providerReference,
    reference: refund.reference,
    createdAt: refund.createdAt,
  };
  // A refund that was requested without a response is only queried from now on, to avoid paying twice.
  const mayHaveHappened = isRetry || refund.isUnsure || refund.reference !== null;
  failPoint(app, 'refunds.before_call');
  let answer: RefundAnswer | undefined;
  try {
    answer = mayHaveHappened
      ? await provider.askRefund(intent, app.clock.now())
      : await provider.refund(intent, app.clock.now());
  } catch (error) {
    // A refused query says nothing about the refund itself.
    if (!(error instanceof ProviderUnsure || error instanceof ProviderRefused)) throw error;
    app.log.warn({ err: error, refundId }, 'a payment provider did not say how a refund stands');
  }
  failPoint(app, 'refunds.after_call');
  return unitOfWork(app, { actor: system }, async (ctx) => {
    const locked = required(await paymentById(ctx, payment.id, null, true), 'the payment of a refund');
    const now = required(await refundById(ctx, refundId), 'a refund');
    if (answer) await applyRefund(ctx, locked, now, answer);
    else if (await recordUnsure(ctx, refundId)) {
      publishPayments(ctx, payment.organizationId);
      if (!provider.knowsRefunds)
        await notifyAdmins(
          ctx,
          payment,
          'refund.unsure',
          'payments.notice_refund_unsure',
          refund.amount,
          {},
          refundId,
        );
    }
    return shownRefund(app, payment, required(await refundById(ctx, refundId), 'a refund'));
  });
}

async function refundWithPayment(
  ctx: Ctx,
  refundId: string,
): Promise<{ payment: StoredPayment; refund: StoredRefund }> {
  const refund = required(await refundById(ctx, refundId), 'a refund');
  return { refund, payment: required(await paymentById(ctx, refund.paymentId), 'the payment of a refund') };
}

/** Records the outcome that an Admin looked up at the provider. */
export async function settleRefund(ctx: Ctx, input: In<typeof payments.settleRefund>): Promise<Refund> {
  const payment = await paymentById(ctx, input.paymentId, null, true);
  const refund = payment && (await refundById(ctx, input.refundId));
  if (!payment || refund?.paymentId !== payment.id) throw domainError(paymentsErrors, 'payments.not_found');
  if (!shownRefund(ctx.app, payment, refund).needsHand)
    throw domainError(paymentsErrors, 'payments.refund_not_unsure');
  await applyRefund(ctx, payment, refund, {
    outcome: input.happened ? 'succeeded' : 'failed',
    reference: null,
    reason: '',
  });
  return shownRefund(ctx.app, payment, required(await refundById(ctx, refund.id), 'a refund'));
}
