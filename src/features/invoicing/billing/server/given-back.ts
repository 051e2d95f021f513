// Bills that refund months which earlier bills charged in advance: from the deferred amounts, as far as they
// go. Also replacements of void bills.
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { atLeastGivenBack, deferredParts, settlesDeferral } from '../rules.ts';
import { userOf } from '../contract.ts';
import type { NewBill } from './store.ts';
import { deferredOf, releaseReplaced } from './store-deferral.ts';

/**
 * Returns bills of one month with what they defer and refund, given earlier bills. Reads nothing if no bill
 * refunds future months or a month without service.
 */
export async function withGivenBack(ctx: Ctx, bills: readonly NewBill[]): Promise<NewBill[]> {
  const settling = (bill: NewBill) => bill.lines.filter((line) => settlesDeferral(bill.month, line));
  const giving = new Set(bills.filter((bill) => settling(bill).length > 0));
  const [first] = giving;
  if (!first) return [...bills];
  const { month } = first;
  const there = await deferredOf(
    ctx,
    {
      organizationIds: [...giving].map(userOf),
      subscriptionIds: [...giving].flatMap(settling).flatMap((line) => line.subscriptionId ?? []),
      month,
    },
    true,
  );
  return bills.map((bill) =>
    giving.has(bill) ? { ...bill, deferred: deferredParts(month, bill.lines, there) } : bill,
  );
}

/**
 * Returns a replacement of a void bill with what it defers, given later bills: if they refunded more of its
 * months than remains without the void bill, it defers at least that much.
 */
export async function asReplacement(ctx: Ctx, bill: NewBill): Promise<NewBill> {
  if (bill.deferred.every(({ minor }) => minor < 0n)) return bill;
  const open = await releaseReplaced(
    ctx,
    userOf(bill),
    bill.lines.flatMap((line) => (line.covers ? (line.subscriptionId ?? []) : [])),
    bill.month,
  );
  return { ...bill, deferred: atLeastGivenBack(bill.lines, bill.deferred, open) };
}
