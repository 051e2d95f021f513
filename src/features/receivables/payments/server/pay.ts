// The prepaid balance, and transfers that an Admin confirms.
import type { In } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { money } from '#kernel/money.ts';
import { domainError } from '#kernel/errors.ts';
import { person, tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { laterOf, mainCurrency, type IssuedBill } from '#features/invoicing/billing/server/index.ts';
import { accountsOf, append } from '#features/invoicing/ledger/server/index.ts';
import { paymentsErrors, type Balance, type Payment, type payments } from '../contract.ts';
import { billEntries } from '../rules.ts';
import { askAutomatic } from './automatic.ts';
import { payByPrepaidCredit } from './prepaid-credit.ts';
import { notifyIssued, notifyPayer, publishPayments } from './notices.ts';
import { settleReceived } from './settle.ts';
import { paymentById, pendingTopUps, settleFailed, shown, type StoredPayment } from './store.ts';
import { automaticOf } from './store-automatic.ts';

/**
 * Books issued bills in the ledger and notifies their organizations; handles billing's event, so it runs in
 * the transaction that issues them.
 */
export async function bookBills(ctx: Ctx, bills: readonly IssuedBill[]): Promise<void> {
  await append(
    ctx,
    bills.map((bill) => ({ kind: 'bill', reference: bill.id, entries: billEntries(bill) })),
  );
  await payByPrepaidCredit(ctx, bills);
  await notifyIssued(ctx, bills);
  await askAutomatic(
    ctx,
    bills.map((bill) => bill.organizationId),
  );
}

/** Returns the prepaid balance and the amount due. */
export async function balance(ctx: Ctx): Promise<Balance> {
  const organizationId = tenant(ctx);
  const accounts = await accountsOf(ctx, organizationId);
  const pending = await pendingTopUps(ctx, organizationId);
  const balances = accounts.filter((account) => account.kind === 'balance').map((account) => account.amount);
  // Installments of an agreed plan due on a later day are not due yet; the ledger has the whole amount.
  const later = await laterOf(ctx, organizationId);
  const owed = accounts
    .filter((account) => account.kind === 'receivable')
    .map(({ amount }) => money(amount.minor - (later.get(amount.currency) ?? 0n), amount.currency));
  const currencies = new Set([...owed, ...balances].map((amount) => amount.currency));
  if (currencies.size === 0) currencies.add(await ctx.setting(mainCurrency));
  return {
    balances: [...currencies].map(
      (currency) => balances.find((amount) => amount.currency === currency) ?? { minor: 0n, currency },
    ),
    owed,
    pending,
    automatic: await automaticOf(ctx, organizationId),
  };
}

/** Returns a transfer that waits for an Admin, locked so that two Admins cannot decide on it concurrently. */
async function waitingTransfer(ctx: Ctx, paymentId: string): Promise<StoredPayment> {
  const payment = await paymentById(ctx, paymentId, null, true);
  if (!payment) throw domainError(paymentsErrors, 'payments.not_found');
  if (payment.method !== 'manual' && payment.method !== 'bank_transfer')
    throw domainError(paymentsErrors, 'payments.not_by_transfer');
  if (payment.state !== 'pending') throw domainError(paymentsErrors, 'payments.not_pending');
  return payment;
}

/**
 * Confirms that a transfer was received: it pays its bill up to the amount due, the rest goes to the balance.
 */
export async function confirmPayment(ctx: Ctx, input: In<typeof payments.confirmPayment>): Promise<Payment> {
  const payment = await waitingTransfer(ctx, input.paymentId);
  const received = input.amount ?? payment.amount;
  if (received.minor <= 0n) throw domainError(paymentsErrors, 'payments.amount_not_positive');
  if (received.currency !== payment.amount.currency)
    throw domainError(paymentsErrors, 'payments.currency_differs');
  await settleReceived(ctx, payment, received, {
    isExact: false,
    reference: null,
    settledBy: person(ctx).userId,
  });
  return shown(required(await paymentById(ctx, payment.id), 'a payment'));
}

/** Records that a transfer was not received; no money moves. */
export async function rejectPayment(ctx: Ctx, input: In<typeof payments.rejectPayment>): Promise<Payment> {
  const payment = await waitingTransfer(ctx, input.paymentId);
  await settleFailed(ctx, payment.id, person(ctx).userId, 'rejected', input.reason);
  publishPayments(ctx, payment.organizationId);
  await notifyPayer(ctx, payment, 'payment.settled', 'payments.notice_rejected', payment.amount, {
    reason: input.reason,
  });
  return shown(required(await paymentById(ctx, payment.id), 'a payment'));
}
