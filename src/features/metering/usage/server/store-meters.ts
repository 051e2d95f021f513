// SQL of the meters that rate card charges name.
import { sql } from 'kysely';
import type { Meter, MeterAggregation } from '#features/selling/meters/contract.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { StreamMeter } from '../rules-streams.ts';

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

const toMeter = ({ property, p, sampleMinutes, filter, dataSchema, ...meter }: MeterRow): StreamMeter => ({
  ...meter,
  chargedAs: meter.key,
  property: property ?? undefined,
  p: p ?? undefined,
  sampleMinutes: sampleMinutes ?? undefined,
  filter: filter ?? undefined,
  dataSchema: dataSchema ?? undefined,
});

const meterFields = [
  ['key', 'key'],
  ['eventType', 'event_type'],
  ['aggregation', 'aggregation'],
  ['property', 'aggregation_property'],
  ['p', 'percentile'],
  ['sampleMinutes', 'sample_minutes'],
  ['unit', 'unit'],
  ['dimensions', 'dimensions'],
  ['filter', 'filter'],
  ['dataSchema', 'data_schema'],
] as const;
/** A meter as JSON with the fields of {@link MeterRow}. */
const meterJson = sql`json_build_object(${sql.join(meterFields.map(([name, column]) => sql`${sql.lit(name)}::text, ${sql.ref(`m.${column}`)}`))})`;

/** A service with a past, current or future rate card. */
export type CardService = {
  readonly serviceId: string;
  /**
   * The meters named by its charges, in any of its prices and of those agreed with single organizations, by
   * key.
   */
  readonly meters: readonly StreamMeter[];
};

/** Returns those of some services that have rate cards, with their meters, in one statement. */
export async function cardServices(ctx: Ctx, serviceIds: readonly string[]): Promise<CardService[]> {
  const { rows } = await sql<{
    serviceId: string;
    meters: readonly MeterRow[];
  }>`--hot card-services-with-meters
    with card as (select p.service_id, array_agg(c ->> 'meter') as keys
      from (select service_id, pricing from price_version where service_id = any(${[...serviceIds]}::text[]) union all select service_id, pricing from price_override where service_id = any(${[...serviceIds]}::text[])) p
        left join lateral jsonb_array_elements(case when p.pricing ->> 'model' = 'rate_card' then p.pricing -> 'charges' end) c on true
      group by 1 having bool_or(p.pricing ->> 'model' = 'rate_card'))
    select card.service_id as "serviceId", coalesce(json_agg(${meterJson} order by m.key) filter (where m.key is not null), '[]') as meters
    from card left join meter m on m.key = any(card.keys) group by 1`.execute(ctx.db);
  return rows.map(({ serviceId, meters }) => ({ serviceId, meters: meters.map(toMeter) }));
}

/** Returns meters by key; unknown keys are left out. */
export async function metersByKeys(
  ctx: Ctx,
  keys: readonly string[],
): Promise<ReadonlyMap<string, StreamMeter>> {
  if (keys.length === 0) return new Map();
  const { rows } = await sql<{ meter: MeterRow }>`--hot meter-rows-by-key
    select ${meterJson} as meter from meter m where m.key = any(${[...keys]}::text[])`.execute(ctx.db);
  return new Map(rows.map(({ meter }) => [meter.key, toMeter(meter)]));
}
