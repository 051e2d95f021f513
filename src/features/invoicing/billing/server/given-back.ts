// Bills that give back months which earlier bills charged in advance: of what is deferred for them, as far as it is.
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { deferredParts, settlesDeferral } from '../rules.ts';
import { userOf } from '../contract.ts';
import type { NewBill } from './store.ts';
import { deferredOf } from './store-deferral.ts';

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
