// What ending a commitment early will charge, by the same rules as the bill that settles it.
import { money, type Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { CommitmentDetail, Settlement } from '../contract.ts';
import { periodOf } from '../rules.ts';

/**
 * What is due of the period that would end with a month, and what of it is not used by now: the most that its bill
 * will charge. Null when the commitment would not have begun by then.
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
