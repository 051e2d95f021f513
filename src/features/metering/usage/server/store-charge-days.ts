// SQL of the days and hours of rate cards' meters.
import { sql, type RawBuilder } from 'kysely';
import type { LocalDay } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { CellRollup } from '../rules-charge-usage.ts';

/** A meter of a subscription. */
export type MeterOfSubscription = { readonly subscriptionId: string; readonly meter: string };
/** The usage of one cell of a meter on a day, or in an hour, which is named by the milliseconds at which it begins. */
export type CellAtPlace = CellRollup & MeterOfSubscription & { readonly place: string };

const streamsOf = (meters: readonly MeterOfSubscription[]): RawBuilder<unknown> =>
  sql`unnest(${meters.map((each) => each.subscriptionId)}::text[], ${meters.map((each) => each.meter)}::text[]) as p (subscription_id, meter)`;
const columns = sql`d.subscription_id as "subscriptionId", d.meter, d.cell, d.event_count as "eventCount", d.sum, d.max, d.min, d.last_value as "lastValue", d.last_at as "lastAt", d.last_event as "lastEvent"`;
const isOfMeter = sql`d.subscription_id = p.subscription_id and d.meter = p.meter`;

/** The days of some meters by cell, the last one included. */
export async function daysOfCells(
  ctx: Ctx,
  meters: readonly MeterOfSubscription[],
  from: LocalDay,
  to: LocalDay,
): Promise<CellAtPlace[]> {
  if (meters.length === 0 || from > to) return [];
  const { rows } = await sql<CellAtPlace>`--hot usage-cell-days
    select ${columns}, d.day::text as place from ${streamsOf(meters)} join usage_day d on ${isOfMeter} and d.day between ${from}::date and ${to}::date where d.event_count > 0`.execute(
    ctx.db,
  );
  return rows;
}

/** The hours of some meters by cell in [start, end). */
export async function hoursOfCells(
  ctx: Ctx,
  meters: readonly MeterOfSubscription[],
  start: Date,
  end: Date,
): Promise<CellAtPlace[]> {
  if (meters.length === 0) return [];
  const { rows } =
    await sql<CellAtPlace>`select ${columns}, (extract(epoch from d.hour) * 1000)::bigint::text as place from ${streamsOf(meters)}
    join usage_hour d on ${isOfMeter} and d.hour >= ${start} and d.hour < ${end} where d.event_count > 0`.execute(
      ctx.db,
    );
  return rows;
}
