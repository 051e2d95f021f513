// What billing asks the database about the closed months of one organization.
import { sql } from 'kysely';
import { trimDecimal } from '#kernel/decimal.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

/** The last months that were closed for an organization, `most` of them, the oldest first. */
export async function lastClosedMonths(
  ctx: Ctx,
  organizationId: string,
  most: number,
): Promise<BillingMonth[]> {
  const { rows } = await sql<{
    month: BillingMonth;
  }>`select month from month_closed where organization_id = ${organizationId} order by month desc limit ${most}`.execute(
    ctx.db,
  );
  return rows.map(({ month }) => month).toReversed();
}

/** The last month that was closed for an organization; undefined before the first. */
export async function lastClosedMonthOf(ctx: Ctx, organizationId: string): Promise<BillingMonth | undefined> {
  const [last] = await lastClosedMonths(ctx, organizationId, 1);
  return last;
}

/** What the bill of a month says. */
export type BilledMonth = {
  /** In percent. */
  readonly taxRate: string;
  readonly net: Money;
  readonly tax: Money;
  readonly total: Money;
  /** The net of its one-off charges and of its adjustments of other months. */
  readonly other: Money;
};

/** The bills of some months of an organization in a currency that stand, by month. Bills of a one-off charge alone are of no month. */
export async function billedMonths(
  ctx: Ctx,
  organizationId: string,
  currency: Currency,
  months: readonly BillingMonth[],
): Promise<ReadonlyMap<BillingMonth, BilledMonth>> {
  const { rows } = await sql<{
    month: BillingMonth;
    rate: string;
    net: bigint;
    tax: bigint;
    total: bigint;
    other: string;
  }>`
    select b.month, b.tax_rate as rate, b.net_minor as net, b.tax_minor as tax, b.total_minor as total,
      (select coalesce(sum(l.amount_minor), 0) from bill_line l where l.bill_id = b.id and l.kind in ('one_off', 'adjustment')) as other
    from bill b where b.organization_id = ${organizationId} and b.currency = ${currency} and b.month = any(${[...months]}::bpchar[])
      and b.state <> 'void' and b.kind = 'month'`.execute(ctx.db);
  return new Map(
    rows.map(({ month, rate, net, tax, total, other }) => [
      month,
      {
        taxRate: trimDecimal(rate),
        net: money(net, currency),
        tax: money(tax, currency),
        total: money(total, currency),
        other: money(BigInt(other), currency),
      },
    ]),
  );
}
