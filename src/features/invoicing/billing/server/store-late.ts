// SQL of late usage and of closed months.
import { sql } from 'kysely';
import { trimDecimal } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { readTotal } from '#platform/server/database/paging.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { BilledUsage } from '../rules-late.ts';
import { usedBy } from './store-used-by.ts';

/** A month of a subscription whose usage changed after it was over. */
export type LateMonth = {
  readonly subscriptionId: Id<'sub'>;
  readonly organizationId: Id<'org'>;
  readonly month: BillingMonth;
  readonly version: bigint;
};
/**
 * With the payers of the month's void bills that were not replaced; null for the bill with the organization's
 * terms.
 */
type NotedMonth = LateMonth & { readonly voidOf: readonly (Id<'org'> | null)[] };

/**
 * Records that months of subscriptions changed. Holds their rows until the commit, so that a close that
 * settles them waits.
 */
export async function recordLateMonths(
  ctx: Ctx,
  months: readonly { subscriptionId: string; month: BillingMonth }[],
): Promise<void> {
  await sql`insert into late_usage as l (subscription_id, month, changed_at) select s, m, ${ctx.now} from unnest(${months.map((each) => each.subscriptionId)}::text[], ${months.map((each) => each.month)}::bpchar[]) as c (s, m) order by 1, 2
    on conflict (subscription_id, month) do update set version = l.version + 1, changed_at = excluded.changed_at`.execute(
    ctx.db,
  );
}

/**
 * Returns changed months before `before` of some organizations that were closed for them. With `without`, as
 * if that bill were void: what it adjusted must be adjusted again.
 */
export async function notedMonths(
  ctx: Ctx,
  organizationIds: readonly string[],
  before: BillingMonth,
  without: string | undefined,
): Promise<NotedMonth[]> {
  const noted =
    without === undefined
      ? sql`late_usage`
      : sql`(select subscription_id, month, max(version) as version from (select subscription_id, month, version from late_usage
    union all select subscription_id, for_month, 0 from bill_line where bill_id = ${without} and for_month is not null) as every group by 1, 2)`;
  const { rows } =
    await sql<NotedMonth>`select l.subscription_id as "subscriptionId", b.organization_id as "organizationId", l.month, l.version,
      array(select distinct case when v.by_subscription then v.organization_id end from bill v where ${usedBy('v')} = b.organization_id and v.month = l.month and v.state = 'void' and v.kind = 'month'
        and not exists (select from bill r where ${usedBy('r')} = b.organization_id and r.organization_id = v.organization_id and r.month = v.month and r.currency = v.currency and r.state <> 'void' and r.kind = 'month')) as "voidOf"
    from ${noted} l join subscription b on b.id = l.subscription_id join month_closed c on c.organization_id = b.organization_id and c.month = l.month
    where b.organization_id = any(${[...organizationIds]}::text[]) and l.month < ${before} order by 1, 3`.execute(
      ctx.db,
    );
  return rows;
}

