// SQL of resale: who sells to whom from which month on, and at which mark-ups.
import { sql, type Kysely } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { MarkUps } from '../contract.ts';

/** The months in which an organization belongs to a reseller; the end is exclusive. */
export const resaleSpans = sql`(select * from (select organization_id, reseller_id, from_month, lead(from_month) over (partition by organization_id order by from_month) as until_month from resold_organization) every where reseller_id is not null)`;

/** When a reseller sells to an organization, as instants at which the organization's months start. */
export type Resale = {
  readonly organizationId: string;
  readonly resellerId: Id<'org'>;
  readonly from: Date;
  /** Null for no end. */
  readonly until: Date | null;
  readonly terms: readonly { readonly from: Date; readonly markUps: MarkUps }[];
};

/**
 * Returns when and at which mark-ups resellers sell to some organizations, earliest first; most organizations
 * have no reseller.
 */
export async function resaleOf(db: Kysely<unknown>, organizationIds: readonly string[]): Promise<Resale[]> {
  if (organizationIds.length === 0) return [];
  const begin = (month: string) => sql`(${sql.raw(month)} || '-01')::timestamp at time zone o.time_zone`;
  const { rows } = await sql<
    Omit<Resale, 'terms'> & { readonly begins: Date[] | null; readonly markUps: MarkUps[] | null }
  >`--hot resale\n select s.organization_id as "organizationId", s.reseller_id as "resellerId", ${begin('s.from_month')} as "from", ${begin('s.until_month')} as "until", t.begins, t.mark_ups as "markUps"
    from ${resaleSpans} s join organization o on o.id = s.organization_id
      left join lateral (select array_agg(${begin('m.from_month')} order by m.from_month) as begins, jsonb_agg(m.mark_ups order by m.from_month) as mark_ups from retail_mark_up m where m.reseller_id = s.reseller_id) t on true
    where s.organization_id = any(${[...organizationIds]}::text[]) order by s.organization_id, s.from_month`.execute(
    db,
  );
  return rows.map(({ begins, markUps, ...resale }) => ({
    ...resale,
    terms: (begins ?? []).flatMap((from, index) => {
      const added = markUps?.[index];
      return added ? [{ from, markUps: added }] : [];
    }),
  }));
}

/** Returns who sells to an organization in a month; undefined for the operator. */
export type SellerIn = (organizationId: string, month: BillingMonth) => Id<'org'> | undefined;

/** Returns who sells to some organizations, by month. */
export async function sellersOf(ctx: Ctx, organizationIds: readonly string[]): Promise<SellerIn> {
  if (organizationIds.length === 0) return () => undefined;
  const { rows } = await sql<{
    organizationId: string;
    resellerId: Id<'org'>;
    from: BillingMonth;
    until: BillingMonth | null;
  }>`select organization_id as "organizationId", reseller_id as "resellerId", from_month as "from", until_month as "until" from ${resaleSpans} s where organization_id = any(${[...organizationIds]}::text[])`.execute(
    ctx.db,
  );
  return (organizationId, month) =>
    rows.find(
      (row) =>
        row.organizationId === organizationId &&
        row.from <= month &&
        (row.until === null || month < row.until),
    )?.resellerId;
}

/** Returns the organizations that a reseller sold to, sells to, or will sell to. */
export async function organizationsEverResold(ctx: Ctx): Promise<Id<'org'>[]> {
  const { rows } = await sql<{
    id: Id<'org'>;
  }>`select distinct organization_id as id from resold_organization where reseller_id is not null order by 1`.execute(
    ctx.db,
  );
  return rows.map(({ id }) => id);
}

/** The details on a reseller's bills. */
export type ResellerTerms = {
  readonly organizationId: Id<'org'>;
  readonly name: string;
  readonly numberPrefix: string;
  readonly taxRate: string;
  readonly dueDays: number;
  readonly instructions: string;
  readonly stoppedAt: Date | null;
};

/** Returns some resellers, by their organization. */
export async function resellersById(
  ctx: Ctx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ResellerTerms>> {
  if (ids.length === 0) return new Map();
  const { rows } =
    await sql<ResellerTerms>`select organization_id as "organizationId", name, number_prefix as "numberPrefix", trim_scale(tax_rate)::text as "taxRate", due_days as "dueDays", instructions, stopped_at as "stoppedAt" from reseller where organization_id = any(${[...ids]}::text[])`.execute(
      ctx.db,
    );
  return new Map(rows.map((row) => [row.organizationId, row]));
}

/** Whether a reseller sells to an organization in a month or later. */
export async function isResoldSince(ctx: Ctx, organizationId: string, month: BillingMonth): Promise<boolean> {
  const { rows } =
    await sql`select 1 from ${resaleSpans} s where organization_id = ${organizationId} and coalesce(until_month, '9999-12') > ${month} limit 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}
