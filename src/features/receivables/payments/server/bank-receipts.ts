// Money from bank statements: settled like a confirmed transfer, and its reversal.
import type { Id } from '#kernel/ids.ts';
import { required } from '#kernel/assert.ts';
import { money, type Money } from '#kernel/money.ts';
import { domainError } from '#kernel/errors.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { billById, consolidatedById } from '#features/invoicing/billing/server/index.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { append } from '#features/invoicing/ledger/server/index.ts';
import { paymentsErrors } from '../contract.ts';
import { refundEntries } from '../rules.ts';
import { notifyPayer, publishPayments } from './notices.ts';
import { refundableOf } from './refunds.ts';
import { settleReceived } from './settle.ts';
import { spendableBalance } from './spendable.ts';
import { insertPayment, paymentById, type StoredPayment } from './store.ts';
import { insertRefund, updateRefund, recountRefunded } from './store-refunds.ts';

/**
 * What money is for: an announced transfer, a bill, all bills on a consolidated bill, or an organization's
 * balance.
 */
type BankTarget = {
  readonly kind: 'transfer' | 'bill' | 'consolidated' | 'balance';
  readonly id: string;
};

/**
 * Books received money: up to the amount due to its bill or bills, the rest to the balance. `reference` is
 * permanently unique, so money is never booked twice.
 */
export async function bookReceived(
  ctx: Ctx,
  target: BankTarget,
  received: Money,
  reference: string,
): Promise<{ paymentId: Id<'pay'>; organizationId: Id<'org'> }> {
  const payment =
    target.kind === 'transfer'
      ? await lockedTransfer(ctx, target.id, received)
      : await createTransfer(ctx, target.kind, target.id, received);
  await settleReceived(ctx, payment, received, { isExact: false, reference, settledBy: person(ctx).userId });
  return { paymentId: payment.id, organizationId: payment.organizationId };
}

async function lockedTransfer(ctx: Ctx, paymentId: string, received: Money): Promise<StoredPayment> {
  const payment = await paymentById(ctx, paymentId, null, true);
  if (!payment) throw domainError(paymentsErrors, 'payments.not_found');
  if (payment.method !== 'manual' && payment.method !== 'bank_transfer')
    throw domainError(paymentsErrors, 'payments.not_by_transfer');
  if (payment.state !== 'pending') throw domainError(paymentsErrors, 'payments.not_pending');
  if (payment.amount.currency !== received.currency)
    throw domainError(paymentsErrors, 'payments.currency_differs');
  return payment;
}

async function createTransfer(
  ctx: Ctx,
  kind: 'bill' | 'consolidated' | 'balance',
  targetId: string,
  received: Money,
): Promise<StoredPayment> {
  const bill = kind === 'bill' ? await billById(ctx, targetId, null, true) : undefined;
  if (kind === 'bill' && bill?.state !== 'open') throw domainError(paymentsErrors, 'payments.bill_not_open');
  if (bill && bill.currency !== received.currency)
    throw domainError(paymentsErrors, 'payments.currency_differs');
  const together = kind === 'consolidated' ? await consolidatedById(ctx, targetId, null) : undefined;
  if (kind === 'consolidated' && together?.state !== 'open')
    throw domainError(paymentsErrors, 'payments.bill_not_open');
  if (together && together.currency !== received.currency)
    throw domainError(paymentsErrors, 'payments.currency_differs');
  const organization = await organizationById(
    ctx.db,
    bill?.organizationId ?? together?.organizationId ?? targetId,
  );
  if (!organization) throw domainError(paymentsErrors, 'payments.not_found');
  const paymentId = await insertPayment(ctx, {
    organizationId: organization.id,
    billId: bill?.id ?? null,
    ...(together && { consolidatedId: together.id }),
    method: bill || together ? 'bank_transfer' : 'manual',
    amount: received,
    note: '',
    createdBy: person(ctx).userId,
    language: organization.language,
    expiresAt: null,
  });
  return required(await paymentById(ctx, paymentId, null, true), 'the payment that was just made');
}

/**
 * Reverses money that was booked to the wrong organization, by a correction of its balance. A paid bill stays
 * paid, so the whole amount must be in the balance; otherwise this throws, and the Admin must void the bill
 * first, which moves its money there.
 */
export async function takeBack(ctx: Ctx, paymentId: string, reason: string): Promise<void> {
  const payment = required(await paymentById(ctx, paymentId, null, true), 'the payment of a bank row');
  const rest = await refundableOf(ctx, payment);
  if (!rest || !payment.received || rest.minor !== payment.received.minor)
    throw domainError(paymentsErrors, 'payments.not_refundable');
  const { organizationId } = payment;
  const balance = await spendableBalance(ctx, organizationId, rest.currency);
  if (balance.minor < rest.minor) throw domainError(paymentsErrors, 'payments.refund_above_balance');
  const refundId = await insertRefund(ctx, {
    paymentId,
    organizationId,
    amount: rest,
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
      entries: refundEntries(organizationId, money(rest.minor, rest.currency)),
    },
  ]);
  await recountRefunded(ctx, paymentId);
  publishPayments(ctx, organizationId);
  await notifyPayer(
    ctx,
    payment,
    'payment.corrected',
    'payments.notice_corrected',
    rest,
    { reason },
    refundId,
  );
}
