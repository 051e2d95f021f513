// Bills that give back months which earlier bills charged in advance: of what is deferred for them, as far as it is. And bills in the place of void ones.
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { deferralKey, deferredParts, settlesDeferral } from '../rules.ts';
import { userOf } from '../contract.ts';
import type { NewBill } from './store.ts';
import { deferredOf, leftOfVoid } from './store-deferral.ts';

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
 * A bill in the place of a void one, with what it defers as later bills stand: what they gave back of the void bill is not deferred again, and what voiding
 * it took from what they gave back is there again.
 */
export async function asReplacement(ctx: Ctx, bill: NewBill): Promise<NewBill> {
  if (bill.deferred.every(({ minor }) => minor < 0n)) return bill;
  const rows = await leftOfVoid(
    ctx,
    userOf(bill),
    bill.lines.flatMap((line) => (line.covers ? (line.subscriptionId ?? []) : [])),
    bill.month,
  );
  const there = new Map(rows.map((row) => [`${deferralKey(row)} ${row.month}`, row]));
  const deferred = bill.deferred.flatMap((part) => {
    const line = bill.lines[part.position - 1];
    const key = `${deferralKey({ subscriptionId: line?.subscriptionId ?? null, chargeKey: line?.charge?.key ?? '', currency: bill.currency })} ${part.month}`;
    const found = there.get(key);
    if (!found || part.minor < 0n) return [part];
    there.delete(key);
    const rest = part.minor - (found.left > 0n ? found.left : 0n);
    const minor = rest > -found.all ? rest : -found.all;
    return minor === 0n ? [] : [{ ...part, minor }];
  });
  return { ...bill, deferred };
}
