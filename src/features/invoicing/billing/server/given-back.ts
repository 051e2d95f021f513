// Bills that give back months which earlier bills charged in advance: of what is deferred for them, as far as it is. And bills in the place of void ones.
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { atLeastGivenBack, deferredParts, settlesDeferral } from '../rules.ts';
import { userOf } from '../contract.ts';
import type { NewBill } from './store.ts';
import { deferredOf, releaseReplaced } from './store-deferral.ts';

/**
 * Bills of one month with what they defer and give back as earlier bills stand. Reads nothing where no bill gives back months to come, or a month
 * without service.
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
 * A bill in the place of a void one, with what it defers as later bills stand: where they gave back more of its months than is there without the void one, it
 * brings at least that.
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
