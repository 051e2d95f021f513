// Computes what ending a commitment early will charge, by the same rules as the bill that settles it.
import { money, type Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { CommitmentDetail, Settlement } from '../contract.ts';
import { periodOf } from '../rules.ts';

/**
 * The amount due for the period that would end with a month, and the part not used so far, which is the most
 * that its bill will charge. Null if the commitment would not have started by then.
 */
export function endPreview(
  {
    startsOn,
    months,
    period,
    amounts,
    currency,
    periods,
    current,
  }: Pick<
    CommitmentDetail,
    'startsOn' | 'months' | 'period' | 'amounts' | 'currency' | 'periods' | 'current'
  >,
  lastMonth: BillingMonth,
  settlement: Settlement,
): { readonly target: Money; readonly missing: Money } | null {
  const ends = periodOf(
    {
      startsOn,
      months,
      period,
      amounts: amounts.map(({ minor }) => minor),
      ended: { lastMonth, settlement },
    },
    lastMonth,
  );
  if (!ends) return null;
  const drawn = periods.find(({ index }) => index === ends.index)?.drawn.minor ?? 0n;
  const used = current?.index === ends.index ? (current.outlook?.used.minor ?? drawn) : drawn;
  const missing = ends.target - used;
  return {
    target: money(ends.target, currency),
    missing: money(missing > 0n ? missing : 0n, currency),
  };
}
