// SQL of the events of single hours, from which figures are recomputed.
import { sql } from 'kysely';
import { hourMs } from '#kernel/durations.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { MeteredEvent } from '../rules.ts';
import { ownMeterOf, targetOf, type Targets } from './rating-context.ts';

/** Returns the events of some hours, each once, without corrections and the events they canceled. */
export async function eventsOfHours(
  ctx: Ctx,
  hours: readonly { readonly subscriptionId: string; readonly hour: Date; readonly zone: string }[],
  targets: Targets,
): Promise<MeteredEvent[]> {
  const wanted = [
    ...new Map(hours.map((each) => [`${each.subscriptionId} ${each.hour.getTime()}`, each])).values(),
  ];
  const { rows } = await sql<{
    source: string;
    id: string;
    subscriptionId: string;
    type: string | null;
    time: Date;
    value: string;
    properties: MeteredEvent['properties'];
  }>`select s.source, e.event_id as id, e.subscription_id as "subscriptionId", e.type, e.time, e.value, e.properties
    from unnest(${wanted.map((each) => each.subscriptionId)}::text[], ${wanted.map((each) => each.hour)}::timestamptz[], ${wanted.map((each) => new Date(each.hour.getTime() + hourMs))}::timestamptz[], ${wanted.map((each) => each.zone)}::text[]) as w (subscription_id, hour, until, zone)
    join usage_event e on e.subscription_id = w.subscription_id and e.time >= w.hour and e.time < w.until and date_trunc('hour', e.time, w.zone) = w.hour
    join usage_source s on s.id = e.source_id
    where e.voided_event_id is null and not exists (select from usage_void v where v.source_id = e.source_id and v.event_id = e.event_id)`.execute(
    ctx.db,
  );
  return rows.map(({ type, ...event }) => ({
    ...event,
    type: type ?? ownMeterOf(targetOf(targets, event))?.eventType ?? '',
    isTimed: true,
  }));
}
