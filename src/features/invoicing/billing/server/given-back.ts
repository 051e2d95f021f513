// Bills that give back months which earlier bills charged in advance: of what is deferred for them, as far as it is.
import { required } from '#kernel/assert.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { deferralKey, withinOpen, type DeferredPart } from '../rules.ts';
import { userOf } from '../contract.ts';
import type { NewBill } from './store.ts';
import { openOfSubscriptions } from './store-deferral.ts';

const lineOf = ({ lines }: NewBill, { position }: DeferredPart) =>
  required(lines[position - 1], 'the line of a part');

/** The bills with what they defer and give back as it can be booked. Reads nothing where no bill gives later months back. */
export async function withGivenBack(ctx: Ctx, bills: readonly NewBill[]): Promise<NewBill[]> {
  const giving = bills.filter(({ deferred }) => deferred.some(({ minor }) => minor < 0n));
  if (giving.length === 0) return [...bills];
  const open = await openOfSubscriptions(
    ctx,
    giving.map(userOf),
    giving.flatMap((bill) => bill.deferred.flatMap((part) => lineOf(bill, part).subscriptionId ?? [])),
  );
  return bills.map((bill) =>
    giving.includes(bill)
      ? {
          ...bill,
          deferred: withinOpen(
            bill.deferred,
            (part) => {
              const { subscriptionId, charge } = lineOf(bill, part);
              return deferralKey({
                subscriptionId,
                chargeKey: charge?.key ?? '',
                currency: bill.currency,
                month: part.month,
              });
            },
            open,
          ),
        }
      : bill,
  );
}
