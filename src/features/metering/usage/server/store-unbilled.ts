// SQL of usage that is not on any bill yet, by service.
import { sql } from 'kysely';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

/**
 * Service id → events of the current months, each in its organization's time zone; a service without any is
 * left out.
 */
export async function openEventsOf(
  ctx: Ctx,
  serviceIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{
    id: string;
    events: bigint;
  }>`select b.service_id as id, sum(m.event_count)::bigint as events
    from subscription b join organization o on o.id = b.organization_id join usage_month m on m.subscription_id = b.id and m.meter in ('', '*') and m.month = to_char(${ctx.now}::timestamptz at time zone o.time_zone, 'YYYY-MM')
    where b.service_id = any(${[...serviceIds]}::text[]) group by 1`.execute(ctx.db);
  return new Map(rows.map((row) => [row.id, Number(row.events)]));
}
