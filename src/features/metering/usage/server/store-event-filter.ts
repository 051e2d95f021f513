// SQL that selects and counts the events behind a figure.
import { sql, type RawBuilder } from 'kysely';
import { readTotal } from '#platform/server/database/paging.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { jsonOfText } from '../rules-streams.ts';
import { keyDimension, otherValue, propertyDimension } from '../rules-dimensions.ts';
import type { EventFilter, EventGroup, EventTypes } from '../rules-event-filter.ts';

export type EventRange = {
  readonly subscriptionId: string;
  readonly start: Date | null;
  readonly end: Date | null;
  readonly zone: string;
};

/** SQL condition: event `e` meets a filter. */
export const meets = ({ group, types }: EventFilter, zone: string): RawBuilder<unknown> =>
  sql`(${group ? isOfGroup(group, zone) : sql`true`} and ${types ? isOfTypes(types) : sql`true`})`;

/** SQL condition: event `e` belongs to a group. */
function isOfGroup(group: EventGroup, zone: string): RawBuilder<unknown> {
  if (group.by === 'key')
    return group.keyIds === 'none'
      ? sql`e.key_id is null`
      : sql`e.key_id = any(${[...group.keyIds]}::text[])`;
  const value = sql`(e.properties -> ${group.name})`;
  const isCarried = sql`coalesce(jsonb_typeof(${value}) in ('string', 'number', 'boolean'), false)`;
  // JSON numbers are compared by value, whatever their notation.
  if (group.by === 'dimension') return sql`${value} = any(${jsonOfText(group.text)}::jsonb[])`;
  if (group.value === 'none') return sql`not ${isCarried}`;
  if (group.value !== otherValue) return sql`${value}::text = ${group.value}`;
  return sql`${isCarried} and not exists (select from usage_dimension_value d where d.subscription_id = e.subscription_id and d.month = to_char(e.time at time zone ${zone}, 'YYYY-MM')
    and d.dimension = ${propertyDimension(group.name)} and d.value = ${value}::text)`;
}

/** SQL condition: event `e` has one of some types and lies within their time. */
const isOfTypes = ({ types, ownType, from, to }: EventTypes): RawBuilder<unknown> =>
  sql`(coalesce(e.type, ${ownType}) = any(${[...types]}::text[]) and e.time >= ${from} and (${to}::timestamptz is null or e.time < ${to}))`;

/** Counts the events of a range that meet a filter, by reading them. */
export const countMatching = (
  ctx: Ctx,
  { subscriptionId, start, end, zone }: EventRange,
  filter: EventFilter,
): Promise<number> =>
  readTotal(ctx.db, {
    from: sql`usage_event e`,
    where: sql`e.subscription_id = ${subscriptionId} and (${start}::timestamptz is null or e.time >= ${start}) and (${end}::timestamptz is null or e.time < ${end}) and ${meets(filter, zone)}`,
  });

/**
 * Counts a group's events from rollups; undefined if these do not suffice because the list contains
 * corrections or events of rate card meters, which are in no group's rollup.
 */
export async function countByRollups(
  ctx: Ctx,
  range: EventRange,
  group: EventGroup,
): Promise<number | undefined> {
  const { subscriptionId, start, end } = range;
  const within = (column: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`subscription_id = ${subscriptionId} and (${start}::timestamptz is null or ${column} >= ${start}) and (${end}::timestamptz is null or ${column} < ${end})`;
  const {
    rows: [hours],
  } = await sql<{
    total: bigint;
    voids: bigint;
    others: bigint;
  }>`select coalesce(sum(event_count), 0)::bigint as total, coalesce(sum(void_count), 0)::bigint as voids, coalesce(sum(event_count) filter (where meter <> ''), 0)::bigint as others from usage_hour where ${within(sql`hour`)} and meter in ('', '*')`.execute(
    ctx.db,
  );
  if (!hours) return 0;
  // Events of meters other than the service's own are not counted by dimension.
  if (hours.voids > 0n || hours.others > 0n || group.by === 'dimension') return undefined;
  const dimension = group.by === 'key' ? keyDimension : propertyDimension(group.name);
  const values =
    group.by === 'property'
      ? group.value === 'none'
        ? null
        : [group.value]
      : group.keyIds === 'none'
        ? null
        : [...group.keyIds];
  const { rows } = await sql<{
    total: bigint;
  }>`select coalesce(sum(event_count), 0)::bigint as total from usage_dimension_hour where ${within(sql`hour`)} and dimension = ${dimension} and (${values}::text[] is null or value = any(${values}::text[]))`.execute(
    ctx.db,
  );
  const carried = rows[0]?.total ?? 0n;
  return Number(values === null ? hours.total - carried : carried);
}

/** Returns the platform's keys: those that do not belong to the organization. */
export async function platformKeys(ctx: Ctx, organizationId: string): Promise<string[]> {
  const { rows } = await sql<{
    id: string;
  }>`select id from api_key where organization_id is distinct from ${organizationId}`.execute(ctx.db);
  return rows.map((row) => row.id);
}

/** Returns the keys that a user created. */
export async function keysOfMember(ctx: Ctx, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from api_key where created_by = ${userId}`.execute(
    ctx.db,
  );
  return rows.map((row) => row.id);
}
