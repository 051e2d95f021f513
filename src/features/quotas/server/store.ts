// What quotas ask the database: the worst status that was announced in a period.
import { sql } from 'kysely';
import type { Ctx } from '#platform/server/ctx.ts';
import type { QuotaStatus } from '../contract.ts';

/** The worst announced status of subscriptions in their months, by `${subscriptionId} ${month}`. */
export async function announcedStatuses(ctx: Ctx, keys: readonly { subscriptionId: string; month: string }[]): Promise<ReadonlyMap<string, QuotaStatus>> {
  const { rows } = await sql<{ subscription_id: string; month: string; status: QuotaStatus }>`select q.subscription_id, q.month, q.status
    from unnest(${keys.map((key) => key.subscriptionId)}::text[], ${keys.map((key) => key.month)}::text[]) as k (subscription_id, month) join quota_status q on q.subscription_id = k.subscription_id and q.month = k.month`.execute(ctx.db);
  return new Map(rows.map((row) => [`${row.subscription_id} ${row.month}`, row.status]));
}

/** Keeps that a status was announced. */
export async function keepAnnounced(ctx: Ctx, subscriptionId: string, month: string, status: QuotaStatus): Promise<void> {
  await sql`insert into quota_status (subscription_id, month, status, changed_at) values (${subscriptionId}, ${month}, ${status}, ${ctx.now})
    on conflict (subscription_id, month) do update set status = excluded.status, changed_at = excluded.changed_at`.execute(ctx.db);
}
