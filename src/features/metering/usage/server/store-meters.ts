// SQL of the meters that charges of rate cards name.
import { sql } from 'kysely';
import type { Meter, MeterAggregation } from '#features/selling/meters/contract.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { StreamMeter } from '../rules-streams.ts';

/** A service that has, had or will have a rate card. */
export type CardService = {
  readonly serviceId: string;
  /** The keys of the meters that its charges name, in any of its prices and of those agreed with single organizations. */
  readonly meterKeys: readonly string[];
};

/** Of some services those with rate cards. */
export async function cardServices(ctx: Ctx, serviceIds: readonly string[]): Promise<CardService[]> {
  const { rows } = await sql<CardService>`--hot card-services
    select p.service_id as "serviceId", coalesce(array_agg(distinct c ->> 'meter') filter (where c ->> 'meter' is not null), '{}') as "meterKeys"
    from (select service_id, pricing from price_version where service_id = any(${[...serviceIds]}::text[]) union all select service_id, pricing from price_override where service_id = any(${[...serviceIds]}::text[])) p
      left join lateral jsonb_array_elements(case when p.pricing ->> 'model' = 'rate_card' then p.pricing -> 'charges' end) c on true
    group by 1 having bool_or(p.pricing ->> 'model' = 'rate_card')`.execute(ctx.db);
  return rows;
}

type MeterRow = {
  readonly key: string;
  readonly eventType: string;
  readonly aggregation: MeterAggregation;
  readonly property: string | null;
  readonly p: number | null;
  readonly sampleMinutes: number | null;
  readonly unit: string;
  readonly dimensions: string[];
  readonly filter: Meter['filter'] | null;
  readonly dataSchema: Meter['dataSchema'] | null;
};

/** Meters by key; unknown keys are left out. */
export async function metersByKeys(
  ctx: Ctx,
  keys: readonly string[],
): Promise<ReadonlyMap<string, StreamMeter>> {
  if (keys.length === 0) return new Map();
  const { rows } =
    await sql<MeterRow>`--hot meters-by-key\n select m.key, m.event_type as "eventType", m.aggregation, m.aggregation_property as property, m.percentile as p, m.sample_minutes as "sampleMinutes", m.unit, m.dimensions, m.filter, m.data_schema as "dataSchema"
    from meter m where m.key = any(${[...keys]}::text[])`.execute(ctx.db);
  return new Map(
    rows.map(({ property, p, sampleMinutes, filter, dataSchema, ...meter }) => [
      meter.key,
      {
        ...meter,
        chargedAs: meter.key,
        property: property ?? undefined,
        p: p ?? undefined,
        sampleMinutes: sampleMinutes ?? undefined,
        filter: filter ?? undefined,
        dataSchema: dataSchema ?? undefined,
      },
    ]),
  );
}
