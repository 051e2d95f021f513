// Applies providers' dispute notices: every movement of money is booked once, in whatever order the notices
// arrive.
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { money, type Money } from '#kernel/money.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { domainEvent } from '#platform/server/unit-of-work/domain-event.ts';
import { addPaid, billById, takePaidBack } from '#features/invoicing/billing/server/index.ts';
import type { ProviderName } from '#features/receivables/gateways/contract.ts';
import type { DisputeNotice } from '#features/receivables/gateways/server/index.ts';
import { append } from '#features/invoicing/ledger/server/index.ts';
import { paymentsErrors } from '../contract.ts';
import { disputeEntries, returnedShares, withdrawnShares, type DisputeShares } from '../rules.ts';
import { payAutomatically } from './automatic.ts';
import { notifyAdmins, notifyPaid, notifyPayer, publishPayments } from './notices.ts';
import { spendableBalance } from './spendable.ts';
import { paymentById, paymentOfReference, type StoredPayment } from './store.ts';
import {
  bookedMoves,
  insertMove,
  storeDispute,
  sharesOf,
  withdrawnOf,
  type StoredDispute,
} from './store-disputes.ts';

/** Emitted when a cardholder disputes a payment. */
export const paymentDisputed = domainEvent<{ readonly paymentId: Id<'pay'> }>('payments.paymentDisputed');

/**
 * Applies a provider's notice about a dispute. If its payment is not known yet, the notice waits for it.
 * Withdrawn money is due again at once, not only when the dispute is lost, because it is gone until it is
 * returned.
 */
export async function applyDisputeNotice(
  ctx: Ctx,
  provider: ProviderName,
  notice: DisputeNotice,
): Promise<void> {
  const paymentId = await paymentOfReference(ctx, provider, notice.paymentReference);
  if (!paymentId) return;
  const payment = required(await paymentById(ctx, paymentId, null, true), 'the payment of a dispute');
  const { received } = payment;
  if (
    !received ||
    received.currency !== notice.amount.currency ||
    notice.amount.minor <= 0n ||
    notice.amount.minor > received.minor
  )
    throw domainError(paymentsErrors, 'payments.amount_differs');
  const dispute = await storeDispute(ctx, payment, notice);
  await notifyStanding(ctx, payment, dispute, notice);
  if (dispute.isNew) await ctx.emit(paymentDisputed, { paymentId: payment.id });
  const known = await bookedMoves(ctx, dispute.id);
  // Withdrawals are booked before repayments.
  const fresh = notice.moves
    .filter((move) => !known.has(move.reference))
    .toSorted((a, b) => Number(b.amount.minor - a.amount.minor));
  for (const { reference, amount, fee } of fresh) {
    const shares =
      amount.minor > 0n
        ? await withdraw(ctx, payment, amount)
        : await returnMoney(ctx, payment, dispute, amount);
    const moveId = await insertMove(ctx, dispute.id, reference, amount, shares, fee);
    await append(ctx, [
      {
        kind: 'dispute',
        reference: moveId,
        entries: disputeEntries(payment.organizationId, amount, shares, fee.minor),
      },
    ]);
    await notifyMoved(ctx, payment, amount, shares, moveId);
    if (shares.toBalance < 0n) await payAutomatically(ctx, [payment.organizationId]);
  }
  publishPayments(ctx, payment.organizationId, fresh.length > 0 ? 'paid' : 'payment');
}

async function withdraw(ctx: Ctx, payment: StoredPayment, amount: Money): Promise<DisputeShares> {
  // The bill is locked before the balance, in the same order as when a user pays, to avoid deadlocks.
  const bill =
    payment.billId === null ? undefined : await billById(ctx, payment.billId, payment.organizationId, true);
  const paid = (payment.toBill?.minor ?? 0n) - (await withdrawnOf(ctx, payment.id)).toBill;
  const wanted = amount.minor < paid ? amount.minor : paid;
  const toBill = bill && wanted > 0n ? await takePaidBack(ctx, bill.id, wanted) : 0n;
  return withdrawnShares(
    amount.minor,
    toBill,
    (await spendableBalance(ctx, payment.organizationId, amount.currency)).minor,
  );
}

async function returnMoney(
  ctx: Ctx,
  payment: StoredPayment,
  dispute: StoredDispute,
  amount: Money,
): Promise<DisputeShares> {
  const bill =
    payment.billId === null ? undefined : await billById(ctx, payment.billId, payment.organizationId, true);
  const shares = returnedShares(
    -amount.minor,
    bill?.state === 'open' ? bill.due.minor : 0n,
    await sharesOf(ctx, dispute.id),
  );
  if (bill && shares.toBill < 0n && (await addPaid(ctx, bill.id, -shares.toBill)) === 'paid')
    await notifyPaid(ctx, bill);
  return shares;
}

async function notifyStanding(
  ctx: Ctx,
  payment: StoredPayment,
  dispute: StoredDispute,
  { amount, dueBy, outcome }: DisputeNotice,
): Promise<void> {
  if (dispute.isNew && dueBy !== null)
    await notifyAdmins(
      ctx,
      payment,
      'payment.disputed',
      'payments.notice_disputed',
      amount,
      { date: dueBy.slice(0, 10) },
      dispute.id,
    );
  if (dispute.isNew && dueBy === null)
    await notifyAdmins(
      ctx,
      payment,
      'payment.disputed',
      'payments.notice_disputed_undated',
      amount,
      {},
      dispute.id,
    );
  if (!dispute.closedNow) return;
  const textKey =
    outcome === 'won'
      ? 'payments.notice_dispute_won'
      : outcome === 'lost'
        ? 'payments.notice_dispute_lost'
        : 'payments.notice_dispute_closed';
  await notifyAdmins(ctx, payment, 'payment.disputed', textKey, amount, {}, `${dispute.id} closed`);
}

async function notifyMoved(
  ctx: Ctx,
  payment: StoredPayment,
  amount: Money,
  shares: DisputeShares,
  moveId: string,
): Promise<void> {
  const size = money(amount.minor < 0n ? -amount.minor : amount.minor, amount.currency);
  const textKey =
    amount.minor < 0n
      ? 'payments.notice_given_back'
      : shares.toBill > 0n
        ? 'payments.notice_bill_reopened'
        : 'payments.notice_withdrawn';
  await notifyPayer(ctx, payment, 'payment.disputed', textKey, size, {}, moveId);
}
