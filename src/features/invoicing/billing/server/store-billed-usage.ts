// SQL of subscriptions' usage on issued bills, for features that compare it.
import { sql } from 'kysely';
import { isCurrency, money, type Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

/**
 * Returns the usage of some subscriptions on the month's bills in force, before discounts on the whole bill
 * and before tax: their usage, minimums and maximums, and adjustments of earlier months.
 */
export async function billedUsage(
  ctx: Ctx,
  subscriptionIds: readonly string[],
  month: BillingMonth,
): Promise<{ readonly subscriptionId: string; readonly amount: Money }[]> {
  if (subscriptionIds.length === 0) return [];
  const { rows } = await sql<{
    subscriptionId: string;
    currency: string;
    minor: bigint;
  }>`select l.subscription_id as "subscriptionId", b.currency, sum(l.amount_minor)::bigint as minor from bill b join bill_line l on l.bill_id = b.id
    where b.month = ${month} and b.state <> 'void' and b.kind = 'month' and l.subscription_id = any(${[...subscriptionIds]}::text[]) and l.kind in ('usage', 'minimum', 'maximum', 'adjustment') group by 1, 2 order by 1, 2`.execute(
    ctx.db,
  );
  return rows.flatMap(({ subscriptionId, currency, minor }) =>
    isCurrency(currency) ? [{ subscriptionId, amount: money(minor, currency) }] : [],
  );
}
