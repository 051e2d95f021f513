// SQL of meters.
import { sql, type RawBuilder } from 'kysely';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import type { Page } from '#kernel/shape.ts';
import { allOf, containsPattern, readPage, type ListOrder } from '#platform/server/database/paging.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { DataSchema, Definition, Filter, Meter, MeterAggregation, meters } from '../contract.ts';

type MeterRow = {
  id: Id<'mtr'>;
  key: string;
  name: string;
  event_type: string;
  aggregation: MeterAggregation;
  aggregation_property: string | null;
  percentile: number | null;
  sample_minutes: number | null;
  unit: string;
  dimensions: string[];
  filter: Filter | null;
  data_schema: DataSchema | null;
  services: number;
  version: number;
  created_at: Date;
};

const columns = sql<MeterRow>`m.id, m.key, m.name, m.event_type, m.aggregation, m.aggregation_property, m.percentile, m.sample_minutes, m.unit, m.dimensions, m.filter, m.data_schema, m.services, m.version, m.created_at`;

const toMeter = (row: MeterRow): Meter => ({
  id: row.id,
  key: row.key,
  name: row.name,
  eventType: row.event_type,
  aggregation: row.aggregation,
  ...(row.aggregation_property === null ? {} : { property: row.aggregation_property }),
  ...(row.percentile === null ? {} : { p: row.percentile }),
  ...(row.sample_minutes === null ? {} : { sampleMinutes: row.sample_minutes }),
  unit: row.unit,
  dimensions: row.dimensions,
  ...(row.filter === null ? {} : { filter: row.filter }),
  ...(row.data_schema === null ? {} : { dataSchema: row.data_schema }),
  usedBy: row.services,
  version: row.version,
  createdAt: row.created_at,
});

const meterOrder: ListOrder = {
  by: {
    name: { expression: sql`m.name`, cast: 'text' },
    key: { expression: sql`m.key`, cast: 'text' },
    eventType: { expression: sql`m.event_type`, cast: 'text' },
    unit: { expression: sql`m.unit`, cast: 'text' },
    usedBy: { expression: sql`m.services`, cast: 'integer' },
    createdAt: { expression: sql`m.created_at`, cast: 'timestamptz' },
  },
  usual: 'name',
  id: sql`m.id`,
};

/** One page of meters with the exact total. */
export const pageOfMeters = (ctx: Ctx, input: In<typeof meters.listMeters>): Promise<Page<Meter>> =>
  readPage(
    ctx.db,
    input,
    {
      columns,
      from: sql`meter m`,
      where: allOf(
        input.q && sql`(m.name || E'\n' || m.key || E'\n' || m.event_type) ilike ${containsPattern(input.q)}`,
        input.key !== undefined && sql`m.key = ${input.key}`,
      ),
      order: meterOrder,
    },
    toMeter,
  );

/** One meter, if there is one. */
export async function meterById(ctx: Ctx, meterId: string): Promise<Meter | undefined> {
  const { rows } = await sql<MeterRow>`select ${columns} from meter m where m.id = ${meterId}`.execute(
    ctx.db,
  );
  return rows[0] && toMeter(rows[0]);
}

/**
 * Like {@link meterById}; until the transaction ends, no other one can change the meter, and no service can
 * start to use it.
 */
export async function lockedMeter(ctx: Ctx, meterId: string): Promise<Meter | undefined> {
  const { rows } =
    await sql<MeterRow>`select ${columns} from meter m where m.id = ${meterId} for update`.execute(ctx.db);
  return rows[0] && toMeter(rows[0]);
}

/** Whether a meter has this key. */
export async function hasKey(ctx: Ctx, key: string): Promise<boolean> {
  const { rows } = await sql`select 1 from meter where key = ${key}`.execute(ctx.db);
  return rows.length > 0;
}

/**
 * Returns the name and key of another meter that measures the same, if there is one; for a canonical
 * definition.
 */
export async function sameDefinition(
  ctx: Ctx,
  definition: Definition,
  besides: Id<'mtr'> | null,
): Promise<{ name: string; key: string } | undefined> {
  const { property = '', p = 0, sampleMinutes = 0, dimensions } = definition;
  const { rows } = await sql<{ name: string; key: string }>`select m.name, m.key from meter m
    where m.event_type = ${definition.eventType} and m.aggregation = ${definition.aggregation} and coalesce(m.aggregation_property, '') = ${property}
      and m.unit = ${definition.unit} and coalesce(m.percentile, 0) = ${p} and coalesce(m.sample_minutes, 0) = ${sampleMinutes}
      and m.dimensions @> ${dimensions}::text[] and m.dimensions <@ ${dimensions}::text[]
      and m.filter is not distinct from ${filterText(definition.filter)}::jsonb and m.id is distinct from ${besides} limit 1`.execute(
    ctx.db,
  );
  return rows[0];
}

