// What quotas ask the database about reservations. A reservation changes only under the lock of its month.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/ctx.ts';

export type ReservationRow = {
  id: Id<'res'>; subscriptionId: Id<'sub'>; month: BillingMonth; quantity: string; state: 'held' | 'committed' | 'released' | 'expired';
  countsAt: Date; expiresAt: Date; used: string | null;
};

/** Holds a quantity of a month. */
export async function insertReservation(ctx: Ctx, held: { id: string; subscriptionId: string; month: string; quantity: string; reference: string; expiresAt: Date }): Promise<void> {
  await sql`--hot quota-hold
    insert into quota_reservation (id, subscription_id, month, quantity, reference, state, counts_at, expires_at, created_at)
    values (${held.id}, ${held.subscriptionId}, ${held.month}, ${held.quantity}, ${held.reference}, 'held', ${ctx.now}, ${held.expiresAt}, ${ctx.now})`.execute(ctx.db);
}

/** One reservation; of an organization when one is given. */
export async function reservationById(ctx: Ctx, id: string, organizationId: string | null): Promise<ReservationRow | undefined> {
  const { rows } = await sql<ReservationRow>`--hot quota-held
    select r.id, r.subscription_id as "subscriptionId", r.month, r.quantity, r.state, r.counts_at as "countsAt", r.expires_at as "expiresAt", r.used
    from quota_reservation r join subscription b on b.id = r.subscription_id where r.id = ${id} and (${organizationId}::text is null or b.organization_id = ${organizationId})`.execute(ctx.db);
  return rows[0];
}

/** Ends a reservation: with what was used of it, or without. */
export async function endReservation(ctx: Ctx, id: string, end: { state: 'committed'; used: string; month: string; countsAt: Date } | { state: 'released' }): Promise<void> {
  if (end.state === 'released') await sql`update quota_reservation set state = 'released', ended_at = ${ctx.now} where id = ${id}`.execute(ctx.db);
  else await sql`--hot quota-commit
    update quota_reservation set state = 'committed', used = ${end.used}, month = ${end.month}, counts_at = ${end.countsAt}, ended_at = ${ctx.now} where id = ${id}`.execute(ctx.db);
}

/** Gives back what ran out in a month whose lock is held. */
export async function expireReservations(ctx: Ctx, subscriptionId: string, month: string): Promise<void> {
  await sql`update quota_reservation set state = 'expired', ended_at = ${ctx.now} where subscription_id = ${subscriptionId} and month = ${month} and state = 'held' and expires_at <= ${ctx.now}`.execute(ctx.db);
}

/** Months in which something ran out that nobody has noted yet. */
export async function overdueMonths(ctx: Ctx, most: number): Promise<{ subscriptionId: Id<'sub'>; month: BillingMonth }[]> {
  const { rows } = await sql<{ subscriptionId: Id<'sub'>; month: BillingMonth }>`select distinct subscription_id as "subscriptionId", month from quota_reservation where state = 'held' and expires_at <= ${ctx.now} limit ${most}`.execute(ctx.db);
  return rows;
}

/** Forgets reservations that ended before a moment. */
export async function forgetEnded(ctx: Ctx, before: Date): Promise<void> {
  await sql`delete from quota_reservation where state <> 'held' and ended_at < ${before}`.execute(ctx.db);
}
