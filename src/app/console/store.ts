// What the admin dashboard asks the database about the whole console.
import { sql } from 'kysely';
import { roles, type Role } from '#kernel/roles.ts';
import type { Ctx } from '#platform/server/ctx.ts';

export type Totals = { users: number; active: number; organizations: number; services: number; billsOpen: number; bills: number; pendingPayments: number; parkedBills: number; openRaises: number; outboxWaiting: number; databaseBytes: number };
const activeMinutes = 15;

/** Totals from counters; a person is active who was seen in the last 15 minutes. */
export async function totals(ctx: Ctx): Promise<Totals> {
  const since = new Date(ctx.now.getTime() - activeMinutes * 60_000);
  const { rows } = await sql<Record<keyof Totals, bigint>>`select rows_counted('app_user', '', 'active') + rows_counted('app_user', '', 'inactive') as users,
    (select count(distinct user_id) from session where last_seen_at > ${since} and ended_at is null) as active,
    rows_counted('organization', '', '') as organizations, rows_counted('service', '', '') as services,
    rows_counted('bill', 'open', '') as "billsOpen", rows_counted('bill', '', '') as bills, (select count(*) from payment where state = 'pending' and method in ('manual', 'bank_transfer')) as "pendingPayments",
    (select count(*) from bill_parked) as "parkedBills", rows_counted('quota_raise', 'open', '') as "openRaises", (select count(*) from outbox where sent_at is null and parked_at is null and (attempts > 0 or due_at <= now())) as "outboxWaiting", pg_database_size(current_database()) as "databaseBytes"`.execute(ctx.db);
  const [row] = rows;
  if (!row) throw new Error('totals answered no row');
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)])) as Totals;
}

/** How many users each role has. */
export async function usersByRole(ctx: Ctx): Promise<{ role: Role; count: number }[]> {
  const { rows } = await sql<{ role: Role; count: bigint }>`select role, rows_counted('app_user', role, 'active') + rows_counted('app_user', role, 'inactive') as count from unnest(${[...roles]}::text[]) as role`.execute(ctx.db);
  return rows.map((row) => ({ role: row.role, count: Number(row.count) }));
}

/** How many subscriptions of an organization are not over. */
export async function standingSubscriptions(ctx: Ctx, organizationId: string): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`select count(*) as count from subscription where organization_id = ${organizationId} and state not in ('canceled', 'expired')`.execute(ctx.db);
  return Number(rows[0]?.count ?? 0n);
}
