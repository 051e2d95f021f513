// Starts payments: the intent is committed first, then the provider is called outside any transaction, then
// its response is committed.
import { contentLanguageOf } from '#kernel/language.ts';
import type { In } from '#kernel/contract.ts';
import { momentFormat } from '#kernel/format-date.ts';
import { formatMoney } from '#kernel/format-money.ts';
import type { Id } from '#kernel/ids.ts';
import { required } from '#kernel/assert.ts';
import { money, type Money } from '#kernel/money.ts';
import { domainError } from '#kernel/errors.ts';
import { person, tenant, type Ctx, type App } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { failPoint } from '#platform/server/fail-point.ts';
import { oncePerKey } from '#platform/server/http/idempotency.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { billingErrors } from '#features/invoicing/billing/contract.ts';
import { addPaid, billById, type PayableBill } from '#features/invoicing/billing/server/index.ts';
import { isPaidLater, isProvider, type ProviderName } from '#features/receivables/gateways/contract.ts';
import {
  ProviderRefused,
  ProviderUnsure,
  providersOf,
  type Intent,
  type Provider,
} from '#features/receivables/gateways/server/index.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { append } from '#features/invoicing/ledger/server/index.ts';
import { paymentsErrors, type Payment, type PaymentIntent, type payments } from '../contract.ts';
import { payMistake, paymentEntries } from '../rules.ts';
import { bankAccountOf } from './bank.ts';
import { notifyAdmins, notifyPaid, publishPayments } from './notices.ts';
import { returnAddress } from './outcome.ts';
import { closeUnpaid, currentParties } from './settle.ts';
import {
  insertPayment,
  storeCheckout,
  paymentUnderWay,
  openIntent,
  paymentById,
  markReceived,
  shownToPayer,
  type StoredPayment,
} from './store.ts';
import { spendableBalance } from './spendable.ts';

/** Pays the amount due on a bill, or part of it. */
export async function payBill(
  ctx: Ctx,
  input: In<typeof payments.payBill>,
  reply: Reply,
): Promise<PaymentIntent> {
  return begun(ctx, reply, 'payments.payBill', (unit) => startBillPayment(unit, input));
}

/** Tops up the balance: by a transfer that an Admin confirms, or at a provider. */
export async function topUp(
  ctx: Ctx,
  input: In<typeof payments.topUp>,
  reply: Reply,
): Promise<PaymentIntent> {
  return begun(ctx, reply, 'payments.topUp', async (unit) => {
    const method = input.method ?? 'manual';
    if (input.amount.minor <= 0n) throw domainError(paymentsErrors, 'payments.amount_not_positive');
    if (isProvider(method))
      return open(unit, { method, billId: null, amount: input.amount, note: input.note ?? '' });
    return createBankTransfer(unit, { method, billId: null, amount: input.amount, note: input.note ?? '' });
  });
}

/** Starts a payment once per idempotency key, and sends it to its provider. */
export async function begun(
  ctx: Ctx,
  reply: Reply,
  action: string,
  start: (unit: Ctx) => Promise<Id<'pay'>>,
): Promise<PaymentIntent> {
  const paymentId = await unitOfWork(
    ctx.app,
    { actor: ctx.actor, language: ctx.language, requestId: ctx.requestId },
    async (unit) => {
      const made = await oncePerKey(unit, reply.once, () => start(unit));
      unit.audit(action, made);
      // The stored response for an idempotency key is the id of the payment created then.
      return made as Id<'pay'>;
    },
  );
  return shownToPayer(await proceed(ctx.app, paymentId));
}

