// SQL of the events that a bill counted.
import { sql } from 'kysely';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

/** An event as it was sent, or a correction, with everything that determines how a bill counts it. */
export type BilledEvent = {
  readonly source: string;
  readonly id: string;
  readonly time: Date;
  readonly receivedAt: Date;
  /** The starts of its hour and its day in the organization's time zone. */
  readonly hour: Date;
  readonly day: Date;
  readonly value: string;
  /** Null for events of the service's own meter. */
  readonly type: string | null;
  readonly properties: Readonly<Record<string, unknown>> | null;
  /** For a correction: the event that it cancels. */
  readonly cancelsSource: string | null;
  readonly cancelsId: string | null;
};

/**
 * Returns the events of a subscription whose hours begin in [from, to) and that were stored by a given time,
 * including corrections, in order of time; at most `limit`.
 */
export async function eventsOfBill(
  ctx: Ctx,
  where: { readonly subscriptionId: string; readonly from: Date; readonly to: Date; readonly zone: string },
  until: Date,
  limit: number,
): Promise<BilledEvent[]> {
  const { subscriptionId, from, to, zone } = where;
  const { rows } =
    await sql<BilledEvent>`select s.source, e.event_id as id, e.time, e.received_at as "receivedAt", date_trunc('hour', e.time, ${zone}) as hour, date_trunc('day', e.time, ${zone}) as day, e.value::text as value, e.type, e.properties, v.source as "cancelsSource", e.voided_event_id as "cancelsId"
    from usage_event e join usage_source s on s.id = e.source_id left join usage_source v on v.id = e.voided_source_id
    where e.subscription_id = ${subscriptionId} and e.time >= ${from} and e.time < ${to}::timestamptz + interval '1 hour' and e.received_at <= ${until}
      and date_trunc('hour', e.time, ${zone}) >= ${from} and date_trunc('hour', e.time, ${zone}) < ${to}
    order by e.time, s.source, e.event_id limit ${limit}`.execute(ctx.db);
  return rows;
}
