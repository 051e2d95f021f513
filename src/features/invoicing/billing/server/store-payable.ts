// SQL for paying many bills at once: the amounts due, locked, and the paid amounts afterwards.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { BillDetail } from '../contract.ts';
import { dueByNow } from './store-instalments.ts';

export type PayableBill = {
  readonly id: Id<'bil'>;
  readonly number: string;
  readonly organizationId: Id<'org'>;
  readonly month: BillingMonth;
  /** The amount due by today; for a bill due in installments, those whose day has come. */
  readonly due: Money;
  readonly total: Money;
  readonly buyer: BillDetail['buyer'];
  readonly timeZone: string;
};

type PayableRow = {
  id: Id<'bil'>;
  number: string;
  organization_id: Id<'org'>;
  month: BillingMonth;
  currency: Currency;
  due_minor: bigint;
  total_minor: bigint;
  buyer: BillDetail['buyer'];
  time_zone: string;
};
const columnsAt = (now: Date) =>
  sql<PayableRow>`b.id, b.number, b.organization_id, b.month, b.currency, ${dueByNow(now)} as due_minor, b.total_minor, b.buyer, o.time_zone`;
const shown = (row: PayableRow): PayableBill => ({
  id: row.id,
  number: row.number,
  organizationId: row.organization_id,
  month: row.month,
  due: money(row.due_minor, row.currency),
  total: money(row.total_minor, row.currency),
  buyer: row.buyer,
  timeZone: row.time_zone,
});

/**
 * Returns the open bills of some organizations, oldest first, locked. Skips bills that another transaction is
 * paying: waiting for them while holding a balance could deadlock.
 */
export async function lockPayable(ctx: Ctx, organizationIds: readonly string[]): Promise<PayableBill[]> {
  const { rows } = await sql<PayableRow>`
    select ${columnsAt(ctx.now)}
    from bill b join organization o on o.id = b.organization_id
    where b.organization_id = any(${[...organizationIds]}::text[]) and b.state = 'open' order by b.issued_at, b.number for no key update of b skip locked`.execute(
    ctx.db,
  );
  return rows.map(shown);
}

/**
 * Returns the open bills of a consolidated bill with an amount due by now, locked; waits for transactions
 * that are paying one of them.
 */
export async function lockConsolidated(ctx: Ctx, consolidatedId: string): Promise<PayableBill[]> {
  const ids = sql`select x.bill_id from consolidated_bill_part x where x.consolidated_id = ${consolidatedId}`;
  // Read after locking: a transaction that held the lock may have paid the bill.
  await sql`select 1 from bill b where b.id in (${ids}) order by b.id for no key update`.execute(ctx.db);
  const { rows } = await sql<PayableRow>`
    select ${columnsAt(ctx.now)} from bill b join organization o on o.id = b.organization_id join consolidated_bill_part x on x.bill_id = b.id
    where x.consolidated_id = ${consolidatedId} and b.state = 'open' order by x.position`.execute(ctx.db);
  return rows.map(shown).filter(({ due }) => due.minor > 0n);
}

/**
 * Adds to the paid amounts of bills whose locks the caller holds; those with nothing due any more become
 * paid.
 */
export async function addPaidToMany(
  ctx: Ctx,
  paid: readonly { readonly billId: string; readonly minor: bigint }[],
): Promise<void> {
  const { rows } =
    await sql`update bill b set paid_minor = b.paid_minor + p.minor, state = case when b.paid_minor + p.minor + b.credited_minor = b.total_minor then 'paid' else b.state end,
    paid_at = case when b.paid_minor + p.minor + b.credited_minor = b.total_minor then ${ctx.now}::timestamptz end
    from unnest(${paid.map((each) => each.billId)}::text[], ${paid.map((each) => each.minor)}::bigint[]) as p (id, minor) where b.id = p.id and b.state = 'open' returning b.id`.execute(
      ctx.db,
    );
  if (rows.length !== paid.length) throw new Error('a bill was not open');
}
