// Topping the balance up and paying bills from it.
import type { In } from '#kernel/contract.ts';
import { mustHave } from '#kernel/must.ts';
import { refuse } from '#kernel/refusal.ts';
import type { Page } from '#kernel/shape.ts';
import { moneyText } from '#kernel/money.ts';
import { person, tenant, type Ctx } from '#platform/server/ctx.ts';
import { billingErrors } from '#features/billing/contract.ts';
import { addPaid, billById, mainCurrency, type IssuedBill } from '#features/billing/server/index.ts';
import { postToAdmins, postToOrganizations } from '#features/notifications/server/index.ts';
import { paymentsErrors, type Balance, type Payment, type payments } from '../contract.ts';
import { billEntries, payMistake, paymentEntries, topUpEntries } from '../rules.ts';
import { accountsOf, append, insertPayment, lockBalance, pageOfPayments, paymentById, settle } from './store.ts';

async function mustFind(ctx: Ctx, paymentId: string): Promise<Payment> {
  const payment = await paymentById(ctx, paymentId);
  if (!payment) throw refuse(paymentsErrors, 'payments.not_found');
  return payment;
}

/** Writes issued bills into the ledger and tells their readers; plugged into billing's signal, so it is one transaction with the issue. */
export async function bookBills(ctx: Ctx, bills: readonly IssuedBill[]): Promise<void> {
  await append(ctx, bills.map((bill) => ({ kind: 'bill', reference: bill.id, entries: billEntries(bill) })));
  await postToOrganizations(ctx, bills.map((bill) => ({
    organizationId: bill.organizationId,
    notice: { kind: 'bill.issued', type: 'payment', category: 'billing', subject: bill.id, period: bill.month, textKey: 'payments.notice_bill_issued', params: { number: bill.number, month: bill.month, amount: moneyText(bill.total), currency: bill.total.currency }, link: `/billing/management?month=${bill.month}` },
  })));
}

/** The prepaid balance and what is owed. */
export async function balance(ctx: Ctx): Promise<Balance> {
  const organizationId = tenant(ctx);
  const accounts = await accountsOf(ctx, organizationId);
  const pending = await pageOfPayments(ctx, organizationId, { state: 'pending' });
  const balances = accounts.filter((account) => account.kind === 'balance').map((account) => account.amount);
  const owed = accounts.filter((account) => account.kind === 'receivable').map((account) => account.amount);
  const currencies = new Set([...owed, ...balances].map((amount) => amount.currency));
  if (currencies.size === 0) currencies.add(await ctx.setting(mainCurrency));
  return { balances: [...currencies].map((currency) => balances.find((amount) => amount.currency === currency) ?? { minor: 0n, currency }), owed, pending: pending.items };
}

/** Announces a transfer into the balance. It counts once an Admin has confirmed that the money arrived. */
export async function topUp(ctx: Ctx, input: In<typeof payments.topUp>): Promise<Payment> {
  const organizationId = tenant(ctx);
  if (input.amount.minor <= 0n) throw refuse(paymentsErrors, 'payments.amount_not_positive');
  const paymentId = await insertPayment(ctx, { organizationId, billId: null, method: 'manual', state: 'pending', amount: input.amount, note: input.note ?? '', createdBy: person(ctx).userId });
  const payment = await mustFind(ctx, paymentId);
  await postToAdmins(ctx, { kind: 'payment.pending', type: 'payment', category: 'billing', subject: paymentId, period: '', textKey: 'payments.notice_pending', params: { organization: payment.organization, amount: moneyText(payment.amount), currency: payment.amount.currency }, link: '/admin/payments' });
  ctx.touch(`org/${organizationId}/bills`, { kind: 'payment' });
  ctx.touch('system/billing', { kind: 'payment' });
  return payment;
}

