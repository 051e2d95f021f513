// SQL of bills with e-invoices: which changed, what was credited, paid and invoiced of them, and their
// buyers.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { BuyerChoice, KeepChoice, Timing } from '../contract.ts';
import type { StandingInvoice } from '../rules.ts';

/** A bill with the data that its invoices depend on. */
export type CoveredBill = {
  readonly billId: Id<'bil'>;
  readonly organizationId: Id<'org'>;
  readonly timing: Timing;
  readonly isClosed: boolean;
  readonly buyer: BuyerChoice | null;
};
const coveredColumns = sql<CoveredBill>`e.bill_id as "billId", e.organization_id as "organizationId", e.timing, e.is_closed as "isClosed", e.buyer`;

/** Registers bills in New Taiwan dollars for invoicing; known ones are queued again. */
export async function coverBills(
  ctx: Ctx,
  billIds: readonly string[],
  timings: { readonly companies: Timing; readonly consumers: Timing },
): Promise<void> {
  await sql`insert into einvoice_bill (bill_id, organization_id, timing, look_at, created_at)
    select b.id, b.organization_id, case when coalesce(b.buyer ->> 'taxId', '') <> '' then ${timings.companies} else ${timings.consumers} end, ${ctx.now}, ${ctx.now}
    from bill b where b.id = any(${[...billIds]}::text[]) and b.currency = 'TWD' and b.total_minor > 0 order by b.id
    on conflict (bill_id) do update set look_at = excluded.look_at`.execute(ctx.db);
}

/** Records that bills changed. Waits while their invoices are being planned, so that no change is missed. */
export async function lookAgain(ctx: Ctx, billIds: readonly string[]): Promise<void> {
  await sql`update einvoice_bill e set look_at = ${ctx.now} from (select bill_id from einvoice_bill where bill_id = any(${[...billIds]}::text[]) order by bill_id for update) as known where e.bill_id = known.bill_id`.execute(
    ctx.db,
  );
}

/** Returns changed bills, least recent first. */
export async function changedBills(ctx: Ctx, most: number): Promise<Id<'bil'>[]> {
  const { rows } = await sql<{
    id: Id<'bil'>;
  }>`select bill_id as id from einvoice_bill where look_at is not null order by look_at, bill_id limit ${most}`.execute(
    ctx.db,
  );
  return rows.map(({ id }) => id);
}

/**
 * Claims a changed bill for planning, locked until the end of the unit of work; undefined if another process
 * has planned it or is planning it.
 */
export async function takeChanged(ctx: Ctx, billId: string): Promise<CoveredBill | undefined> {
  const { rows } =
    await sql<CoveredBill>`update einvoice_bill e set look_at = null from (select bill_id from einvoice_bill where bill_id = ${billId} and look_at is not null for update skip locked) as own
    where e.bill_id = own.bill_id returning ${coveredColumns}`.execute(ctx.db);
  return rows[0];
}

export async function coveredBill(ctx: Ctx, billId: string, lock = false): Promise<CoveredBill | undefined> {
  const { rows } =
    await sql<CoveredBill>`select ${coveredColumns} from einvoice_bill e where e.bill_id = ${billId} ${lock ? sql`for update` : sql``}`.execute(
      ctx.db,
    );
  return rows[0];
}

export async function storeBuyer(ctx: Ctx, billId: string, buyer: BuyerChoice): Promise<void> {
  await sql`update einvoice_bill set buyer = ${JSON.stringify(buyer)}::jsonb where bill_id = ${billId}`.execute(
    ctx.db,
  );
}

/** Stops or resumes issuing invoices for the bill. */
export async function setClosed(ctx: Ctx, billId: string, isClosed: boolean): Promise<void> {
  await sql`update einvoice_bill set is_closed = ${isClosed} where bill_id = ${billId}`.execute(ctx.db);
}

export type CreditTaken = {
  readonly id: Id<'crn'>;
  readonly number: string;
  readonly net: bigint;
  readonly tax: bigint;
};
/** Returns the credit notes of a bill, oldest first. */
export async function creditsOf(ctx: Ctx, billId: string): Promise<CreditTaken[]> {
  const { rows } =
    await sql<CreditTaken>`select id, number, net_minor as net, tax_minor as tax from credit_note where bill_id = ${billId} order by issued_at, id`.execute(
      ctx.db,
    );
  return rows;
}

/** Returns a bill's invoices in force, oldest first. */
export async function standingInvoices(ctx: Ctx, billId: string): Promise<StandingInvoice<Id<'ein'>>[]> {
  const { rows } = await sql<{
    id: Id<'ein'>;
    period: string | null;
    net: bigint;
    tax: bigint;
    allowances: bigint;
    isUnsent: boolean;
  }>`select i.id, i.period, i.net_minor - coalesce(a.net, 0)::bigint as net, i.tax_minor - coalesce(a.tax, 0)::bigint as tax, coalesce(a.count, 0) as allowances,
      i.sent_at is null and not i.is_unsure and (i.state = 'failed' or i.number is null) as "isUnsent"
    from einvoice i left join lateral (select sum(net_minor) as net, sum(tax_minor) as tax, count(*) as count from einvoice_allowance a where a.einvoice_id = i.id and a.void_asked_at is null and a.state <> 'dropped') as a on true
    where i.bill_id = ${billId} and i.state <> 'dropped' and i.void_asked_at is null order by i.id`.execute(
    ctx.db,
  );
  return rows.map(({ id, period, net, tax, allowances, isUnsent }) => ({
    id,
    period,
    left: { net, tax },
    hasAllowances: allowances > 0n,
    isUnsent,
  }));
}

/**
 * Whether a bill has an invoice whose void is not confirmed, or whose cancelation by an allowance of a source is
 * not: it may still be refused.
 */
export async function isBeingCanceled(ctx: Ctx, billId: string, source: string): Promise<boolean> {
  const { rows } =
    await sql`select from einvoice where bill_id = ${billId} and void_asked_at is not null and voided_at is null and state <> 'dropped'
    union all select from einvoice_allowance where bill_id = ${billId} and source = ${source} and sent_at is null and void_asked_at is null and state <> 'dropped' limit 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

export async function preferenceOf(ctx: Ctx, organizationId: string): Promise<KeepChoice> {
  const { rows } =
    await sql<KeepChoice>`select keep, code from einvoice_preference where organization_id = ${organizationId}`.execute(
      ctx.db,
    );
  return rows[0] ?? { keep: 'member', code: '' };
}

export async function storePreference(
  ctx: Ctx,
  organizationId: string,
  { keep, code }: KeepChoice,
  by: string,
): Promise<void> {
  await sql`insert into einvoice_preference (organization_id, keep, code, changed_at, changed_by) values (${organizationId}, ${keep}, ${code}, ${ctx.now}, ${by})
    on conflict (organization_id) do update set keep = excluded.keep, code = excluded.code, changed_at = excluded.changed_at, changed_by = excluded.changed_by`.execute(
    ctx.db,
  );
}
