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

/** Sums invoices that have a number in the period and are not void. */
export async function salesOf(ctx: Ctx, period: string): Promise<PeriodSums[]> {
  const { rows } =
    await sql<Row>`select kind, tax_kind as "taxKind", count(*) as count, sum(net_minor) as net, sum(tax_minor) as tax from einvoice where period = ${period} and void_asked_at is null and state <> 'dropped' group by 1, 2 order by 1, 2`.execute(
      ctx.db,
    );
  return rows.map(toSums);
}
/** Sums allowances dated within the period, whenever their invoices were issued. */
export async function allowancesBetween(ctx: Ctx, start: Date, end: Date): Promise<PeriodSums[]> {
  const { rows } =
    await sql<Row>`select i.kind, i.tax_kind as "taxKind", count(*) as count, sum(a.net_minor) as net, sum(a.tax_minor) as tax from einvoice_allowance a join einvoice i on i.id = a.einvoice_id
    where a.made_at >= ${start} and a.made_at < ${end} and a.void_asked_at is null and a.state <> 'dropped' group by 1, 2 order by 1, 2`.execute(
      ctx.db,
    );
  return rows.map(toSums);
}

/** Counts the period's invoices that are void, waiting, or failed. */
export async function standingOfPeriod(
  ctx: Ctx,
  period: string,
  end: Date,
): Promise<{ voided: number; waiting: number; failed: number }> {
  const { rows } = await sql<{
    voided: bigint;
    waiting: bigint;
    failed: bigint;
  }>`select count(*) filter (where period = ${period} and void_asked_at is not null) as voided,
      count(*) filter (where state in ('pending', 'issued', 'uploading') and created_at < ${end} and (period is null or period = ${period})) as waiting,
      count(*) filter (where state = 'failed' and created_at < ${end} and (period is null or period = ${period})) as failed
    from einvoice`.execute(ctx.db);
  return {
    voided: Number(rows[0]?.voided ?? 0n),
    waiting: Number(rows[0]?.waiting ?? 0n),
    failed: Number(rows[0]?.failed ?? 0n),
  };
}
