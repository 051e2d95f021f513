// SQL of bills paid by others, for the organization that used the services.
import { sql } from 'kysely';
import type { In } from '#kernel/contract.ts';
import type { Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { allOf, containsPattern, readPage, searchTotalCap } from '#platform/server/database/paging.ts';
import type { Bill, billing } from '../contract.ts';
import { billOrder, billTables, columnsAt, toBill, type BillRow } from './store.ts';

/** Returns one page of the bills for an organization's usage that others pay. */
export function pageOfCovered(
  ctx: Ctx,
  userId: string,
  { month, q, ...input }: In<typeof billing.listCoveredBills>,
): Promise<Page<Bill>> {
  const pattern = q ? containsPattern(q) : undefined;
  const list = {
    columns: columnsAt(ctx.now),
    from: billTables,
    where: allOf(
      sql`b.used_by_id = ${userId}`,
      month && sql`b.month = ${month}`,
      pattern && sql`(b.number ilike ${pattern} or o.name ilike ${pattern})`,
    ),
    order: billOrder,
    cap: searchTotalCap,
  };
  return readPage(ctx.db, input, list, (row) => toBill(row, ctx.now));
}

/** Returns a bill for an organization's usage that another organization pays. */
export async function billUsedBy(ctx: Ctx, billId: string, userId: string): Promise<Bill | undefined> {
  const { rows } =
    await sql<BillRow>`select ${columnsAt(ctx.now)} from ${billTables} where b.id = ${billId} and b.used_by_id = ${userId}`.execute(
      ctx.db,
    );
  return rows[0] && toBill(rows[0], ctx.now);
}
