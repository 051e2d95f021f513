// Settles payments when money is received or not: the payment, its bill, the ledger and the notices, in one
// transaction.
import type { Id } from '#kernel/ids.ts';
import { required } from '#kernel/assert.ts';
import { money, type Money } from '#kernel/money.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  addPaid,
  billById,
  lockConsolidated,
  storeProcessing,
  sellerOf,
} from '#features/invoicing/billing/server/index.ts';
import type { ProviderName } from '#features/receivables/gateways/contract.ts';
import { eventsOf, type Notice, type PaymentNotice } from '#features/receivables/gateways/server/index.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { domainEvent } from '#platform/server/unit-of-work/domain-event.ts';
import { askCreditChecks } from '#features/metering/usage/server/index.ts';
import { append } from '#features/invoicing/ledger/server/index.ts';
import { paymentsErrors } from '../contract.ts';
import { receivedEntries, splitReceived } from '../rules.ts';
import { payAutomatically } from './automatic.ts';
import { notifyAdmins, notifyPaid, notifyPayer, publishPayments } from './notices.ts';
import { applyDisputeNotice } from './apply-dispute-notice.ts';
import { closeCheckouts } from './needless-checkouts.ts';
import { payParts } from './pay-parts.ts';
import { orStoreRefused } from './refused.ts';
import { applyRefundNotice } from './apply-refund.ts';
import {
  insertPayment,
  markProcessing,
  paymentUnderWay,
  paymentById,
  paymentOfReference,
  markReceived,
  settleFailed,
  storeInstructions,
  type Parties,
  type StoredPayment,
} from './store.ts';

/** Emitted when the charge of a saved card failed; `code` is the provider's reason. */
export const chargeFailed = domainEvent<{
  readonly paymentId: Id<'pay'>;
  /** Null: a top-up of the balance. */
  readonly billId: Id<'bil'> | null;
  readonly code: string;
}>('payments.chargeFailed');

/** Returns the current seller and buyer; for a bill, the buyer printed on it. */
export async function currentParties(
  ctx: Ctx,
  payment: Pick<StoredPayment, 'organizationId' | 'billId'>,
): Promise<Parties> {
  const organization = required(
    await organizationById(ctx.db, payment.organizationId),
    'the organization of a payment',
  );
  const bill =
    payment.billId === null ? undefined : await billById(ctx, payment.billId, payment.organizationId);
  return {
    ...(await sellerOf(ctx)),
    buyer: bill?.buyer ?? {
      name: organization.name,
      taxId: organization.taxId,
      address: organization.billingAddress,
      email: organization.billingEmail,
    },
    timeZone: organization.timeZone,
  };
}

/**
 * Books money from outside for a payment whose lock the caller holds. `isExact`: the amount must equal the
 * stored one; if it differs, all of it goes to the balance, the bill stays unpaid, and the Admins are
 * notified. Money beyond the amount due goes to the balance, too.
 */
export async function settleReceived(
  ctx: Ctx,
  payment: StoredPayment,
  received: Money,
  options: { isExact: boolean; reference: string | null; settledBy: string },
): Promise<void> {
  const isMismatch =
    options.isExact &&
    (received.currency !== payment.amount.currency || received.minor !== payment.amount.minor);
  const bill =
    payment.billId === null || isMismatch
      ? undefined
      : await billById(ctx, payment.billId, payment.organizationId, true);
  const { toBill, toBalance } = splitReceived(received, bill?.state === 'open' ? bill.due : null);
  // Their locks come before the balance's, in the same order as when a user pays.
  const parts =
    payment.consolidatedId === null || isMismatch ? [] : await lockConsolidated(ctx, payment.consolidatedId);
  if (
    !(await markReceived(ctx, payment.id, {
      received,
      toBill,
      isMismatch,
      providerReference: options.reference,
      parties: await currentParties(ctx, payment),
      settledBy: options.settledBy,
    }))
  )
    return;
  await updateProcessing(ctx, payment);
  await append(ctx, [
    {
      kind: payment.billId === null ? 'top_up' : 'payment',
      reference: payment.id,
      entries: receivedEntries(
        payment.organizationId,
        received,
        toBill,
        payment.method === 'withholding' ? 'withheld_tax' : 'cash',
      ),
    },
  ]);
  publishPayments(ctx, payment.organizationId, 'paid');
  await notifyReceived(ctx, payment, received, { toBalance, isMismatch });
  if (bill && toBill > 0n && (await addPaid(ctx, bill.id, toBill)) === 'paid') await notifyPaid(ctx, bill);
  if (payment.consolidatedId !== null && parts.length > 0)
    await payParts(ctx, payment.consolidatedId, parts, {
      limit: received,
      by: options.settledBy,
      language: payment.language,
    });
  if (toBalance > 0n) {
    await payAutomatically(ctx, [payment.organizationId]);
    // If credit is bought with the balance, purchases it was too low for are made within seconds.
    await askCreditChecks(ctx, new Set([payment.organizationId]));
  }
}

