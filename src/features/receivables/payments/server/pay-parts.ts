// Pays the bills of a consolidated bill from the balance, in the caller's transaction.
import type { ContentLanguage } from '#kernel/language.ts';
import type { Id } from '#kernel/ids.ts';
import { required } from '#kernel/assert.ts';
import { money, type Money } from '#kernel/money.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  addPaidToMany,
  consolidatedById,
  sellerOf,
  type PayableBill,
} from '#features/invoicing/billing/server/index.ts';
import { append } from '#features/invoicing/ledger/server/index.ts';
import { automaticPlan, paymentEntries } from '../rules.ts';
import { notifyPaid, publishPayments } from './notices.ts';
import { insertPaid } from './store-automatic.ts';

/**
 * Pays what is due by now on bills whose locks the caller holds, in order, as far as the available money
 * suffices; the balance holds at least that much. One payment per bill, one notice when all are paid.
 */
export async function payParts(
  ctx: Ctx,
  consolidatedId: Id<'cbl'>,
  parts: readonly PayableBill[],
  { limit, by, language }: { readonly limit: Money; readonly by: string; readonly language: ContentLanguage },
): Promise<void> {
  const organizationId = required(parts[0], 'a bill to pay').organizationId;
  const { paid } = automaticPlan(
    parts,
    new Map([[`${organizationId} ${limit.currency}`, limit.minor]]),
    () => true,
  );
  const seller = await sellerOf(ctx);
  const made = paid.map(({ bill, minor }) => ({
    id: ctx.newId('pay'),
    organizationId,
    billId: bill.id,
    amount: money(minor, bill.due.currency),
    parties: { ...seller, buyer: bill.buyer, timeZone: bill.timeZone },
    language,
  }));
  if (made.length === 0) return;
  await insertPaid(ctx, made, 'balance', by);
  await append(
    ctx,
    made.map(({ id, amount }) => ({
      kind: 'payment',
      reference: id,
      entries: paymentEntries(organizationId, amount),
    })),
  );
  await addPaidToMany(
    ctx,
    made.map(({ billId, amount }) => ({ billId, minor: amount.minor })),
  );
  publishPayments(ctx, organizationId, 'paid');
  const bill = required(await consolidatedById(ctx, consolidatedId, organizationId), 'a consolidated bill');
  if (bill.state === 'paid') await notifyPaid(ctx, bill);
}
