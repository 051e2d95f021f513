// SQL of credit that expires outside a close: for which organizations, and up to which month.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

/**
 * The last month of organization `o` for which no more bills are expected: the last closed month before the
 * first open one, which was never closed or could not be billed. Credit may still be needed when that one is
 * closed.
 */
const horizon = sql`(select max(c.month) as month from (
    select month, row_number() over (order by month) as closed,
      12 * (left(month, 4)::int - left(min(month) over (), 4)::int) + right(month, 2)::int - right(min(month) over (), 2)::int + 1 as passed
    from month_closed where organization_id = o.id) c
  where c.closed = c.passed and c.month < coalesce((select min(p.month) from bill_parked p where p.organization_id = o.id), '9999-12'))`;

/** Returns up to which month some organizations' bills are issued, by organization. */
export async function closedUntil(
  ctx: Ctx,
  organizationIds: readonly string[],
): Promise<ReadonlyMap<Id<'org'>, BillingMonth>> {
  const { rows } = await sql<{
    id: Id<'org'>;
    month: BillingMonth;
  }>`select o.id, h.month from organization o cross join lateral ${horizon} h where o.id = any(${[...organizationIds]}::text[]) and h.month is not null`.execute(
    ctx.db,
  );
  return new Map(rows.map(({ id, month }) => [id, month]));
}

/**
 * Returns organizations after a given one, ordered by id, with credit that expired in a month that is closed
 * for them.
 */
export async function withEndedCredit(ctx: Ctx, after: string, limit: number): Promise<Id<'org'>[]> {
  const { rows } = await sql<{
    id: Id<'org'>;
  }>`select o.id from organization o cross join lateral ${horizon} h
    where o.id > ${after} and exists (select from credit_grant g where g.organization_id = o.id and g.remaining_minor > 0
      and (g.last_month <= h.month or (g.recurs and not g.rolls_over and exists (select from credit_movement m where m.grant_id = g.id and m.month <= h.month group by m.month having sum(m.minor) > 0))))
    order by o.id limit ${limit}`.execute(ctx.db);
  return rows.map(({ id }) => id);
}