async function notifyReceived(
  ctx: Ctx,
  payment: StoredPayment,
  received: Money,
  { toBalance, isMismatch }: { toBalance: bigint; isMismatch: boolean },
): Promise<void> {
  const rest = money(toBalance, received.currency);
  if (isMismatch) {
    await notifyAdmins(ctx, payment, 'payment.mismatch', 'payments.notice_mismatch', received);
    await notifyPayer(ctx, payment, 'payment.settled', 'payments.notice_mismatch_payer', received);
  } else if (payment.method === 'withholding')
    await notifyPayer(ctx, payment, 'payment.settled', 'payments.notice_withheld', received);
  else if (payment.billId === null && payment.consolidatedId === null)
    await notifyPayer(ctx, payment, 'payment.settled', 'payments.notice_arrived', received);
  else {
    await notifyPayer(ctx, payment, 'payment.settled', 'payments.notice_payment_arrived', received);
    // Money for a consolidated bill passes through the balance.
    if (toBalance > 0n && payment.billId !== null)
      await notifyPayer(ctx, payment, 'payment.excess', 'payments.notice_excess', rest);
  }
}

/** Updates on the bill whether a payment for it is in progress. */
async function updateProcessing(
  ctx: Ctx,
  { billId, consolidatedId }: Pick<StoredPayment, 'billId' | 'consolidatedId'>,
): Promise<void> {
  if (billId !== null) await storeProcessing(ctx, billId, (await paymentUnderWay(ctx, billId)) !== null);
  if (consolidatedId !== null)
    for (const { id } of await lockConsolidated(ctx, consolidatedId))
      await storeProcessing(ctx, id, (await paymentUnderWay(ctx, id)) !== null);
}

/** Marks a payment as failed or expired; money that is received later is still booked. */
export async function closeUnpaid(
  ctx: Ctx,
  payment: StoredPayment,
  failure: string,
  code = failure,
): Promise<void> {
  if (!(await settleFailed(ctx, payment.id, payment.method, failure))) return;
  await updateProcessing(ctx, payment);
  publishPayments(ctx, payment.organizationId);
  if (payment.isOffSession) {
    // Its payer is notified together with what happens next.
    await ctx.emit(chargeFailed, { paymentId: payment.id, billId: payment.billId, code });
    return;
  }
  // A user who closed the provider's page, or paid by another method, needs no notice that the payment
  // failed.
  if (failure !== 'expired' && failure !== 'not_needed')
    await notifyPayer(ctx, payment, 'payment.settled', 'payments.notice_payment_failed', payment.amount);
}

/** Applies a provider's notice in the transaction that stores its event; handles the gateways' event. */
export async function applyNotice(
  ctx: Ctx,
  { provider, notice }: { provider: ProviderName; notice: Notice },
): Promise<void> {
  if (notice.about === 'refund') await applyRefundNotice(ctx, provider, notice);
  else if (notice.about === 'dispute') await applyDisputeNotice(ctx, provider, notice);
  else await applyPaymentNotice(ctx, provider, notice);
}

async function applyPaymentNotice(ctx: Ctx, provider: ProviderName, notice: PaymentNotice): Promise<void> {
  const payment = await paymentById(ctx, notice.paymentId, null, true);
  if (!payment) throw domainError(paymentsErrors, 'payments.not_found');
  if (payment.method !== provider) throw domainError(paymentsErrors, 'payments.wrong_provider');
  if (notice.instructions && (await storeInstructions(ctx, payment.id, notice.instructions)))
    publishPayments(ctx, payment.organizationId);
  if (notice.outcome === 'processing' && (await markProcessing(ctx, payment.id))) {
    // Under the bill's lock: a user who starts to pay in the meantime sees this payment, or has their
    // checkout closed here.
    if (payment.billId !== null) await billById(ctx, payment.billId, payment.organizationId, true);
    await updateProcessing(ctx, payment);
    if (payment.billId !== null) await closeCheckouts(ctx, { billIds: [payment.billId] });
    publishPayments(ctx, payment.organizationId);
  }
  if (notice.outcome === 'failed') await closeUnpaid(ctx, payment, 'declined', notice.declineCode);
  if (notice.outcome !== 'succeeded' || !notice.amount || notice.reference === null) return;
  const { amount, reference } = notice;
  if (payment.providerReference === reference) return;
  const target =
    payment.state === 'pending' || payment.state === 'failed'
      ? payment
      : await secondMoney(ctx, payment, amount, reference);
  if (!target) return;
  await settleReceived(ctx, target, amount, { isExact: true, reference, settledBy: provider });
  // Refund and dispute notices that arrived before the payment itself can be applied now.
  for (const event of await eventsOf(ctx, provider, null, reference)) {
    const { notice: waited } = event;
    if (waited.about === 'refund')
      await orStoreRefused(ctx, event, () => applyRefundNotice(ctx, provider, waited));
    if (waited.about === 'dispute')
      await orStoreRefused(ctx, event, () => applyDisputeNotice(ctx, provider, waited));
  }
}

/** A second payment of the same checkout is booked to the balance as a separate payment, and reported. */
async function secondMoney(
  ctx: Ctx,
  payment: StoredPayment,
  amount: Money,
  reference: string,
): Promise<StoredPayment | undefined> {
  if (await paymentOfReference(ctx, payment.method, reference)) return undefined;
  const paymentId = await insertPayment(ctx, {
    organizationId: payment.organizationId,
    billId: null,
    method: payment.method,
    amount,
    note: payment.id,
    createdBy: payment.method,
    language: payment.language,
    expiresAt: null,
  });
  await notifyAdmins(ctx, payment, 'payment.twice', 'payments.notice_twice', amount, {}, reference);
  return required(await paymentById(ctx, paymentId, null, true), 'the payment that was just made');
}
