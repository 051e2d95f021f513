// SQL of a two-month period as it is filed: sales by buyer and tax kind, allowances by date, void invoices,
// and pending ones.
import { sql } from 'kysely';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { PeriodSummary } from '../contract.ts';

export type PeriodSums = Pick<PeriodSummary['sales'][number], 'kind' | 'taxKind'> & {
  readonly count: number;
  readonly net: bigint;
  readonly tax: bigint;
};
type Row = Pick<PeriodSums, 'kind' | 'taxKind'> & { count: bigint; net: string; tax: string };
const toSums = (row: Row): PeriodSums => ({
  kind: row.kind,
  taxKind: row.taxKind,
  count: Number(row.count),
  net: BigInt(row.net),
  tax: BigInt(row.tax),
});

/**
 * Sums invoices that have a number in the period and are not void. One whose void was only asked for, or was
 * refused, still stands at the Ministry, and is filed as a sale.
 */
export async function salesOf(ctx: Ctx, period: string): Promise<PeriodSums[]> {
  const { rows } =
    await sql<Row>`select kind, tax_kind as "taxKind", count(*) as count, sum(net_minor) as net, sum(tax_minor) as tax from einvoice where period = ${period} and voided_at is null and state <> 'dropped' group by 1, 2 order by 1, 2`.execute(
      ctx.db,
    );
  return rows.map(toSums);
}
/** Sums allowances dated within the period and not void, whenever their invoices were issued. */
export async function allowancesBetween(ctx: Ctx, start: Date, end: Date): Promise<PeriodSums[]> {
  const { rows } =
    await sql<Row>`select i.kind, i.tax_kind as "taxKind", count(*) as count, sum(a.net_minor) as net, sum(a.tax_minor) as tax from einvoice_allowance a join einvoice i on i.id = a.einvoice_id
    where a.made_at >= ${start} and a.made_at < ${end} and a.voided_at is null and a.state <> 'dropped' group by 1, 2 order by 1, 2`.execute(
      ctx.db,
    );
  return rows.map(toSums);
}

/**
 * Counts the period's invoices that are void; and what is waiting or has failed: invoices, their voids, and
 * allowances.
 */
export async function standingOfPeriod(
  ctx: Ctx,
  period: string,
  { start, end }: { readonly start: Date; readonly end: Date },
): Promise<{ voided: number; waiting: number; failed: number }> {
  const { rows } = await sql<{ voided: bigint; waiting: bigint; failed: bigint }>`
    with own as (
      select voided_at is not null as is_voided, state = 'failed' as is_failed,
        voided_at is null and (state in ('pending', 'issued', 'uploading') or (state = 'uploaded' and void_asked_at is not null)) as is_waiting
      from einvoice where state <> 'dropped' and created_at < ${end} and (period is null or period = ${period})
      union all
      select false, state = 'failed', state = 'pending' or (state = 'sent' and void_asked_at is not null and voided_at is null)
      from einvoice_allowance where state <> 'dropped' and made_at >= ${start} and made_at < ${end})
    select count(*) filter (where is_voided) as voided, count(*) filter (where is_waiting) as waiting, count(*) filter (where is_failed) as failed from own`.execute(
    ctx.db,
  );
  return {
    voided: Number(rows[0]?.voided ?? 0n),
    waiting: Number(rows[0]?.waiting ?? 0n),
    failed: Number(rows[0]?.failed ?? 0n),
  };
}