/** Confirms that a transfer arrived: cash against the organization's balance. */
export async function confirmPayment(ctx: Ctx, input: In<typeof payments.confirmPayment>): Promise<Payment> {
  const payment = await settleAs(ctx, input.paymentId, 'succeeded', null);
  await append(ctx, [{ kind: 'top_up', reference: payment.id, entries: topUpEntries(payment.organizationId, payment.amount) }]);
  await tellSettled(ctx, payment, 'payments.notice_arrived');
  return payment;
}

/** Says that a transfer did not arrive; nothing moves. */
export async function rejectPayment(ctx: Ctx, input: In<typeof payments.rejectPayment>): Promise<Payment> {
  const payment = await settleAs(ctx, input.paymentId, 'failed', input.reason);
  await tellSettled(ctx, payment, 'payments.notice_rejected');
  return payment;
}

async function settleAs(ctx: Ctx, paymentId: string, state: 'succeeded' | 'failed', note: string | null): Promise<Payment> {
  await mustFind(ctx, paymentId);
  if (!(await settle(ctx, paymentId, state, person(ctx).userId, note))) throw refuse(paymentsErrors, 'payments.not_pending');
  ctx.touch('system/billing', { kind: 'payment' });
  return mustFind(ctx, paymentId);
}

async function tellSettled(ctx: Ctx, payment: Payment, textKey: 'payments.notice_arrived' | 'payments.notice_rejected'): Promise<void> {
  ctx.touch(`org/${payment.organizationId}/bills`, { kind: 'payment' });
  await postToOrganizations(ctx, [{
    organizationId: payment.organizationId,
    notice: { kind: 'payment.settled', type: 'payment', category: 'billing', subject: payment.id, period: '', textKey, params: { amount: moneyText(payment.amount), currency: payment.amount.currency, reason: payment.note }, link: '/billing/management' },
  }]);
}

/** Pays what is due on a bill, or a part of it, from the balance. The bill's and the balance's locks make two payments take turns. */
export async function payBill(ctx: Ctx, input: In<typeof payments.payBill>): Promise<Payment> {
  const organizationId = tenant(ctx);
  const bill = await billById(ctx, input.billId, organizationId, true);
  if (!bill) throw refuse(billingErrors, 'billing.bill_not_found');
  if (bill.state === 'void') throw refuse(billingErrors, 'billing.bill_void');
  if (bill.state === 'paid') throw refuse(billingErrors, 'billing.already_paid');
  const amount = input.amount ?? bill.due;
  const mistake = payMistake(amount, bill.due, await lockBalance(ctx, organizationId, bill.currency));
  if (mistake) throw refuse(paymentsErrors, mistake);
  const paymentId = await insertPayment(ctx, { organizationId, billId: bill.id, method: input.method, state: 'succeeded', amount, note: '', createdBy: person(ctx).userId });
  await append(ctx, [{ kind: 'payment', reference: paymentId, entries: paymentEntries(organizationId, amount) }]);
  const state = await addPaid(ctx, bill.id, amount.minor);
  ctx.touch(`org/${organizationId}/bills`, { kind: 'paid' });
  ctx.touch('system/billing', { kind: 'payment' });
  if (state === 'paid') {
    await postToOrganizations(ctx, [{
      organizationId,
      notice: { kind: 'bill.paid', type: 'payment', category: 'billing', subject: bill.id, period: bill.month, textKey: 'payments.notice_bill_paid', params: { number: bill.number, amount: moneyText(bill.total), currency: bill.currency }, link: `/billing/management?month=${bill.month}` },
    }]);
  }
  return mustHave(await paymentById(ctx, paymentId), 'the payment that was just made');
}

export async function listPayments(ctx: Ctx, input: In<typeof payments.listPayments>): Promise<Page<Payment>> {
  return pageOfPayments(ctx, tenant(ctx), input);
}

export async function adminListPayments(ctx: Ctx, input: In<typeof payments.adminListPayments>): Promise<Page<Payment>> {
  const { organizationId, ...filter } = input;
  return pageOfPayments(ctx, organizationId ?? null, filter);
}
