// SQL of reservations. A reservation changes only under the lock of its month.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { trimDecimal } from '#kernel/decimal.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { HeldReservation } from '../contract.ts';

export type ReservationRow = {
  id: Id<'res'>;
  subscriptionId: Id<'sub'>;
  month: BillingMonth;
  quantity: string;
  state: 'held' | 'committed' | 'released' | 'expired';
  countsAt: Date;
  expiresAt: Date;
  used: string | null;
};

/** Stores a hold on a quantity of a month. */
export async function insertReservation(
  ctx: Ctx,
  held: {
    id: string;
    subscriptionId: string;
    month: string;
    quantity: string;
    reference: string;
    expiresAt: Date;
  },
): Promise<void> {
  await sql`--hot quota-hold
    with made as (insert into quota_reservation (id, subscription_id, month, quantity, reference, state, counts_at, expires_at, created_at)
      values (${held.id}, ${held.subscriptionId}, ${held.month}, ${held.quantity}, ${held.reference}, 'held', ${ctx.now}, ${held.expiresAt}, ${ctx.now}) returning subscription_id, month, quantity)
    update quota_month q set held = q.held + made.quantity from made where q.subscription_id = made.subscription_id and q.month = made.month`.execute(
    ctx.db,
  );
}

/** Returns one reservation; with an organization, only that organization's. */
export async function reservationById(
  ctx: Ctx,
  id: string,
  organizationId: string | null,
): Promise<ReservationRow | undefined> {
  const { rows } = await sql<ReservationRow>`--hot quota-held
    select r.id, r.subscription_id as "subscriptionId", r.month, r.quantity, r.state, r.counts_at as "countsAt", r.expires_at as "expiresAt", r.used
    from quota_reservation r join subscription b on b.id = r.subscription_id where r.id = ${id} and (${organizationId}::text is null or b.organization_id = ${organizationId})`.execute(
    ctx.db,
  );
  return rows[0];
}

type End =
  | { readonly state: 'committed'; readonly used: string; readonly month: string; readonly countsAt: Date }
  | { readonly state: 'released' };

/** Ends a reservation, with or without a used quantity, and reduces the month's reserved sum. */
export async function endReservation(
  ctx: Ctx,
  { id, subscriptionId, month }: Pick<ReservationRow, 'id' | 'subscriptionId' | 'month'>,
  end: End,
): Promise<void> {
  const [used, newMonth, countsAt] =
    end.state === 'committed' ? [end.used, end.month, end.countsAt] : [null, null, null];
  await sql`--hot quota-end
    with was as (select quantity from quota_reservation where id = ${id} and state = 'held'),
      done as (update quota_reservation set state = ${end.state}, used = ${used}, month = coalesce(${newMonth}, month), counts_at = coalesce(${countsAt}, counts_at), ended_at = ${ctx.now} where id = ${id})
    update quota_month q set held = q.held - was.quantity from was where q.subscription_id = ${subscriptionId} and q.month = ${month}`.execute(
    ctx.db,
  );
}

/** Ends the expired reservations of a month. The caller must hold the month's lock. */
export async function expireReservations(ctx: Ctx, subscriptionId: string, month: string): Promise<void> {
  await sql`with gone as (update quota_reservation set state = 'expired', ended_at = ${ctx.now} where subscription_id = ${subscriptionId} and month = ${month} and state = 'held' and expires_at <= ${ctx.now} returning quantity)
    update quota_month set held = held - (select coalesce(sum(quantity), 0) from gone) where subscription_id = ${subscriptionId} and month = ${month}`.execute(
    ctx.db,
  );
}

const maxListed = 200;
/** Returns the active reservations of a subscription in any month, the first to expire first. */
export async function heldReservations(
  ctx: Ctx,
  subscriptionId: string,
): Promise<{ items: HeldReservation[]; total: number }> {
  const { rows } = await sql<
    HeldReservation & { total: number }
  >`select id, quantity, reference, created_at as "createdAt", expires_at as "expiresAt", (count(*) over ())::int as total from quota_reservation
    where subscription_id = ${subscriptionId} and state = 'held' and expires_at > ${ctx.now} order by expires_at, id limit ${maxListed}`.execute(
    ctx.db,
  );
  return {
    items: rows.map(({ total: _total, ...row }) => ({ ...row, quantity: trimDecimal(row.quantity) })),
    total: rows[0]?.total ?? 0,
  };
}

/** Returns months in which expired reservations are still counted as reserved. */
export async function overdueMonths(
  ctx: Ctx,
  most: number,
): Promise<{ subscriptionId: Id<'sub'>; month: BillingMonth }[]> {
  const { rows } = await sql<{
    subscriptionId: Id<'sub'>;
    month: BillingMonth;
  }>`select distinct subscription_id as "subscriptionId", month from quota_reservation where state = 'held' and expires_at <= ${ctx.now} limit ${most}`.execute(
    ctx.db,
  );
  return rows;
}

/** Deletes reservations that ended before a given time. */
export async function deleteEnded(ctx: Ctx, before: Date): Promise<void> {
  await sql`delete from quota_reservation where state <> 'held' and ended_at < ${before}`.execute(ctx.db);
}
