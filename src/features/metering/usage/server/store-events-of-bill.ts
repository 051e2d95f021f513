// SQL of the events that a bill counted; billed-events.ts adds those that have left the database.
import { sql } from 'kysely';
import { dayMs, hourMs } from '#kernel/durations.ts';
import { yieldToEventLoop } from '#platform/server/jobs/yield-to-event-loop.ts';
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

/** A subscription's events in [from, to). */
export type EventsPlace = {
  readonly subscriptionId: string;
  readonly from: Date;
  readonly to: Date;
  readonly zone: string;
};

/** A place, and a type of events; `isOwn` if it is that of the service's own meter. */
export type TypedPlace = EventsPlace & { readonly type: { readonly type: string; readonly isOwn: boolean } };

/** Whether the database has events of a place that were stored after a given time. */
export async function hasLaterEvents(
  ctx: Ctx,
  { subscriptionId, from, to }: EventsPlace,
  after: Date,
): Promise<boolean> {
  const { rows } =
    await sql`select 1 from usage_event e where e.subscription_id = ${subscriptionId} and e.time >= ${from} and e.time < ${to} and e.received_at > ${after} limit 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** An event before a place, with what tells which of two is the later one. */
export type EarlierEvent = Pick<BilledEvent, 'source' | 'id' | 'time' | 'value'>;

/**
 * Returns the database's last event of a type before a place that was stored, and not canceled, by a given
 * time.
 */
export async function lastStoredEventBefore(
  ctx: Ctx,
  { subscriptionId, from, type: { type, isOwn } }: TypedPlace,
  until: Date,
): Promise<EarlierEvent | undefined> {
  const { rows } = await sql<EarlierEvent>`select s.source, e.event_id as id, e.time, e.value::text as value
    from usage_event e join usage_source s on s.id = e.source_id
    where e.subscription_id = ${subscriptionId} and e.time < ${from} and e.received_at <= ${until} and e.voided_event_id is null
      and (e.type = ${type} or (e.type is null and ${isOwn}))
      and not exists (select from usage_void v join usage_event c on c.source_id = v.by_source_id and c.event_id = v.by_event_id
        where v.source_id = e.source_id and v.event_id = e.event_id and c.received_at <= ${until})
    order by e.time desc, s.source desc, e.event_id desc limit 1`.execute(ctx.db);
  return rows[0];
}

/** Up to so many events are read at once; more are read day by day, so that the event loop is free in between. */
const atOnce = 5000;

/**
 * Returns the database's events of a subscription whose hours begin in [from, to) and that were stored by a
 * given time, including corrections, in order of time; at most `limit`.
 */
export async function storedEventsOfBill(
  ctx: Ctx,
  where: EventsPlace,
  until: Date,
  limit: number,
): Promise<BilledEvent[]> {
  // The last hour begins before the end.
  const end = where.to.getTime() + hourMs;
  const first = await eventsWithin(ctx, where, until, atOnce, [where.from, new Date(end)]);
  if (first.length < atOnce) return first.slice(0, limit);
  const found: BilledEvent[] = [];
  for (let start = where.from.getTime(); start < end && found.length < limit; start += dayMs) {
    const span = [new Date(start), new Date(Math.min(start + dayMs, end))] as const;
    for (const event of await eventsWithin(ctx, where, until, limit - found.length, span)) found.push(event);
    await yieldToEventLoop();
  }
  return found;
}

async function eventsWithin(
  ctx: Ctx,
  { subscriptionId, from, to, zone }: EventsPlace,
  until: Date,
  limit: number,
  [start, end]: readonly [Date, Date],
): Promise<BilledEvent[]> {
  const { rows } =
    await sql<BilledEvent>`select s.source, e.event_id as id, e.time, e.received_at as "receivedAt", date_trunc('hour', e.time, ${zone}) as hour, date_trunc('day', e.time, ${zone}) as day, e.value::text as value, e.type, e.properties, v.source as "cancelsSource", e.voided_event_id as "cancelsId"
    from usage_event e join usage_source s on s.id = e.source_id left join usage_source v on v.id = e.voided_source_id
    where e.subscription_id = ${subscriptionId} and e.time >= ${start} and e.time < ${end} and e.received_at <= ${until}
      and date_trunc('hour', e.time, ${zone}) >= ${from} and date_trunc('hour', e.time, ${zone}) < ${to}
    order by e.time, s.source, e.event_id limit ${limit}`.execute(ctx.db);
  return rows;
}
