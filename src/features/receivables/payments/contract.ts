// Payments: the prepaid balance, top-ups, paying bills by all methods, receipts and refunds.
import * as z from 'zod/mini';
import { contract, file, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import {
  acceptedMoney,
  day,
  id,
  instant,
  language,
  moneyShape,
  optionalText,
  pageOf,
  pageQuery,
  queryFlag,
  text,
} from '#kernel/shape.ts';
import { ConsolidatedBillDetail } from '#features/invoicing/billing/contract-consolidated.ts';
import { disputeStates, providers } from '#features/receivables/gateways/contract.ts';

export const paymentStates = ['pending', 'succeeded', 'failed', 'refunded'] as const;
/**
 * `waiting`: the provider has not reported yet whether money was received; as far as the console knows,
 * nothing was paid.
 */
export const paymentOutcomes = ['waiting', 'paid', 'failed'] as const;
/** Where a provider's page returns to, whoever paid: in the console, or in a frame of another site. */
export const paymentsPaths = { returned: '/payments/returned' } as const;
/**
 * `manual`: a transfer to the balance; `bank_transfer`: one that pays a bill; `prepaid_credit`: credit grants
 * that paid a bill when it was issued; `withholding`: tax that the customer withheld and paid to the tax
 * office.
 */
export const paymentMethods = [
  'manual',
  'balance',
  ...providers,
  'bank_transfer',
  'prepaid_credit',
  'withholding',
] as const;
const billMethods = ['balance', ...providers, 'bank_transfer'] as const;
const topUpMethods = ['manual', ...providers] as const;

/** `open`: a dispute is running, or withdrawn money has not been returned; `lost`: the money is gone. */
export const disputeStandings = ['open', 'lost'] as const;

export const Payment = z.strictObject({
  id: id('pay'),
  organizationId: id('org'),
  organization: z.string(),
  billId: z.nullable(id('bil')),
  /**
   * For a consolidated bill, its number, while `billId` is null: its bills are paid by separate payments from
   * the balance.
   */
  billNumber: z.nullable(z.string()),
  method: z.enum(paymentMethods),
  state: z.enum(paymentStates),
  amount: moneyShape,
  /** The received amount, which may differ; null until money was received. */
  received: z.nullable(moneyShape),
  /** How much of it paid the bill; the rest is in the balance. */
  toBill: z.nullable(moneyShape),
  refunded: z.nullable(moneyShape),
  /**
   * The dispute state of a payment and the amount currently withdrawn; null without a dispute. The payment's
   * own state does not change.
   */
  dispute: z.nullable(z.strictObject({ standing: z.enum(disputeStandings), withdrawn: moneyShape })),
  /** The received amount differs from the agreed one: it is in the balance, and an Admin must review it. */
  isMismatch: z.boolean(),
  /** The reference that a bank transfer must contain to be matched. */
  reference: z.string(),
  failure: z.string(),
  note: z.string(),
  /**
   * The provider's account or code that the customer pays to; without a bank it is a convenience store code.
   */
  instructions: z.optional(
    z.strictObject({ bank: z.nullable(z.string()), number: z.string(), expiresAt: instant }),
  ),
  /**
   * For withheld tax: its day, and the number of the tax office's certificate, empty until it is available.
   */
  withholding: z.optional(z.strictObject({ on: day, certificate: z.string() })),
  createdAt: instant,
  settledAt: z.nullable(instant),
});
export type Payment = z.output<typeof Payment>;

/** A payment, with the customer's next step while it is open at its provider. */
export const PaymentIntent = z.extend(Payment, {
  checkout: z.nullable(
    z.strictObject({ url: z.string(), fields: z.nullable(z.record(z.string(), z.string())) }),
  ),
});
export type PaymentIntent = z.output<typeof PaymentIntent>;

export const refundStates = ['pending', 'succeeded', 'failed'] as const;
export const Refund = z.strictObject({
  id: id('rfd'),
  state: z.enum(refundStates),
  amount: moneyShape,
  reason: z.string(),
  origin: z.enum(['admin', 'provider', 'correction']),
  reference: z.nullable(z.string()),
  failure: z.string(),
  /** The provider cannot report the outcome: an Admin has to look it up there and record it manually. */
  needsHand: z.boolean(),
  createdAt: instant,
  settledAt: z.nullable(instant),
});
export type Refund = z.output<typeof Refund>;

/** A claim by a cardholder's bank to get the money of a payment back. */
export const Dispute = z.strictObject({
  id: id('dsp'),
  state: z.enum(disputeStates),
  amount: moneyShape,
  /** The reason in the provider's terms. */
  reason: z.string(),
  /** Until when the provider accepts evidence. */
  evidenceDueAt: z.nullable(instant),
  /** The amount currently withdrawn, its part that is due on the bill again, and the provider's fee. */
  withdrawn: moneyShape,
  toBill: moneyShape,
  fee: moneyShape,
  reference: z.string(),
  createdAt: instant,
  closedAt: z.nullable(instant),
});
export type Dispute = z.output<typeof Dispute>;

/** One step in the history of a payment. */
export const PaymentStep = z.strictObject({
  at: instant,
  kind: z.enum(['created', 'said', 'settled', 'refund', 'refused']),
  outcome: z.string(),
  amount: z.nullable(moneyShape),
  /** The provider's reference. */
  reference: z.nullable(z.string()),
});
export type PaymentStep = z.output<typeof PaymentStep>;

export const PaymentDetail = z.extend(Payment, {
  providerReference: z.nullable(z.string()),
  expiresAt: z.nullable(instant),
  refunds: z.array(Refund),
  disputes: z.array(Dispute),
  steps: z.array(PaymentStep),
  refundable: z.nullable(moneyShape),
});
export type PaymentDetail = z.output<typeof PaymentDetail>;

/** A signed provider event that could not be applied. */
export const RefusedNotice = z.strictObject({
  provider: z.enum(providers),
  eventId: z.string(),
  /** Null if it could not be parsed that far. */
  about: z.nullable(z.enum(['payment', 'refund', 'dispute'])),
  amount: z.nullable(moneyShape),
  paymentId: z.nullable(id('pay')),
  organization: z.nullable(z.string()),
  code: z.string(),
  reason: z.string(),
  /** How often it was received, and whether it was applied on a later delivery. */
  times: z.int(),
  firstAt: instant,
  lastAt: instant,
  isApplied: z.boolean(),
  /** When it was handled, by which Admin (null: the user was deleted), and their note. */
  settledAt: z.nullable(instant),
  settledBy: z.nullable(z.string()),
  settleNote: z.string(),
});
export type RefusedNotice = z.output<typeof RefusedNotice>;

/** `open`: neither applied later nor handled. */
export const refusedStandings = ['open', 'done'] as const;

/**
 * Whether bills are paid automatically from the balance; `isPartial`: as far as the balance suffices,
 * otherwise fully or not at all.
 */
export const Automatic = z.strictObject({ isOn: z.boolean(), isPartial: z.boolean() });
export type Automatic = z.output<typeof Automatic>;

export const Balance = z.strictObject({
  /** One amount for each currency the organization ever had a balance or bill in; the main currency first. */
  balances: z.array(moneyShape),
  /** The amount due on open bills. */
  owed: z.array(moneyShape),
  /** Top-ups waiting for the provider's confirmation. */
  pending: z.array(Payment),
  automatic: Automatic,
});
export type Balance = z.output<typeof Balance>;

/** Money that a payer's bank has been moving for days: that part of a bill need not be paid again. */
export const UnderWay = z.strictObject({ amount: moneyShape, since: instant });
export type UnderWay = z.output<typeof UnderWay>;

/** The account for bank transfers; without an account number, transfers are not offered for bills. */
export const BankAccount = z.strictObject({
  bank: optionalText(120),
  holder: optionalText(120),
  account: optionalText(60),
  note: optionalText(300),
});
export type BankAccount = z.output<typeof BankAccount>;

const readable = { roles: ['User', 'ReadOnly'], apiKey: 'read' } as const;
const user = { roles: ['User'] } as const;
const admin = { roles: ['Admin'] } as const;
const onePayment = z.strictObject({ paymentId: id('pay') });

export const payments = contract({
  balance: route({
    method: 'GET',
    path: '/billing/balance',
    access: readable,
    isBatchable: true,
    summary: 'Get your balance',
    description: 'The prepaid balance and what’s due.',
    input: z.strictObject({}),
    output: Balance,
  }),
  setAutomatic: route({
    method: 'PUT',
    path: '/billing/automatic-payment',
    access: user,
    summary: 'Set automatic payment from the balance',
    description:
      'Whether bills are paid from the balance automatically, oldest first, in full only or as far as it goes. Turning it on pays open bills immediately.',
    input: Automatic,
    output: Balance,
  }),
  paymentOptions: route({
    method: 'GET',
    path: '/payments/options',
    access: user,
    summary: 'List payment options',
    description:
      'The available ways to pay and the bank account for transfers; for a bill, also payments already on their way.',
    input: z.strictObject({ billId: z.optional(id('bil')) }),
    output: z.strictObject({
      providers: z.array(z.enum(providers)),
      /** The minimum and maximum amounts of providers that have limits. */
      ranges: z.array(z.strictObject({ provider: z.enum(providers), min: moneyShape, max: moneyShape })),
      bankAccount: z.nullable(BankAccount),
      underWay: z.nullable(UnderWay),
    }),
  }),
  topUp: route({
    method: 'POST',
    path: '/billing/top-ups',
    access: user,
    status: 201,
    idempotent: true,
    summary: 'Top up the balance',
    description:
      'Announces a bank transfer (`manual`), which an Admin confirms on arrival, or starts a checkout at a provider.',
    input: z.strictObject({
      amount: acceptedMoney,
      method: z.optional(z.enum(topUpMethods)),
      note: z.optional(optionalText(200)),
    }),
    output: PaymentIntent,
  }),
  payBill: route({
    method: 'POST',
    path: '/bills/:billId/payments',
    access: user,
    status: 201,
    idempotent: true,
    summary: 'Pay a bill',
    description:
      'In full or in part: from the balance immediately, with an announced transfer, or through a checkout at a provider. What’s already on its way isn’t paid again.',
    input: z.strictObject({
      billId: id('bil'),
      method: z.enum(billMethods),
      amount: z.optional(acceptedMoney),
      note: z.optional(optionalText(200)),
    }),
    output: PaymentIntent,
  }),
  payConsolidatedBill: route({
    method: 'POST',
    path: '/consolidated-bills/:consolidatedId/payments',
    access: user,
    status: 201,
    idempotent: true,
    summary: 'Pay a consolidated bill',
    description:
      'Pays what’s due on all its bills at once. From the balance, all or none of them are paid; by transfer or checkout, they’re paid as the money arrives.',
    input: z.strictObject({ consolidatedId: id('cbl'), method: z.enum(billMethods) }),
    output: z.strictObject({
      bill: ConsolidatedBillDetail,
      /** The payment that waits for its money; null if it was paid from the balance. */
      payment: z.nullable(PaymentIntent),
    }),
  }),
  listPayments: route({
    method: 'GET',
    path: '/payments',
    access: readable,
    isBatchable: true,
    summary: 'List your payments',
    input: z.strictObject({ ...pageQuery, state: z.optional(z.enum(paymentStates)) }),
    output: pageOf(Payment),
  }),
  paymentOutcome: route({
    method: 'GET',
    path: '/payments/:paymentId/outcome',
    access: 'public',
    perMinute: 120,
    summary: 'Get a payment’s outcome',
    description:
      'How far a payment at a provider is, for people who return from the provider’s page without being signed in. `seal` is part of the return URL.',
    input: z.strictObject({ paymentId: id('pay'), seal: text(100) }),
    output: z.strictObject({ outcome: z.enum(paymentOutcomes) }),
  }),
  getPayment: route({
    method: 'GET',
    path: '/payments/:paymentId',
    access: readable,
    summary: 'Get a payment',
    input: onePayment,
    output: Payment,
  }),
  receipt: route({
    method: 'GET',
    path: '/payments/:paymentId/receipt',
    access: readable,
    atOnce: 2,
    summary: 'Download a receipt',
    description: 'The receipt of a successful payment, as PDF.',
    input: z.strictObject({ paymentId: id('pay'), language: z.optional(language) }),
    output: file,
  }),

  adminListPayments: route({
    method: 'GET',
    path: '/admin/payments',
    access: admin,
    summary: 'List all payments',
    input: z.strictObject({
      ...pageQuery,
      state: z.optional(z.enum(paymentStates)),
      method: z.optional(z.enum(paymentMethods)),
      byTransfer: z.optional(queryFlag),
      organizationId: z.optional(id('org')),
    }),
    output: pageOf(Payment),
  }),
  bankAccount: route({
    method: 'GET',
    path: '/admin/payments/bank-account',
    access: admin,
    summary: 'Get the bank account for transfers',
    input: z.strictObject({}),
    output: BankAccount,
  }),
  setBankAccount: route({
    method: 'PUT',
    path: '/admin/payments/bank-account',
    access: admin,
    fresh: true,
    summary: 'Set the bank account for transfers',
    input: BankAccount,
    output: BankAccount,
  }),
  adminGetPayment: route({
    method: 'GET',
    path: '/admin/payments/:paymentId',
    access: admin,
    summary: 'Get any payment',
    description: 'Includes what its provider reported and its refunds.',
    input: onePayment,
    output: PaymentDetail,
  }),
  adminListAutomatic: route({
    method: 'GET',
    path: '/admin/payments/automatic',
    access: admin,
    summary: 'List organizations with automatic payment',
    description: 'Organizations whose bills are paid from their balance automatically.',
    input: z.strictObject(pageQuery),
    output: pageOf(
      z.strictObject({
        organizationId: id('org'),
        organization: z.string(),
        isPartial: z.boolean(),
        changedAt: instant,
      }),
    ),
  }),
  adminListRefused: route({
    method: 'GET',
    path: '/admin/payments/refused-events',
    access: admin,
    summary: 'List provider events that couldn’t be applied',
    description: 'Signed events from payment providers, with the reason, newest first.',
    input: z.strictObject({
      standing: z.optional(z.enum(refusedStandings)),
      sort: pageQuery.sort,
      limit: pageQuery.limit,
      cursor: pageQuery.cursor,
    }),
    output: pageOf(RefusedNotice),
  }),
  settleRefused: route({
    method: 'POST',
    path: '/admin/payments/refused-events/settle',
    access: admin,
    idempotent: true,
    fresh: true,
    summary: 'Resolve a provider event',
    description: 'Records how an event that couldn’t be applied was dealt with. Repeating it has no effect.',
    input: z.strictObject({ provider: z.enum(providers), eventId: text(300), note: text(500) }),
    output: RefusedNotice,
  }),
  confirmPayment: route({
    method: 'POST',
    path: '/admin/payments/:paymentId/confirm',
    access: admin,
    idempotent: true,
    summary: 'Confirm a transfer',
    description:
      'Records that it arrived, possibly with another amount. It pays its bill as far as it goes; the rest is added to the balance.',
    input: z.strictObject({ paymentId: id('pay'), amount: z.optional(acceptedMoney) }),
    output: Payment,
  }),
  rejectPayment: route({
    method: 'POST',
    path: '/admin/payments/:paymentId/reject',
    access: admin,
    idempotent: true,
    summary: 'Reject a transfer',
    description: 'Records that it didn’t arrive.',
    input: z.strictObject({ paymentId: id('pay'), reason: text(200) }),
    output: Payment,
  }),
  refundPayment: route({
    method: 'POST',
    path: '/admin/payments/:paymentId/refunds',
    access: admin,
    status: 201,
    idempotent: true,
    fresh: true,
    summary: 'Refund a payment',
    description:
      'Pays prepaid money back the way it came, up to what’s left of the payment and of the balance.',
    input: z.strictObject({ paymentId: id('pay'), amount: acceptedMoney, reason: text(200) }),
    output: Refund,
  }),
  recordWithholding: route({
    method: 'POST',
    path: '/admin/bills/:billId/withholdings',
    access: admin,
    status: 201,
    idempotent: true,
    summary: 'Record withheld tax',
    description:
      'Tax that the customer withheld from an open bill. It pays the bill as a claim on the tax office instead of cash.',
    input: z.strictObject({
      billId: id('bil'),
      amount: acceptedMoney,
      withheldOn: day,
      certificate: z.optional(optionalText(60)),
      note: z.optional(optionalText(200)),
    }),
    output: Payment,
  }),
  takeBackWithholding: route({
    method: 'POST',
    path: '/admin/payments/:paymentId/take-back',
    access: admin,
    idempotent: true,
    fresh: true,
    summary: 'Reverse withheld tax',
    description: 'For tax recorded by mistake. That amount of the bill is due again.',
    input: z.strictObject({ paymentId: id('pay'), reason: text(200) }),
    output: Payment,
  }),
  settleRefund: route({
    method: 'POST',
    path: '/admin/payments/:paymentId/refunds/:refundId/settle',
    access: admin,
    idempotent: true,
    fresh: true,
    summary: 'Settle a refund',
    description: 'Records whether a refund happened when the provider can’t be asked.',
    input: z.strictObject({ paymentId: id('pay'), refundId: id('rfd'), happened: z.boolean() }),
    output: Refund,
  }),
});

export const paymentsErrors = {
  'payments.balance_too_low': 409,
  'payments.amount_not_positive': 422,
  'payments.amount_above_due': 422,
  'payments.currency_differs': 422,
  'payments.under_way': 409,
  'payments.method_not_offered': 422,
  'payments.amount_out_of_range': 422,
  'payments.amount_not_in_steps': 422,
  'payments.not_found': 404,
  'payments.not_pending': 409,
  'payments.not_by_transfer': 409,
  'payments.bill_not_open': 409,
  'payments.no_receipt': 409,
  'payments.provider_refused': 502,
  'payments.provider_unreachable': 503,
  'payments.wrong_provider': 409,
  'payments.amount_differs': 422,
  'payments.not_refundable': 409,
  'payments.refund_above_rest': 422,
  'payments.refund_above_balance': 409,
  'payments.refund_not_unsure': 409,
  'payments.refused_not_found': 404,
  'payments.withheld_in_future': 400,
  'payments.withholding_used': 409,
  'payments.withholding_taken_back': 409,
} as const satisfies ErrorTable;
