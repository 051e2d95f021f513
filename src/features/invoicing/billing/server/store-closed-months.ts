// SQL of the closed months of one organization.
import { sql } from 'kysely';
import { trimDecimal } from '#kernel/decimal.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths, eachMonth, monthOf } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import { billSeries } from '../rules.ts';
import { lockSeries } from './store.ts';
import { usedBy } from './store-used-by.ts';

/** Returns the last months that were closed for an organization, at most `most`, oldest first. */
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

/**
 * Locks the months that are over in an organization's time zone, starting with the month of a given time,
 * because a subscription starts in them: until the transaction ends, no close can issue bills for them, and
 * one that already planned them plans again. Returns the last closed month of the organization; undefined if
 * there is none.
 */
export async function holdMonthsSince(
  ctx: Ctx,
  { id, timeZone }: Pick<Organization, 'id' | 'timeZone'>,
  since: Date,
): Promise<BillingMonth | undefined> {
  const current = monthOf(ctx.now, timeZone);
  const series: string[] = [];
  for (let month = monthOf(since, timeZone); month < current; month = addMonths(month, 1))
    series.push(billSeries(month));
  if (series.length > 0)
    await sql`insert into bill_series (series, last_number, late_begins) select series, 0, 1 from unnest(${series}::text[]) as o (series) order by series
      on conflict (series) do update set late_begins = bill_series.late_begins + 1`.execute(ctx.db);
  const [last] = await lastClosedMonths(ctx, id, 1);
  return last;
}

/**
 * Locks the bills of an organization's months from a given one on until the transaction ends. Returns the
 * last of these months that was closed or has an interim bill in force; null if there is none. `from` must be
 * recent: every month up to the current one is locked.
 */
export async function holdMonths(
  ctx: Ctx,
  { id, timeZone }: Pick<Organization, 'id' | 'timeZone'>,
  from: BillingMonth,
): Promise<BillingMonth | null> {
  const running = monthOf(ctx.now, timeZone);
  for (const month of eachMonth(from, running)) await lockSeries(ctx, billSeries(month));
  const { rows } = await sql<{ month: BillingMonth | null }>`select greatest(
      (select max(month) from month_closed where organization_id = ${id}),
      (select max(b.month) from bill b where ${usedBy('b')} = ${id} and b.kind = 'interim' and b.state <> 'void')) as month`.execute(
    ctx.db,
  );
  return rows[0]?.month ?? null;
}

/**
 * Whether an organization has subscriptions that began by the end of a month, in one of some time zones, and
 * that end, if at all, after it.
 */
export async function hasSubscriptionsAround(
  ctx: Ctx,
  organizationId: string,
  month: BillingMonth,
  zones: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`select 1 from subscription s cross join unnest(${[...zones]}::text[]) as z (name)
    where s.organization_id = ${organizationId} and to_char(s.started_at at time zone z.name, 'YYYY-MM') <= ${month}
      and exists (select from unnest(${[...zones]}::text[]) as e (name) where s.ends_at is null or to_char(s.ends_at at time zone e.name, 'YYYY-MM') > ${month})
    limit 1`.execute(ctx.db);
  return rows.length > 0;
}

/** Counts the subscriptions that were backdated into a month after it was over. */
export async function lateBegins(ctx: Ctx, month: BillingMonth): Promise<number> {
  const { rows } = await sql<{
    begins: number;
  }>`select late_begins as begins from bill_series where series = ${billSeries(month)}`.execute(ctx.db);
  return rows[0]?.begins ?? 0;
}

/** The totals of a month's bills. */
export type BilledMonth = {
  /** In percent. */
  readonly taxRate: string;
  readonly net: Money;
  readonly tax: Money;
  readonly total: Money;
  /** The net amount of its one-off charges and of its adjustments of other months. */
  readonly other: Money;
};

/**
 * Returns the totals of an organization's bills in force for some months in one currency, whoever pays them,
 * by month. Bills of a one-off charge alone belong to no month.
 */
export async function billedMonths(
  ctx: Ctx,
  organizationId: string,
  currency: Currency,
  months: readonly BillingMonth[],
): Promise<ReadonlyMap<BillingMonth, BilledMonth>> {
  const { rows } = await sql<{
    month: BillingMonth;
    rate: string;
    net: string;
    tax: string;
    total: string;
    other: string;
  }>`
    select b.month, (array_agg(b.tax_rate order by b.by_subscription, b.number))[1] as rate, sum(b.net_minor) as net, sum(b.tax_minor) as tax, sum(b.total_minor) as total,
      sum((select coalesce(sum(l.amount_minor), 0) from bill_line l where l.bill_id = b.id and l.kind in ('one_off', 'adjustment'))) as other
    from bill b where ${usedBy('b')} = ${organizationId} and b.currency = ${currency} and b.month = any(${[...months]}::bpchar[])
      and b.state <> 'void' and b.kind = 'month' group by b.month`.execute(ctx.db);
  return new Map(
    rows.map(({ month, rate, net, tax, total, other }) => [
      month,
      {
        taxRate: trimDecimal(rate),
        net: money(BigInt(net), currency),
        tax: money(BigInt(tax), currency),
        total: money(BigInt(total), currency),
        other: money(BigInt(other), currency),
      },
    ]),
  );
}
