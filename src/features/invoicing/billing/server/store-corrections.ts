// SQL for crediting, voiding and replacing an issued bill.
import { sql } from 'kysely';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { recordLateMonths } from './store-late.ts';
import { usedBy } from './store-used-by.ts';
import type { BillingMonth } from '#kernel/shape.ts';

/**
 * Adds what a credit note deducted from the amount due of a bill, and what it returned to the balance; the
 * bill becomes paid when nothing is due any more. The caller holds its lock.
 */
export async function addCredited(
  ctx: Ctx,
  billId: string,
  { toDue, toBalance }: { readonly toDue: bigint; readonly toBalance: bigint },
): Promise<void> {
  const { rows } =
    await sql`update bill set credited_minor = credited_minor + ${toDue}, returned_minor = returned_minor + ${toBalance},
    state = case when paid_minor + credited_minor + ${toDue} = total_minor then 'paid' else state end,
    paid_at = case when state = 'paid' then paid_at when paid_minor + credited_minor + ${toDue} = total_minor then ${ctx.now}::timestamptz end where id = ${billId} and state <> 'void' returning id`.execute(
      ctx.db,
    );
  if (!rows[0]) throw new Error('the bill was void');
}

/**
 * Voids a bill in force. Its adjustments of earlier months are recorded again, for the next bill to settle.
 * The caller holds its lock.
 */
export async function markVoid(ctx: Ctx, billId: string): Promise<void> {
  const { rows } =
    await sql`update bill set state = 'void' where id = ${billId} and state <> 'void' returning id`.execute(
      ctx.db,
    );
  if (!rows[0]) throw new Error('the bill was void already');
  const adjusted = await sql<{
    subscriptionId: string;
    month: BillingMonth;
  }>`select distinct subscription_id as "subscriptionId", for_month as month from bill_line where bill_id = ${billId} and for_month is not null`.execute(
    ctx.db,
  );
  if (adjusted.rows.length > 0) await recordLateMonths(ctx, adjusted.rows);
}

/**
 * Returns every subscription that was billed for a month of an organization, on any bill, including void
 * ones.
 */
export async function billedSubscriptions(
  ctx: Ctx,
  organizationId: string,
  month: BillingMonth,
): Promise<string[]> {
  const { rows } = await sql<{
    id: string;
  }>`select distinct l.subscription_id as id from bill b join bill_line l on l.bill_id = b.id
    where ${usedBy('b')} = ${organizationId} and b.month >= ${month} and coalesce(l.for_month, b.month) = ${month} and l.subscription_id is not null`.execute(
    ctx.db,
  );
  return rows.map((row) => row.id);
}