const filterText = (filter: Filter | undefined): string | null => (filter ? JSON.stringify(filter) : null);
const schemaText = (schema: DataSchema | undefined): RawBuilder<unknown> =>
  sql`${schema ? JSON.stringify(schema) : null}::json`;

/** An Admin's input for a meter; its definition is canonical. */
export type MeterInput = Definition & Pick<Meter, 'name' | 'dataSchema'>;

/**
 * Adds a meter. Throws a unique violation if its key, or what it measures without dimensions and filter, is
 * taken.
 */
export async function insertMeter(
  ctx: Ctx,
  id: Id<'mtr'>,
  meter: MeterInput & Pick<Meter, 'key'>,
): Promise<void> {
  await sql`insert into meter (id, key, name, event_type, aggregation, aggregation_property, percentile, sample_minutes, unit, dimensions, filter, data_schema, created_at)
    values (${id}, ${meter.key}, ${meter.name}, ${meter.eventType}, ${meter.aggregation}, ${meter.property ?? null}, ${meter.p ?? null}, ${meter.sampleMinutes ?? null}, ${meter.unit}, ${meter.dimensions}::text[], ${filterText(meter.filter)}::jsonb, ${schemaText(meter.dataSchema)}, ${ctx.now})`.execute(
    ctx.db,
  );
}

/** Adds meters whose keys do not exist, in one statement; their definitions are canonical. */
export async function insertMissingMeters(
  ctx: Ctx,
  meters: readonly (Definition & Pick<Meter, 'name' | 'key'>)[],
): Promise<void> {
  const rows = meters.map((meter) => ({
    id: ctx.newId('mtr'),
    key: meter.key,
    name: meter.name,
    event_type: meter.eventType,
    aggregation: meter.aggregation,
    aggregation_property: meter.property ?? null,
    percentile: meter.p ?? null,
    sample_minutes: meter.sampleMinutes ?? null,
    unit: meter.unit,
    dimensions: meter.dimensions,
    filter: meter.filter ?? null,
  }));
  await sql`insert into meter (id, key, name, event_type, aggregation, aggregation_property, percentile, sample_minutes, unit, dimensions, filter, created_at)
    select id, key, name, event_type, aggregation, aggregation_property, percentile, sample_minutes, unit, array(select jsonb_array_elements_text(dimensions)), nullif(filter, 'null'::jsonb), ${ctx.now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id text, key text, name text, event_type text, aggregation text, aggregation_property text, percentile integer, sample_minutes integer, unit text, dimensions jsonb, filter jsonb)
    on conflict (key) do nothing`.execute(ctx.db);
}

/**
 * Returns the meters with some keys, by key. Until the transaction ends, no one can change what they measure,
 * or delete them.
 */
export async function metersWithKeys(ctx: Ctx, keys: readonly string[]): Promise<ReadonlyMap<string, Meter>> {
  const { rows } =
    await sql<MeterRow>`select ${columns} from meter m where m.key = any(${[...keys]}::text[]) order by m.id for key share of m`.execute(
      ctx.db,
    );
  return new Map(rows.map((row) => [row.key, toMeter(row)]));
}

/** Stores a meter's changed values, and increments its version. Throws like {@link insertMeter}. */
export async function updateMeterRow(ctx: Ctx, meterId: Id<'mtr'>, meter: MeterInput): Promise<void> {
  await sql`update meter set name = ${meter.name}, event_type = ${meter.eventType}, aggregation = ${meter.aggregation}, aggregation_property = ${meter.property ?? null},
    percentile = ${meter.p ?? null}, sample_minutes = ${meter.sampleMinutes ?? null}, unit = ${meter.unit}, dimensions = ${meter.dimensions}::text[],
    filter = ${filterText(meter.filter)}::jsonb, data_schema = ${schemaText(meter.dataSchema)}, version = version + 1 where id = ${meterId}`.execute(
    ctx.db,
  );
}

/** Deletes a meter whose lock the transaction holds. */
export async function deleteMeterRow(ctx: Ctx, meterId: Id<'mtr'>): Promise<void> {
  await sql`delete from meter where id = ${meterId}`.execute(ctx.db);
}

/**
 * Returns the meter with a key, if there is one. Until the transaction ends, no one can change what it
 * measures, or delete it.
 */
export async function meterByKey(ctx: Ctx, key: string): Promise<Meter | undefined> {
  const { rows } =
    await sql<MeterRow>`select ${columns} from meter m where m.key = ${key} for key share of m`.execute(
      ctx.db,
    );
  return rows[0] && toMeter(rows[0]);
}

/** Every meter, by key. */
export async function allMeters(ctx: Ctx): Promise<Meter[]> {
  const { rows } = await sql<MeterRow>`select ${columns} from meter m order by m.key`.execute(ctx.db);
  return rows.map(toMeter);
}
