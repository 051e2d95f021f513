// Queries about the whole console for the admin dashboard.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import { roles, type Role } from '#kernel/roles.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { dayMs } from '#kernel/durations.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

export type Totals = {
  users: number;
  active: number;
  organizations: number;
  services: number;
  billsOpen: number;
  bills: number;
  pendingPayments: number;
  parkedBills: number;
  openRaises: number;
  outboxWaiting: number;
  outboxParked: number;
  jobsWaiting: number;
  faults: number;
  adminsWithoutFactor: number;
  databaseBytes: number;
};
const activeMinutes = 15;

/** Totals from counters; a user counts as active after a call in the last 15 minutes. */
export async function totals(ctx: Ctx): Promise<Totals> {
  const since = new Date(ctx.now.getTime() - activeMinutes * 60_000);
  const { rows } = await sql<
    Record<keyof Totals, bigint>
  >`select rows_counted('app_user', '', 'active') + rows_counted('app_user', '', 'inactive') as users,
    (select count(distinct user_id) from session where last_seen_at > ${since} and ended_at is null) as active,
    rows_counted('organization', '', '') as organizations, rows_counted('service', '', '') as services,
    rows_counted('bill', 'open', '') as "billsOpen", rows_counted('bill', '', '') as bills, (select count(*) from payment where state = 'pending' and method in ('manual', 'bank_transfer')) as "pendingPayments",
    (select count(*) from bill_parked) as "parkedBills", rows_counted('quota_raise', 'open', '') as "openRaises", (select count(*) from outbox where sent_at is null and parked_at is null and (attempts > 0 or due_at <= now())) as "outboxWaiting",
    (select count(*) from outbox where parked_at is not null and sent_at is null) as "outboxParked", (select count(*) from job.job where state < 'active' and start_after <= now()) as "jobsWaiting",
    (select count(*) from fault where at > ${new Date(ctx.now.getTime() - dayMs)}) as faults, (select count(*) from app_user where role = 'Admin' and status = 'active' and not two_factor) as "adminsWithoutFactor", pg_database_size(current_database()) as "databaseBytes"`.execute(
    ctx.db,
  );
  const [row] = rows;
  if (!row) throw new Error('totals answered no row');
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)])) as Totals;
}

/**
 * For how many seconds the oldest ready message and the oldest ready job have been waiting. Jobs use the
 * database's clock.
 */
export async function oldestWaiting(ctx: Ctx): Promise<{ outbox: number; jobs: number }> {
  const { rows } = await sql<{
    outbox: number;
    jobs: number;
  }>`select coalesce(extract(epoch from ${ctx.now}::timestamptz - least((select min(due_at) from outbox where sent_at is null and parked_at is null and kind <> 'live' and due_at <= ${ctx.now}),
    (select min(due_at) from outbox where kind = 'live' and sent_at is null and parked_at is null))), 0)::int as outbox,
    coalesce((select extract(epoch from now() - min(start_after)) from job.job where state < 'active' and start_after <= now()), 0)::int as jobs`.execute(
    ctx.db,
  );
  return rows[0] ?? { outbox: 0, jobs: 0 };
}

/** Whether a service of the cover `c` is stopped while its organization still subscribes to it. */
export const isStopped = sql`c.stopped_at is not null and exists (select from subscription b where b.organization_id = c.organization_id and b.service_id = c.service_id and b.state not in ('canceled', 'expired'))`;

/** The number of users per role. */
export async function usersByRole(ctx: Ctx): Promise<{ role: Role; count: number }[]> {
  const { rows } = await sql<{
    role: Role;
    count: bigint;
  }>`select role, rows_counted('app_user', role, 'active') + rows_counted('app_user', role, 'inactive') as count from unnest(${[...roles]}::text[]) as role`.execute(
    ctx.db,
  );
  return rows.map((row) => ({ role: row.role, count: Number(row.count) }));
}

/** The number of an organization's subscriptions that are neither canceled nor expired. */
export async function standingSubscriptions(ctx: Ctx, organizationId: string): Promise<number> {
  const { rows } = await sql<{
    count: bigint;
  }>`select count(*) as count from subscription where organization_id = ${organizationId} and state not in ('canceled', 'expired')`.execute(
    ctx.db,
  );
  return Number(rows[0]?.count ?? 0n);
}

/**
 * The number of organizations for which metering of a subscribed service was stopped, and the one that was
 * stopped first.
 */
export async function stoppedCustomers(
  ctx: Ctx,
): Promise<{ count: number; organizationId: Id<'org'> | null }> {
  const { rows } = await sql<{
    count: number;
    organizationId: Id<'org'> | null;
  }>`select count(distinct c.organization_id)::int as count, (array_agg(c.organization_id order by c.stopped_at, c.organization_id))[1] as "organizationId"
    from credit_cover c where ${isStopped}`.execute(ctx.db);
  return rows[0] ?? { count: 0, organizationId: null };
}

/** Disputes that need evidence, and the payment of the one due first. */
export async function waitingDisputes(ctx: Ctx): Promise<{ open: number; paymentId: Id<'pay'> | null }> {
  const { rows } = await sql<{
    open: number;
    paymentId: Id<'pay'> | null;
  }>`select count(*)::int as open, (array_agg(payment_id order by evidence_due_at nulls last, created_at))[1] as "paymentId"
    from payment_dispute where state in ('inquiry', 'needs_response')`.execute(ctx.db);
  return rows[0] ?? { open: 0, paymentId: null };
}

/** The amounts billed for the months `first` to `last`, before tax and less credit notes, by month and currency. */
export async function billedBetween(
  ctx: Ctx,
  first: BillingMonth,
  last: BillingMonth,
): Promise<readonly { readonly month: BillingMonth; readonly billed: Money }[]> {
  const { rows } = await sql<{ month: BillingMonth; currency: Currency; net: string }>`
    select b.month, b.currency, sum(b.net_minor - coalesce(c.net_minor, 0))::text as net
    from bill b left join (select bill_id, sum(net_minor) as net_minor from credit_note group by bill_id) c on c.bill_id = b.id
    where b.month between ${first} and ${last} and b.state <> 'void' group by b.month, b.currency order by b.month, b.currency`.execute(
    ctx.db,
  );
  return rows.map(({ month, currency, net }) => ({ month, billed: money(BigInt(net), currency) }));
}
