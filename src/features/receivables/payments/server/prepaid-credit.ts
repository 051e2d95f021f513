// Pays bills by prepaid credit when they are issued, in the same transaction.
import { required } from '#kernel/assert.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { organizationsByIds } from '#features/access/identity/server/index.ts';
import { userOf } from '#features/invoicing/billing/contract.ts';
import { takenOf } from '#features/invoicing/billing/rules.ts';
import {
  addPaidToMany,
  lockPayable,
  sellerOf,
  type IssuedBill,
} from '#features/invoicing/billing/server/index.ts';
import { append } from '#features/invoicing/ledger/server/index.ts';
import { prepaidEntries } from '../rules.ts';
import { insertPaid, type PaidInside } from './store-automatic.ts';

/** The actor of these payments. */
const prepaidName = 'prepaid-credit';

/**
 * Pays each bill with the planned amounts of the organization's prepaid credit: one payment per bill, in
 * bulk.
 */
export async function payByPrepaidCredit(ctx: Ctx, bills: readonly IssuedBill[]): Promise<void> {
  const covered = bills.filter(({ prepaid }) => prepaid.length > 0);
  if (covered.length === 0) return;
  const organizationIds = [...new Set(covered.map(({ organizationId }) => organizationId))];
  const languages = new Map(
    (await organizationsByIds(ctx, organizationIds)).map(({ id, language }) => [id, language]),
  );
  const payable = new Map((await lockPayable(ctx, organizationIds)).map((bill) => [bill.id, bill]));
  const seller = await sellerOf(ctx);
  const paid = covered.map(({ id, organizationId, prepaid, total }): PaidInside => {
    const { buyer, timeZone } = required(payable.get(id), 'a bill that was just issued');
    return {
      id: ctx.newId('pay'),
      organizationId,
      billId: id,
      amount: takenOf(total.currency, prepaid),
      parties: { ...seller, buyer, timeZone },
      language: required(languages.get(organizationId), 'the organization of a bill'),
    };
  });
  await insertPaid(ctx, paid, 'prepaid_credit', prepaidName);
  await append(
    ctx,
    paid.map(({ id, organizationId, amount }, index) => ({
      kind: 'payment',
      reference: id,
      entries: prepaidEntries(organizationId, amount, userOf(required(covered[index], 'the bill'))),
    })),
  );
  await addPaidToMany(
    ctx,
    covered.map(({ id, prepaid, total }) => ({ billId: id, minor: takenOf(total.currency, prepaid).minor })),
  );
}
