// Payments: the prepaid balance, top-ups, paying bills, and the ledger behind them.
import * as z from 'zod/mini';
import { contract, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/refusal.ts';
import { currency, id, instant, moneyShape, optionalText, pageOf, pageQuery, queryInteger, text } from '#kernel/shape.ts';

export const paymentStates = ['pending', 'succeeded', 'failed', 'refunded'] as const;
export const paymentMethods = ['manual', 'balance'] as const;

export const Payment = z.strictObject({
  id: id('pay'),
  organizationId: id('org'),
  organization: z.string(),
  billId: z.nullable(id('bil')),
  billNumber: z.nullable(z.string()),
  method: z.enum(paymentMethods),
  state: z.enum(paymentStates),
  amount: moneyShape,
  note: z.string(),
  createdAt: instant,
  settledAt: z.nullable(instant),
});
export type Payment = z.output<typeof Payment>;

export const Balance = z.strictObject({
  /** One amount for each currency the organization ever had a balance or bill in; the main currency first. */
  balances: z.array(moneyShape),
  /** What is owed on open bills. */
  owed: z.array(moneyShape),
  /** Top-ups that wait for the provider's confirmation. */
  pending: z.array(Payment),
});
export type Balance = z.output<typeof Balance>;

export const LedgerEntry = z.strictObject({
  transactionId: id('ltx'), kind: z.enum(['bill', 'top_up', 'payment', 'refund', 'correction']), reference: z.string(), at: instant,
  accountId: z.string(), accountKind: z.enum(['receivable', 'balance', 'revenue', 'tax', 'cash']), organization: z.nullable(z.string()),
  debit: z.nullable(moneyShape), credit: z.nullable(moneyShape),
});

const readable = { roles: ['User', 'ReadOnly'], apiKey: 'read' } as const;
const user = { roles: ['User'] } as const;
const admin = { roles: ['Admin'] } as const;

export const payments = contract({
  balance: route({ method: 'GET', path: '/billing/balance', access: readable, summary: 'The prepaid balance and what is owed.', input: z.strictObject({}), output: Balance }),
  topUp: route({ method: 'POST', path: '/billing/top-ups', access: user, status: 201, idempotent: true, summary: 'Announces a bank transfer into the balance; an Admin confirms its arrival.', input: z.strictObject({ amount: moneyShape, note: z.optional(optionalText(200)) }), output: Payment }),
  payBill: route({ method: 'POST', path: '/bills/:billId/payments', access: user, status: 201, idempotent: true, summary: 'Pays what is due on a bill, in full or in part.', input: z.strictObject({ billId: id('bil'), method: z.enum(['balance']), amount: z.optional(moneyShape) }), output: Payment }),
  listPayments: route({ method: 'GET', path: '/payments', access: readable, summary: 'The own organization’s payments.', input: z.strictObject({ ...pageQuery, state: z.optional(z.enum(paymentStates)) }), output: pageOf(Payment) }),
  adminListPayments: route({ method: 'GET', path: '/admin/payments', access: admin, summary: 'All payments.', input: z.strictObject({ ...pageQuery, state: z.optional(z.enum(paymentStates)), organizationId: z.optional(id('org')) }), output: pageOf(Payment) }),
  confirmPayment: route({ method: 'POST', path: '/admin/payments/:paymentId/confirm', access: admin, idempotent: true, summary: 'Confirms that a transfer arrived: the balance grows.', input: z.strictObject({ paymentId: id('pay') }), output: Payment }),
  rejectPayment: route({ method: 'POST', path: '/admin/payments/:paymentId/reject', access: admin, idempotent: true, summary: 'Says that a transfer did not arrive.', input: z.strictObject({ paymentId: id('pay'), reason: text(200) }), output: Payment }),
  ledger: route({ method: 'GET', path: '/admin/ledger', access: admin, summary: 'Ledger entries, the newest first.', input: z.strictObject({ limit: z.optional(queryInteger(1, 200)), cursor: z.optional(text(200)), organizationId: z.optional(id('org')) }), output: z.strictObject({ items: z.array(LedgerEntry), nextCursor: z.nullable(z.string()), total: z.int() }) }),
  trialBalance: route({ method: 'GET', path: '/admin/ledger/trial-balance', access: admin, summary: 'Sum of every kind of account; all sums of a currency add up to zero.', input: z.strictObject({}), output: z.strictObject({ items: z.array(z.strictObject({ currency, kind: z.enum(['receivable', 'balance', 'revenue', 'tax', 'cash']), sum: moneyShape })) }) }),
});

export const paymentsErrors = {
  'payments.balance_too_low': 409,
  'payments.amount_not_positive': 422,
  'payments.amount_above_due': 422,
  'payments.currency_differs': 422,
  'payments.not_found': 404,
  'payments.not_pending': 409,
} as const satisfies ErrorTable;