/** Whether a later bill settled a change of a subscription's month, or is still to settle one. */
export async function isChangedSince(
  ctx: Ctx,
  {
    subscriptionId,
    month,
    issuedAt,
  }: { readonly subscriptionId: Id<'sub'>; readonly month: BillingMonth; readonly issuedAt: Date },
): Promise<boolean> {
  const { rows } =
    await sql`select 1 from late_usage where subscription_id = ${subscriptionId} and month = ${month} and changed_at > ${issuedAt}
    union all select 1 from bill_line l join bill b on b.id = l.bill_id where l.subscription_id = ${subscriptionId} and l.for_month = ${month} and b.issued_at > ${issuedAt} limit 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/**
 * Locks changes that are about to be settled; false if another bill has settled one of them since they were
 * read.
 */
export async function holdLateMonths(ctx: Ctx, months: readonly LateMonth[]): Promise<boolean> {
  const { rows } =
    await sql`select 1 from late_usage l join unnest(${months.map((each) => each.subscriptionId)}::text[], ${months.map((each) => each.month)}::bpchar[]) as s (subscription_id, month) using (subscription_id, month)
    order by l.subscription_id, l.month for update of l`.execute(ctx.db);
  return rows.length === months.length;
}

/**
 * Locks all recorded changes of an organization until the end of the unit of work, in the same order as all
 * other locks on them.
 */
export async function lockLateOf(ctx: Ctx, organizationId: string): Promise<void> {
  await sql`select 1 from late_usage l join subscription b on b.id = l.subscription_id where b.organization_id = ${organizationId} order by l.subscription_id, l.month for update of l`.execute(
    ctx.db,
  );
}

/** Deletes settled changes; one recorded after its version was read stays for the next bill. */
export async function settleLateMonths(ctx: Ctx, months: readonly LateMonth[]): Promise<void> {
  await sql`delete from late_usage l using unnest(${months.map((each) => each.subscriptionId)}::text[], ${months.map((each) => each.month)}::bpchar[], ${months.map((each) => each.version)}::bigint[]) as s (subscription_id, month, version)
    where l.subscription_id = s.subscription_id and l.month = s.month and l.version = s.version`.execute(
    ctx.db,
  );
}

/**
 * Returns what bills in force, except `without`, charged for usage of some subscriptions in a month, by
 * subscription.
 */
export async function billedUsage(
  ctx: Ctx,
  subscriptionIds: readonly string[],
  month: BillingMonth,
  without?: string,
): Promise<ReadonlyMap<string, BilledUsage[]>> {
  const { rows } = await sql<{
    subscriptionId: string;
    currency: Currency;
    quantity: string;
    exact: string;
    minor: string;
  }>`
    select l.subscription_id as "subscriptionId", b.currency, sum(case when l.kind in ('usage', 'adjustment') then l.quantity else 0 end) as quantity, sum(l.exact_amount) as exact, sum(l.amount_minor) as minor
    from bill_line l join bill b on b.id = l.bill_id
    where l.subscription_id = any(${[...subscriptionIds]}::text[]) and l.kind in ('usage', 'minimum', 'maximum', 'adjustment') and coalesce(l.for_month, b.month) = ${month} and b.state <> 'void' and b.id is distinct from ${without ?? null}::text
    group by 1, 2`.execute(ctx.db);
  return Map.groupBy(
    rows.map((row) => ({
      ...row,
      quantity: trimDecimal(row.quantity),
      exact: trimDecimal(row.exact),
      minor: BigInt(row.minor),
    })),
    (row) => row.subscriptionId,
  );
}

/** Returns those of some organizations for which a month was closed. */
export async function closedFor(
  ctx: Ctx,
  organizationIds: readonly string[],
  month: BillingMonth,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{
    id: string;
  }>`select organization_id as id from month_closed where organization_id = any(${[...organizationIds]}::text[]) and month = ${month}`.execute(
    ctx.db,
  );
  return new Set(rows.map((row) => row.id));
}

/**
 * Records that a month was closed for some organizations, and that the deferred amounts of subscriptions that
 * ended in it were released.
 */
export async function insertMonthClosed(
  ctx: Ctx,
  organizationIds: readonly string[],
  month: BillingMonth,
): Promise<void> {
  await sql`insert into month_closed (organization_id, month, closed_at, is_released) select id, ${month}, ${ctx.now}, true from unnest(${[...organizationIds]}::text[]) as o (id) on conflict do nothing`.execute(
    ctx.db,
  );
}

/**
 * Returns the last month up to `until` that was closed soon after its end; null if there is none. Old months
 * that are closed after an import do not count.
 */
export async function lastClosedMonth(ctx: Ctx, until: BillingMonth): Promise<BillingMonth | null> {
  const { rows } = await sql<{
    month: BillingMonth | null;
  }>`select max(month) as month from close_run where kind = 'close' and month <= ${until} and month >= to_char(started_at at time zone 'UTC' - interval '2 months', 'YYYY-MM')`.execute(
    ctx.db,
  );
  return rows[0]?.month ?? null;
}

/** Returns organizations after a given one for which a month is not closed yet, ordered by id. */
export async function unclosedAfter(
  ctx: Ctx,
  month: BillingMonth,
  after: string | null,
  limit: number,
): Promise<Id<'org'>[]> {
  const { rows } = await sql<{
    id: Id<'org'>;
  }>`select o.id from organization o where (${after}::text is null or o.id > ${after}) and not exists (select from month_closed c where c.organization_id = o.id and c.month = ${month}) order by o.id limit ${limit}`.execute(
    ctx.db,
  );
  return rows.map((row) => row.id);
}

/** Counts the organizations for which a month is not closed yet. */
export const countUnclosed = (ctx: Ctx, month: BillingMonth): Promise<number> =>
  readTotal(ctx.db, {
    from: sql`organization o`,
    where: sql`not exists (select from month_closed c where c.organization_id = o.id and c.month = ${month})`,
  });
