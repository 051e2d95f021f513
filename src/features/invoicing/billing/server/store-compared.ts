// SQL of the previous month's bills that a bill is compared with.
import { sql } from 'kysely';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { userOf, type Bill } from '../contract.ts';
import { billTables, columnsAt, toBill, type BillRow } from './store.ts';
import { usedBy } from './store-used-by.ts';

/**
 * Returns the bill in force for what an organization used in a month and currency: the one with its terms,
 * whoever pays it; for a bill of single subscriptions, the one of the same payer.
 */
export async function billOfMonth(
  ctx: Ctx,
  of: Pick<Bill, 'organizationId' | 'usedBy' | 'bySubscription' | 'currency'>,
  month: BillingMonth,
): Promise<Bill | undefined> {
  const samePart = of.bySubscription
    ? sql`b.by_subscription and b.organization_id = ${of.organizationId}`
    : sql`not b.by_subscription`;
  const { rows } =
    await sql<BillRow>`select ${columnsAt(ctx.now)} from ${billTables} where ${usedBy('b')} = ${userOf(of)} and b.month = ${month} and b.currency = ${of.currency} and b.state <> 'void' and b.kind = 'month' and ${samePart}`.execute(
      ctx.db,
    );
  return rows[0] && toBill(rows[0], ctx.now);
}

/**
 * Returns the last bill of a month that was issued to the same payer for the same organization before a given
 * bill, whatever happened to it later: a document that names it never changes.
 */
export async function previousBill(
  ctx: Ctx,
  bill: Pick<Bill, 'id' | 'organizationId' | 'usedBy' | 'currency'>,
  month: BillingMonth,
): Promise<{ id: string; number: string; totalMinor: bigint } | undefined> {
  const { rows } = await sql<{
    id: string;
    number: string;
    totalMinor: bigint;
  }>`select id, number, total_minor as "totalMinor" from bill b
    where ${usedBy('b')} = ${userOf(bill)} and organization_id = ${bill.organizationId} and month = ${month} and currency = ${bill.currency} and kind = 'month' and by_subscription = (select x.by_subscription from bill x where x.id = ${bill.id}) and id < ${bill.id} order by id desc limit 1`.execute(
    ctx.db,
  );
  return rows[0];
}
