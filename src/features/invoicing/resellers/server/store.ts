// SQL of resellers: their details, customers, mark-ups, and what they were charged.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency } from '#kernel/money.ts';
import type { BillingMonth, Page } from '#kernel/shape.ts';
import type { In } from '#kernel/contract.ts';
import {
  allOf,
  containsPattern,
  readPage,
  searchTotalCap,
  type ListOrder,
} from '#platform/server/database/paging.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { MarkUps } from '#features/selling/resale/contract.ts';
import { resaleSpans } from '#features/selling/resale/server/index.ts';
import type { MarkUpTerm, Reseller, resellers, ResoldSpan, WholesaleBill } from '../contract.ts';

const running = (now: Date) => sql`to_char(${now}::timestamptz at time zone o.time_zone, 'YYYY-MM')`;
/** The month before the next assignment starts. */
const untilMonth = sql`to_char((s.until_month || '-01')::date - interval '1 month', 'YYYY-MM')`;
const stateAt = (now: Date) =>
  sql`case when s.from_month > ${running(now)} then 'planned' when s.until_month <= ${running(now)} then 'ended' else 'current' end`;

/** Returns resellers by name, or a single organization's. */
export async function allResellers(ctx: Ctx, organizationId: string | null): Promise<Reseller[]> {
  const { rows } = await sql<Reseller>`
    select r.organization_id as "organizationId", p.name as organization, p.tax_id as "taxId", r.name, r.number_prefix as "numberPrefix", trim_scale(r.tax_rate)::text as "taxRate", r.due_days as "dueDays", r.instructions, r.stopped_at as "stoppedAt",
      (select count(distinct s.organization_id)::int from ${resaleSpans} s join organization o on o.id = s.organization_id where s.reseller_id = r.organization_id and ${stateAt(ctx.now)} <> 'ended') as customers
    from reseller r join organization p on p.id = r.organization_id where ${organizationId}::text is null or r.organization_id = ${organizationId} order by r.name, r.organization_id`.execute(
    ctx.db,
  );
  return rows;
}

export type ResellerDetails = In<typeof resellers.saveReseller>;

/** Makes an organization a reseller, or resumes a stopped one, with the details for its bills. */
export async function storeReseller(
  ctx: Ctx,
  organizationId: Id<'org'>,
  details: ResellerDetails,
  by: Id<'usr'>,
): Promise<void> {
  const { name, numberPrefix, taxRate, dueDays, instructions } = details;
  await sql`insert into reseller (organization_id, name, number_prefix, tax_rate, due_days, instructions, made_by, made_at)
    values (${organizationId}, ${name}, ${numberPrefix}, ${taxRate}::numeric, ${dueDays}, ${instructions}, ${by}, ${ctx.now})
    on conflict (organization_id) do update set name = excluded.name, number_prefix = excluded.number_prefix, tax_rate = excluded.tax_rate, due_days = excluded.due_days, instructions = excluded.instructions, stopped_at = null`.execute(
    ctx.db,
  );
}

/** Changes the details on a reseller's future bills. */
export async function changeReseller(
  ctx: Ctx,
  organizationId: string,
  details: ResellerDetails,
): Promise<void> {
  const { name, numberPrefix, taxRate, dueDays, instructions } = details;
  await sql`update reseller set name = ${name}, number_prefix = ${numberPrefix}, tax_rate = ${taxRate}::numeric, due_days = ${dueDays}, instructions = ${instructions} where organization_id = ${organizationId}`.execute(
    ctx.db,
  );
}

/** Stops a reseller from taking new customers. */
export async function stopReseller(ctx: Ctx, organizationId: string): Promise<void> {
  await sql`update reseller set stopped_at = ${ctx.now} where organization_id = ${organizationId} and stopped_at is null`.execute(
    ctx.db,
  );
}

const spanTables = sql`${resaleSpans} s join organization o on o.id = s.organization_id join reseller r on r.organization_id = s.reseller_id`;
const spanOrder: ListOrder = {
  by: {
    organization: { expression: sql`o.name`, cast: 'text' },
    reseller: { expression: sql`r.name`, cast: 'text' },
    from: { expression: sql`s.from_month`, cast: 'text' },
  },
  usual: 'organization',
  id: sql`(s.organization_id || ' ' || s.from_month)`,
};

/** Returns one page of resellers' customers. `isOver`: includes past ones. */
export function pageOfResold(
  ctx: Ctx,
  { resellerId, isOver, ...input }: In<typeof resellers.listResold> & { readonly isOver: boolean },
): Promise<Page<ResoldSpan>> {
  const pattern = input.q ? containsPattern(input.q) : undefined;
  const list = {
    columns: sql<ResoldSpan>`(s.organization_id || ' ' || s.from_month) as id, s.organization_id as "organizationId", o.name as organization, s.reseller_id as "resellerId", r.name as reseller, s.from_month as "from", ${untilMonth} as until, ${stateAt(ctx.now)} as state`,
    from: spanTables,
    where: allOf(
      resellerId && sql`s.reseller_id = ${resellerId}`,
      !isOver && sql`${stateAt(ctx.now)} <> 'ended'`,
      pattern && sql`(o.name ilike ${pattern} or r.name ilike ${pattern})`,
    ),
    order: spanOrder,
    cap: searchTotalCap,
  };
  return readPage(ctx.db, input, list, (row): ResoldSpan => ({
    id: row.id,
    organizationId: row.organizationId,
    organization: row.organization,
    resellerId: row.resellerId,
    reseller: row.reseller,
    from: row.from,
    until: row.until,
    state: row.state,
  }));
}