async function startBillPayment(ctx: Ctx, input: In<typeof payments.payBill>): Promise<Id<'pay'>> {
  const organizationId = tenant(ctx);
  const bill = await billById(ctx, input.billId, organizationId, true);
  if (!bill) throw domainError(billingErrors, 'billing.bill_not_found');
  if (bill.state === 'void') throw domainError(billingErrors, 'billing.bill_void');
  if (bill.state === 'paid') throw domainError(billingErrors, 'billing.already_paid');
  const amount = input.amount ?? bill.due;
  const { method } = input;
  // Checked before the balance, so that a user does not top up for a bill that is already being paid.
  await assertNotPaidTwice(ctx, bill, amount);
  const mistake = payMistake(
    amount,
    bill.due,
    method === 'balance' ? await spendableBalance(ctx, organizationId, bill.currency) : amount,
  );
  if (mistake) throw domainError(paymentsErrors, mistake);
  const wanted = { billId: bill.id, amount, note: input.note ?? '' };
  if (isProvider(method)) return open(ctx, { ...wanted, method });
  if (method === 'bank_transfer') {
    if (!(await bankAccountOf(ctx))) throw domainError(paymentsErrors, 'payments.method_not_offered');
    return createBankTransfer(ctx, { ...wanted, method });
  }
  const paymentId = await insert(ctx, { ...wanted, method }, null);
  await markReceived(ctx, paymentId, {
    received: amount,
    toBill: amount.minor,
    isMismatch: false,
    providerReference: null,
    parties: await currentParties(ctx, { organizationId, billId: bill.id }),
    settledBy: person(ctx).userId,
  });
  await append(ctx, [
    { kind: 'payment', reference: paymentId, entries: paymentEntries(organizationId, amount) },
  ]);
  const state = await addPaid(ctx, bill.id, amount.minor);
  publishPayments(ctx, organizationId, 'paid');
  if (state === 'paid') await notifyPaid(ctx, bill);
  return paymentId;
}

/**
 * Throws if a payment for the bill is already in progress, so that it is not paid twice. The caller must hold
 * the bill's lock.
 */
export async function assertNotPaidTwice(
  ctx: Ctx,
  bill: Pick<PayableBill, 'id' | 'organizationId' | 'due'>,
  amount: Money,
): Promise<void> {
  const underWay = await paymentUnderWay(ctx, bill.id);
  if (
    !underWay ||
    amount.currency !== bill.due.currency ||
    amount.minor <= bill.due.minor - underWay.amount.minor
  )
    return;
  const { timeZone } = required(
    await organizationById(ctx.db, bill.organizationId),
    'the organization of a bill',
  );
  throw domainError(paymentsErrors, 'payments.under_way', {
    amount: formatMoney(underWay.amount, ctx.language),
    since: momentFormat(ctx.language, timeZone).dateTime(underWay.since),
  });
}

type Wanted = {
  method: Payment['method'];
  billId: Id<'bil'> | null;
  /** The consolidated bill that the money is for; its `billId` is null. */
  consolidatedId?: Id<'cbl'>;
  amount: Money;
  note: string;
};

function insert(ctx: Ctx, wanted: Wanted, expiresAt: Date | null): Promise<Id<'pay'>> {
  return insertPayment(ctx, {
    organizationId: tenant(ctx),
    ...wanted,
    createdBy: person(ctx).userId,
    language: contentLanguageOf(ctx.language),
    expiresAt,
  });
}

/**
 * Stores the intent of a payment at a provider. An open checkout for the same purpose is reused if its
 * provider allows that.
 */
export async function open(ctx: Ctx, wanted: Wanted & { method: ProviderName }): Promise<Id<'pay'>> {
  const provider = providersOf(ctx.app.config).get(wanted.method);
  if (!provider?.takes(wanted.amount.currency))
    throw domainError(paymentsErrors, 'payments.method_not_offered');
  const { range } = provider;
  if (range && (wanted.amount.minor < range.min.minor || wanted.amount.minor > range.max.minor))
    throw domainError(paymentsErrors, 'payments.amount_out_of_range', {
      min: formatMoney(range.min, ctx.language),
      max: formatMoney(range.max, ctx.language),
    });
  assertInSteps(ctx, wanted.amount, provider.stepOf?.(wanted.amount.currency) ?? 1n);
  const reusable =
    (provider.reopens || isPaidLater(provider.name)) && wanted.billId !== null
      ? await openIntent(ctx, wanted.billId, wanted.method, wanted.amount)
      : undefined;
  if (reusable) return reusable;
  const paymentId = await insert(ctx, wanted, new Date(ctx.now.getTime() + provider.openMinutes * 60_000));
  publishPayments(ctx, tenant(ctx));
  return paymentId;
}

