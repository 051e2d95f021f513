// Automatic payment of bills from balances: in bulk, never more than is due or prepaid, safe to repeat.
import type { Id } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import { dayMs } from '#kernel/durations.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { addPaidToMany, lockPayable, sellerOf } from '#features/invoicing/billing/server/index.ts';
import { append, lockBalances } from '#features/invoicing/ledger/server/index.ts';
import { automaticPlan, paymentEntries } from '../rules.ts';
import { notifyAutomatic, publishPayments } from './notices.ts';
import {
  automaticAmong,
  billsUnderWay,
  insertPaid,
  pendingRefundsOf,
  type PaidInside,
} from './store-automatic.ts';

/** The actor of automatic payments, and the name of their job. */
export const automaticName = 'pay-automatically';
/** A bill that a user is paying in another way is left alone for this long. */
export const otherPaymentWaitMs = 3 * dayMs;

/**
 * Pays open bills of the organizations with automatic payment, in this transaction, and returns the number of
 * payments. The bills' locks come first, then the balances', in the same order as when a user pays; of two
 * concurrent runs for the same bill, one waits or skips it.
 */
export async function payAutomatically(ctx: Ctx, organizationIds: readonly string[]): Promise<number> {
  const wanted = await automaticAmong(ctx, organizationIds);
  if (wanted.size === 0) return 0;
  const ids = [...wanted.keys()].toSorted();
  const open = await lockPayable(ctx, ids);
  if (open.length === 0) return 0;
  const underWay = await billsUnderWay(
    ctx,
    open.map((bill) => bill.id),
    new Date(ctx.now.getTime() - otherPaymentWaitMs),
  );
  const balances = await lockBalances(ctx, ids);
  const leaving = await pendingRefundsOf(ctx, ids);
  const available = new Map([...balances].map(([key, minor]) => [key, minor - (leaving.get(key) ?? 0n)]));
  const { paid, short } = automaticPlan(
    open.filter((bill) => !underWay.has(bill.id)),
    available,
    (organizationId) => wanted.get(organizationId)?.isPartial ?? false,
  );
  if (paid.length > 0) {
    const seller = await sellerOf(ctx);
    const made = paid.map(({ bill, minor }): PaidInside & { bill: typeof bill } => ({
      id: ctx.newId('pay'),
      organizationId: bill.organizationId,
      billId: bill.id,
      amount: money(minor, bill.due.currency),
      parties: { ...seller, buyer: bill.buyer, timeZone: bill.timeZone },
      language: wanted.get(bill.organizationId)?.language ?? 'zhTW',
      bill,
    }));
    await insertPaid(ctx, made, 'balance', automaticName);
    await append(
      ctx,
      made.map((payment) => ({
        kind: 'payment',
        reference: payment.id,
        entries: paymentEntries(payment.organizationId, payment.amount),
      })),
    );
    await addPaidToMany(
      ctx,
      made.map((payment) => ({ billId: payment.bill.id, minor: payment.amount.minor })),
    );
    for (const organizationId of new Set(made.map((payment) => payment.organizationId)))
      publishPayments(ctx, organizationId, 'paid');
    await notifyAutomatic(
      ctx,
      made.map(({ id, bill, amount }) => ({ about: id, bill, amount, textKey: 'payments.notice_automatic' })),
    );
  }
  await notifyAutomatic(
    ctx,
    short.map((bill) => ({
      about: bill.id,
      bill,
      amount: bill.due,
      textKey: 'payments.notice_automatic_short',
    })),
  );
  return paid.length;
}

/** After a chunk of bills was issued: queues the job that pays those with automatic payment. */
export async function askAutomatic(ctx: Ctx, organizationIds: readonly string[]): Promise<void> {
  if ((await automaticAmong(ctx, organizationIds)).size > 0)
    await ctx.enqueue(automaticName, {}, automaticName);
}

/** Handles credits' event: a credit returned paid money to a customer's balance. */
export async function payForCredited(
  ctx: Ctx,
  { organizationId }: { organizationId: Id<'org'> },
): Promise<void> {
  await payAutomatically(ctx, [organizationId]);
}