/** Sets who sells to an organization from a month on, replacing later assignments. */
export async function replaceResale(
  ctx: Ctx,
  organizationId: Id<'org'>,
  from: BillingMonth,
  resellerId: Id<'org'> | null,
  by: Id<'usr'>,
): Promise<void> {
  await sql`delete from resold_organization where organization_id = ${organizationId} and from_month >= ${from}`.execute(
    ctx.db,
  );
  // If no reseller sold before, there is nothing to end.
  await sql`insert into resold_organization (organization_id, from_month, reseller_id, set_by, set_at)
    select ${organizationId}, ${from}, ${resellerId}, ${by}, ${ctx.now}
    where (select l.reseller_id from resold_organization l where l.organization_id = ${organizationId} and l.from_month < ${from} order by l.from_month desc limit 1) is distinct from ${resellerId}::text`.execute(
    ctx.db,
  );
}

/** Returns who sells to an organization now; undefined for the operator. */
export async function sellerNow(
  ctx: Ctx,
  organizationId: string,
): Promise<{ name: string; instructions: string } | undefined> {
  const { rows } = await sql<{
    name: string;
    instructions: string;
  }>`select r.name, r.instructions from ${spanTables} where s.organization_id = ${organizationId} and ${stateAt(ctx.now)} = 'current'`.execute(
    ctx.db,
  );
  return rows[0];
}

/** Returns the mark-ups of a reseller, newest first. */
export async function markUpTerms(ctx: Ctx, resellerId: string): Promise<MarkUpTerm[]> {
  const { rows } =
    await sql<MarkUpTerm>`select m.from_month as "from", m.mark_ups as "markUps", coalesce(u.name, '') as "setBy", m.set_at as "setAt" from retail_mark_up m left join app_user u on u.id = m.set_by where m.reseller_id = ${resellerId} order by m.from_month desc`.execute(
      ctx.db,
    );
  return rows;
}

/**
 * Sets a reseller's mark-ups from a month on, replacing those of that month and later ones. The caller has
 * checked that the month may change.
 */
export async function replaceMarkUps(
  ctx: Ctx,
  resellerId: string,
  from: BillingMonth,
  markUps: MarkUps,
  by: Id<'usr'>,
): Promise<void> {
  await sql`delete from retail_mark_up where reseller_id = ${resellerId} and from_month >= ${from}`.execute(
    ctx.db,
  );
  await sql`insert into retail_mark_up (reseller_id, from_month, mark_ups, set_by, set_at) values (${resellerId}, ${from}, ${JSON.stringify(markUps)}::jsonb, ${by}, ${ctx.now})`.execute(
    ctx.db,
  );
}

/** Locks a reseller until the transaction ends, so that concurrent changes see each other. */
export async function lockResellerRow(ctx: Ctx, resellerId: string): Promise<void> {
  await sql`select 1 from reseller where organization_id = ${resellerId} for no key update`.execute(ctx.db);
}

/** Returns what the operator charged a reseller for its customers' usage in a month, bill by bill. */
export async function wholesaleBills(
  ctx: Ctx,
  resellerId: string,
  month: BillingMonth,
): Promise<WholesaleBill[]> {
  const { rows } = await sql<
    Omit<WholesaleBill, 'lines' | 'net' | 'retail'> & {
      currency: Currency;
      linesMinor: bigint;
      netMinor: bigint;
      retailMinor: bigint | null;
    }
  >`select b.id as "billId", b.number, b.used_by_id as "organizationId", b.used_by_name as organization, b.month, b.currency, b.net_minor as "netMinor",
      (select coalesce(sum(l.amount_minor), 0)::bigint from bill_line l where l.bill_id = b.id) as "linesMinor",
      (select t.net_minor - (select coalesce(sum(c.net_minor), 0)::bigint from retail_credit_note c where c.retail_bill_id = t.id) from retail_bill t where b.kind = 'month' and t.kind = 'month' and t.reseller_id = b.organization_id and t.organization_id = b.used_by_id and t.month = b.month and t.currency = b.currency) as "retailMinor"
    from bill b where b.organization_id = ${resellerId} and b.used_by_id is not null and b.month = ${month} and b.state <> 'void'
      and exists (select from ${resaleSpans} s where s.organization_id = b.used_by_id and s.reseller_id = b.organization_id and s.from_month <= b.month and coalesce(s.until_month, '9999-12') > b.month)
    order by b.used_by_name, b.number`.execute(ctx.db);
  return rows.map(({ linesMinor, netMinor, retailMinor, ...bill }) => ({
    ...bill,
    lines: money(linesMinor, bill.currency),
    net: money(netMinor, bill.currency),
    retail: retailMinor === null ? null : money(retailMinor, bill.currency),
  }));
}

/**
 * Returns what the operator charged a reseller for the months of some retail bills or, for late usage,
 * together with them; before tax, by bill.
 */
export async function wholesaleOf(
  ctx: Ctx,
  retailBillIds: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await sql<{ id: string; minor: bigint }>`
    select t.id, sum(b.net_minor)::bigint as minor from retail_bill t join bill b on b.organization_id = t.reseller_id and b.used_by_id = t.organization_id and b.currency = t.currency and b.state <> 'void'
      and case t.kind when 'month' then b.month = t.month else b.kind = 'one_off' and b.issued_at = t.issued_at end
    where t.id = any(${[...retailBillIds]}::text[]) group by t.id`.execute(ctx.db);
  return new Map(rows.map(({ id, minor }) => [id, minor]));
}
