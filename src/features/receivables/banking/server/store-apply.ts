// SQL of booking rows: how each was booked, and which refunds are on a statement.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency } from '#kernel/money.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { BankRow } from '../contract.ts';

export type Application = BankRow['applied'][number] & {
  readonly rowId: string;
  readonly organizationId: Id<'org'>;
};

/** Returns how rows are booked, without undone bookings. */
export async function applicationsOf(ctx: Ctx, rowIds: readonly string[]): Promise<Application[]> {
  const { rows } = await sql<{
    row_id: string;
    kind: Application['kind'];
    payment_id: Id<'pay'> | null;
    refund_id: Id<'rfd'> | null;
    organization_id: Id<'org'>;
    organization: string;
    bill_number: string | null;
    amount_minor: bigint;
    to_bill_minor: bigint | null;
    currency: Currency;
  }>`
    select a.row_id, a.kind, a.payment_id, a.refund_id, a.organization_id, o.name as organization, coalesce(b.number, k.number) as bill_number, a.amount_minor, p.to_bill_minor, r.currency
    from bank_application a join bank_row r on r.id = a.row_id join organization o on o.id = a.organization_id left join payment p on p.id = a.payment_id left join bill b on b.id = p.bill_id left join consolidated_bill k on k.id = p.consolidated_id
    where a.row_id = any(${[...rowIds]}::text[]) and a.undone_at is null order by a.row_id, a.part`.execute(
    ctx.db,
  );
  return rows.map((row) => ({
    rowId: row.row_id,
    kind: row.kind,
    paymentId: row.payment_id,
    refundId: row.refund_id,
    organizationId: row.organization_id,
    organization: row.organization,
    billNumber: row.bill_number,
    amount: money(row.amount_minor, row.currency),
    toBill: row.to_bill_minor === null ? null : money(row.to_bill_minor, row.currency),
  }));
}

export type NewApplication = {
  id: string;
  rowId: string;
  part: number;
  kind: Application['kind'];
  organizationId: string;
  paymentId: string | null;
  refundId: string | null;
  minor: bigint;
  by: string;
};

/** Stores the booking of part of a row; a database constraint allows each part once. */
export async function insertApplication(ctx: Ctx, made: NewApplication): Promise<void> {
  await sql`insert into bank_application (id, row_id, part, kind, organization_id, payment_id, refund_id, amount_minor, applied_at, applied_by)
    values (${made.id}, ${made.rowId}, ${made.part}, ${made.kind}, ${made.organizationId}, ${made.paymentId}, ${made.refundId}, ${made.minor}, ${ctx.now}, ${made.by})`.execute(
    ctx.db,
  );
}

/** Stores that a row's booking was undone. */
export async function markUndone(ctx: Ctx, rowId: string, by: string, reason: string): Promise<void> {
  await sql`update bank_application set undone_at = ${ctx.now}, undone_by = ${by}, undone_reason = ${reason} where row_id = ${rowId} and undone_at is null`.execute(
    ctx.db,
  );
}

/** Returns a refund by bank transfer that was sent but is on no statement yet, with its payment locked. */
export async function unseenRefund(
  ctx: Ctx,
  refundId: string,
): Promise<{ organizationId: Id<'org'>; minor: bigint; currency: Currency } | undefined> {
  const { rows } = await sql<{
    organizationId: Id<'org'>;
    minor: bigint;
    currency: Currency;
  }>`select r.organization_id as "organizationId", r.amount_minor as minor, r.currency from payment_refund r join payment p on p.id = r.payment_id
    where r.id = ${refundId} and r.origin = 'admin' and r.state = 'succeeded' and p.method in ('manual', 'bank_transfer') and not exists (select from bank_application a where a.refund_id = r.id and a.undone_at is null) for update of p`.execute(
    ctx.db,
  );
  return rows[0];
}
