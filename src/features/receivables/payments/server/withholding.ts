// Tax that a customer withheld from a bill (扣繳): it pays the bill, but the customer paid it to the tax office
// on our behalf, so it is a claim on the tax office rather than cash. An Admin records it, and reverses it if
// it was recorded by mistake.
import type { In } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { ValidationError, domainError } from '#kernel/errors.ts';
import { moneyText } from '#kernel/money.ts';
import { dayOf } from '#kernel/time.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { billById, takePaidBack } from '#features/invoicing/billing/server/index.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { append } from '#features/invoicing/ledger/server/index.ts';
import { paymentsErrors, type Payment, type payments } from '../contract.ts';
import { withholdingTakenBackEntries } from '../rules.ts';
import { notifyPayer, publishPayments } from './notices.ts';
import { settleReceived } from './settle.ts';
import { insertPayment, paymentById, shown, type StoredPayment } from './store.ts';
import { insertRefund, recountRefunded, refundsOf, updateRefund } from './store-refunds.ts';

/** Records tax that was withheld from an open bill; it pays the bill at once, at most the amount due. */
export async function recordWithholding(
  ctx: Ctx,
  { billId, amount, withheldOn, certificate = '', note = '' }: In<typeof payments.recordWithholding>,
): Promise<Payment> {
  const bill = await billById(ctx, billId, null, true);
  if (!bill) throw domainError(paymentsErrors, 'payments.not_found');
  if (bill.state !== 'open') throw domainError(paymentsErrors, 'payments.bill_not_open');
  const { language, timeZone } = required(await organizationById(ctx.db, bill.organizationId), 'the buyer');
  if (withheldOn > dayOf(ctx.now, timeZone))
    throw new ValidationError([{ field: 'withheldOn', code: 'payments.withheld_in_future' }]);
  if (amount.currency !== bill.currency) throw domainError(paymentsErrors, 'payments.currency_differs');
  if (amount.minor <= 0n)
    throw new ValidationError([{ field: 'amount', code: 'payments.amount_not_positive' }]);
  if (amount.minor > bill.due.minor)
    throw new ValidationError([{ field: 'amount', code: 'payments.amount_above_due' }]);
  const { userId } = person(ctx);
  const paymentId = await insertPayment(ctx, {
    organizationId: bill.organizationId,
    billId,
    method: 'withholding',
    amount,
    note,
    createdBy: userId,
    language,
    expiresAt: null,
    withholding: { on: withheldOn, certificate },
  });
  const payment = await locked(ctx, paymentId);
  await settleReceived(ctx, payment, amount, { isExact: true, reference: null, settledBy: userId });
  ctx.audit('payments.recordWithholding', paymentId, {
    billId,
    amount: moneyText(amount),
    currency: amount.currency,
    withheldOn,
    certificate,
  });
  return shown(await locked(ctx, paymentId));
}

/**
 * Reverses a withholding that was recorded by mistake: the bill is due again by the full amount. Throws if
 * the bill has since been voided or credited, because the amount is then in the customer's balance.
 */
export async function takeBackWithholding(
  ctx: Ctx,
  { paymentId, reason }: In<typeof payments.takeBackWithholding>,
): Promise<Payment> {
  const payment = await paymentById(ctx, paymentId, null, true);
  if (!payment || payment.method !== 'withholding' || payment.billId === null)
    throw domainError(paymentsErrors, 'payments.not_found');
  if ((await refundsOf(ctx, paymentId)).length > 0)
    throw domainError(paymentsErrors, 'payments.withholding_taken_back');
  const { amount, organizationId, billId } = payment;
  await billById(ctx, billId, null, true);
  if ((await takePaidBack(ctx, billId, amount.minor)) !== amount.minor)
    throw domainError(paymentsErrors, 'payments.withholding_used');
  const refundId = await insertRefund(ctx, {
    paymentId,
    organizationId,
    amount,
    reason,
    origin: 'correction',
    reference: null,
    createdBy: person(ctx).userId,
  });
  await updateRefund(ctx, refundId, 'succeeded', null, '');
  await append(ctx, [
    {
      kind: 'correction',
      reference: refundId,
      entries: withholdingTakenBackEntries(organizationId, amount),
    },
  ]);
  await recountRefunded(ctx, paymentId);
  publishPayments(ctx, organizationId, 'paid');
  await notifyPayer(ctx, payment, 'payment.corrected', 'payments.notice_withholding_taken_back', amount, {
    reason,
  });
  ctx.audit('payments.takeBackWithholding', paymentId, { reason });
  return shown(await locked(ctx, paymentId));
}

async function locked(ctx: Ctx, paymentId: string): Promise<StoredPayment> {
  return required(await paymentById(ctx, paymentId, null, true), 'a withholding');
}
