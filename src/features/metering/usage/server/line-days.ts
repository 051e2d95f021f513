// The days behind one charge of a rate card in a month: why its line on a bill has its quantity.
import { sql } from 'kysely';
import { decimalText } from '#kernel/decimal.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { MeterAggregation } from '#features/selling/meters/contract.ts';
import type { Service } from '#features/selling/catalogue/contract.ts';
import { quantityOf } from '../rules.ts';
import { joinCells, type CellRollup } from '../rules-charge-usage.ts';
import { ownKey, type StreamMeter } from '../rules-streams.ts';
import { metersOf } from './meters-of-services.ts';

/** A day's quantity, in the meter's unit, and how many events it had. */
export type LineDay = { readonly day: LocalDay; readonly quantity: string; readonly events: number };

/** Meters whose days say nothing about their month: it is made of samples, of levels or of different values. */
const ofWholeMonths: ReadonlySet<MeterAggregation> = new Set([
  'percentile',
  'time_weighted_average',
  'unique_count',
]);

/**
 * The days of a charge's usage on a subscription; null when the charge counts by the service's own meter, whose days are known
 * otherwise. Empty for a charge without usage, and where days say nothing about the month.
 */
export async function daysOfCharge(
  ctx: Ctx,
  service: Service,
  meterKey: string,
  subscriptionId: string,
  month: BillingMonth,
): Promise<readonly LineDay[] | null> {
  const meter = (await metersOf(ctx, [service]))(service.id).find(({ chargedAs }) => chargedAs === meterKey);
  if (meter?.key === ownKey) return null;
  if (!meter || ofWholeMonths.has(meter.aggregation)) return [];
  return daysOfMeter(ctx, meter, subscriptionId, month);
}

async function daysOfMeter(
  ctx: Ctx,
  meter: StreamMeter,
  subscriptionId: string,
  month: BillingMonth,
): Promise<readonly LineDay[]> {
  const { rows } = await sql<
    CellRollup & { readonly day: LocalDay }
  >`select day, cell, event_count as "eventCount", sum, max, min, last_value as "lastValue", last_at as "lastAt", last_event as "lastEvent" from usage_day
    where subscription_id = ${subscriptionId} and meter = ${meter.key} and day >= ${`${month}-01`}::date and day < ${`${month}-01`}::date + interval '1 month' and event_count > 0 order by day, cell`.execute(
    ctx.db,
  );
  return [...Map.groupBy(rows, ({ day }) => day)].map(([day, cells]) => {
    const joined = joinCells(cells, {});
    return {
      day,
      quantity: decimalText(quantityOf(joined, meter.aggregation)),
      events: Number(joined.eventCount),
    };
  });
}
