// What billing asks the database about usage that came late, and about the months that were closed.
import { sql } from 'kysely';
import { trimDecimal } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/ctx.ts';
import type { BilledUsage } from '../rules-late.ts';

/** A month of a subscription whose usage changed when it was over. */
export type LateMonth = { readonly subscriptionId: Id<'sub'>; readonly organizationId: Id<'org'>; readonly month: BillingMonth; readonly version: bigint };

/** Notes that months of subscriptions changed. Holds their rows until the commit, so that a close that settles them waits. */
export async function noteLateMonths(ctx: Ctx, months: readonly { subscriptionId: string; month: BillingMonth }[]): Promise<void> {
  await sql`insert into late_usage as l (subscription_id, month, changed_at) select s, m, ${ctx.now} from unnest(${months.map((each) => each.subscriptionId)}::text[], ${months.map((each) => each.month)}::bpchar[]) as c (s, m) order by 1, 2
    on conflict (subscription_id, month) do update set version = l.version + 1, changed_at = excluded.changed_at`.execute(ctx.db);
}

/** Changed months before `before` of some organizations that were closed for them and whose bill, if there was one, still stands. */
export async function lateMonths(ctx: Ctx, organizationIds: readonly string[], before: BillingMonth): Promise<LateMonth[]> {
  const { rows } = await sql<LateMonth>`select l.subscription_id as "subscriptionId", b.organization_id as "organizationId", l.month, l.version
    from late_usage l join subscription b on b.id = l.subscription_id join month_closed c on c.organization_id = b.organization_id and c.month = l.month
    where b.organization_id = any(${[...organizationIds]}::text[]) and l.month < ${before}
      and not exists (select from bill v where v.organization_id = b.organization_id and v.month = l.month and v.state = 'void') order by 1, 3`.execute(ctx.db);
  return rows;
}

/** Forgets changes that are settled; one that came after its version was read stays for the next bill. */
export async function settleLateMonths(ctx: Ctx, months: readonly LateMonth[]): Promise<void> {
  await sql`delete from late_usage l using unnest(${months.map((each) => each.subscriptionId)}::text[], ${months.map((each) => each.month)}::bpchar[], ${months.map((each) => each.version)}::bigint[]) as s (subscription_id, month, version)
    where l.subscription_id = s.subscription_id and l.month = s.month and l.version = s.version`.execute(ctx.db);
}

/** What some subscriptions' month was billed by its usage, by subscription. */
export async function billedUsage(ctx: Ctx, subscriptionIds: readonly string[], month: BillingMonth): Promise<ReadonlyMap<string, BilledUsage[]>> {
  const { rows } = await sql<{ subscriptionId: string; currency: Currency; quantity: string; exact: string; minor: bigint }>`
    select l.subscription_id as "subscriptionId", b.currency, sum(case when l.kind in ('usage', 'adjustment') then l.quantity else 0 end) as quantity, sum(l.exact_amount) as exact, sum(l.amount_minor)::bigint as minor
    from bill_line l join bill b on b.id = l.bill_id
    where l.subscription_id = any(${[...subscriptionIds]}::text[]) and l.kind in ('usage', 'minimum', 'maximum', 'adjustment') and coalesce(l.for_month, b.month) = ${month} and b.state <> 'void'
    group by 1, 2`.execute(ctx.db);
  return Map.groupBy(rows.map((row) => ({ ...row, quantity: trimDecimal(row.quantity), exact: trimDecimal(row.exact) })), (row) => row.subscriptionId);
}

/** Those of some organizations for which a month was closed. */
export async function closedFor(ctx: Ctx, organizationIds: readonly string[], month: BillingMonth): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`select organization_id as id from month_closed where organization_id = any(${[...organizationIds]}::text[]) and month = ${month}`.execute(ctx.db);
  return new Set(rows.map((row) => row.id));
}

/** Keeps that a month was closed for some organizations. */
export async function keepClosed(ctx: Ctx, organizationIds: readonly string[], month: BillingMonth): Promise<void> {
  await sql`insert into month_closed (organization_id, month, closed_at) select id, ${month}, ${ctx.now} from unnest(${[...organizationIds]}::text[]) as o (id) on conflict do nothing`.execute(ctx.db);
}