/** @throws payments.amount_not_in_steps */
function assertInSteps(ctx: Ctx, { minor, currency }: Money, step: bigint): void {
  const rest = minor % step;
  if (rest === 0n) return;
  throw domainError(
    paymentsErrors,
    'payments.amount_not_in_steps',
    {
      step: formatMoney(money(step, currency), ctx.language),
      below: formatMoney(money(minor - rest, currency), ctx.language),
      above: formatMoney(money(minor - rest + step, currency), ctx.language),
    },
    ['amount'],
  );
}

/** Announces a bank transfer; it counts once an Admin has confirmed its receipt. */
export async function createBankTransfer(ctx: Ctx, wanted: Wanted): Promise<Id<'pay'>> {
  const paymentId = await insert(ctx, wanted, null);
  const payment = required(await paymentById(ctx, paymentId), 'the payment that was just made');
  await notifyAdmins(ctx, payment, 'payment.pending', 'payments.notice_pending', payment.amount);
  publishPayments(ctx, payment.organizationId);
  return paymentId;
}

/**
 * Sends a stored intent to its provider, unless it was already sent: after a crash, the same checkout is
 * found.
 */
export async function proceed(app: App, paymentId: Id<'pay'>): Promise<StoredPayment> {
  const actor = { kind: 'system', name: 'payments' } as const;
  const find = (): Promise<StoredPayment> =>
    unitOfWork(app, { actor, mode: 'read' }, async (ctx) =>
      required(await paymentById(ctx, paymentId), 'a stored payment'),
    );
  const payment = await find();
  if (payment.state !== 'pending' || !isProvider(payment.method) || payment.checkout) return payment;
  const provider = providersOf(app.config).get(payment.method);
  if (!provider) throw domainError(paymentsErrors, 'payments.provider_unreachable');
  failPoint(app, 'payments.before_begin');
  const checkout = await reach(app, provider, payment);
  failPoint(app, 'payments.after_begin');
  await unitOfWork(app, { actor }, async (ctx) => {
    await storeCheckout(ctx, payment.id, checkout);
    publishPayments(ctx, payment.organizationId);
  });
  failPoint(app, 'payments.after_checkout');
  return find();
}

async function reach(
  app: App,
  provider: Provider,
  payment: StoredPayment,
): Promise<Awaited<ReturnType<Provider['begin']>>> {
  try {
    return await provider.begin(intentOf(app, payment));
  } catch (error) {
    if (error instanceof ProviderUnsure) {
      app.log.warn({ err: error, paymentId: payment.id }, 'a payment provider gave no answer');
      throw domainError(paymentsErrors, 'payments.provider_unreachable', { retryAfter: 5 });
    }
    if (!(error instanceof ProviderRefused)) throw error;
    app.log.error({ err: error, paymentId: payment.id }, 'a payment provider refused a payment');
    await unitOfWork(app, { actor: { kind: 'system', name: 'payments' } }, (ctx) =>
      closeUnpaid(ctx, payment, 'refused'),
    );
    throw domainError(paymentsErrors, 'payments.provider_refused');
  }
}

/**
 * The intent for a provider: always the same for one payment, so that repeated calls find the same checkout.
 */
export function intentOf(app: App, payment: StoredPayment): Intent {
  const translate = (key: string): string => app.translate(payment.language, key);
  return {
    paymentId: payment.id,
    organizationId: payment.organizationId,
    amount: payment.amount,
    createdAt: payment.createdAt,
    expiresAt: payment.expiresAt ?? payment.createdAt,
    language: payment.language,
    description:
      `${translate(payment.billNumber === null ? 'payments.checkout_top_up' : 'payments.checkout_bill')} ${payment.billNumber ?? ''}`.trim(),
    addresses: {
      success: returnAddress(app, payment.id, 'payment'),
      cancelled: returnAddress(app, payment.id, 'cancelled'),
      webhook: `${app.address()}/api/payments/webhooks/${payment.method}`,
    },
    hasInstructions: payment.instructions !== undefined,
  };
}
