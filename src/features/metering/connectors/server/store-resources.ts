// SQL of the resources that sources reported, and of their waiting readings.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Page } from '#kernel/shape.ts';
import type { TextParams } from '#kernel/text.ts';
import {
  allOf,
  containsPattern,
  readPage,
  type ListOrder,
  type SearchInput,
} from '#platform/server/database/paging.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { resourceStates, waitReasons } from '../contract.ts';
import type { Reading } from './source.ts';

type WaitReason = (typeof waitReasons)[number];
export type Assignment = { readonly assignedTo: Id<'sub'> | null; readonly isIgnored: boolean };

/** Returns Admins' decisions about some resources, by name. */
export async function assignmentsOf(
  ctx: Ctx,
  connectorId: string,
  resources: readonly string[],
): Promise<ReadonlyMap<string, Assignment>> {
  const { rows } = await sql<
    Assignment & { resource: string }
  >`select resource, assigned_to as "assignedTo", is_ignored as "isIgnored"
    from connector_resource where connector_id = ${connectorId} and resource = any(${[...resources]}::text[]) and (is_ignored or assigned_to is not null)`.execute(
    ctx.db,
  );
  return new Map(rows.map((row) => [row.resource, row]));
}

export type SeenResource = {
  readonly resource: string;
  readonly subscriptionId: string | null;
  readonly fields: unknown;
  readonly at: Date;
};

/** Records sightings of resources; the latest one is kept. */
export async function noteResources(
  ctx: Ctx,
  connectorId: string,
  seen: readonly SeenResource[],
): Promise<void> {
  await sql`insert into connector_resource as r (connector_id, resource, subscription_id, fields, first_seen_at, last_seen_at)
    select ${connectorId}, resource, subscription_id, fields, at, at from unnest(${seen.map((each) => each.resource)}::text[], ${seen.map((each) => each.subscriptionId)}::text[], ${seen.map((each) => JSON.stringify(each.fields))}::jsonb[], ${seen.map((each) => each.at)}::timestamptz[]) as s (resource, subscription_id, fields, at)
    order by resource
    on conflict (connector_id, resource) do update set first_seen_at = least(r.first_seen_at, excluded.first_seen_at), last_seen_at = greatest(r.last_seen_at, excluded.last_seen_at),
      subscription_id = case when excluded.last_seen_at >= r.last_seen_at then excluded.subscription_id else r.subscription_id end,
      fields = case when excluded.last_seen_at >= r.last_seen_at then excluded.fields else r.fields end`.execute(
    ctx.db,
  );
}

export type WaitingReading = {
  readonly reading: Reading;
  readonly reason: WaitReason;
  readonly code: string | null;
  readonly params: TextParams;
};

/** Queues readings as waiting; one that already waits is updated with its newest contents and reason. */
export async function keepWaiting(
  ctx: Ctx,
  connectorId: string,
  waiting: readonly WaitingReading[],
): Promise<void> {
  if (waiting.length === 0) return;
  await sql`insert into connector_waiting (connector_id, resource, start_at, end_at, fields, reason, code, params)
    select ${connectorId}, * from unnest(${waiting.map(({ reading }) => reading.resource)}::text[], ${waiting.map(({ reading }) => reading.window.start)}::timestamptz[], ${waiting.map(({ reading }) => reading.window.end)}::timestamptz[], ${waiting.map(({ reading }) => JSON.stringify(reading.fields))}::jsonb[], ${waiting.map((each) => each.reason)}::text[], ${waiting.map((each) => each.code)}::text[], ${waiting.map((each) => JSON.stringify(each.params))}::jsonb[]) as w
    on conflict (connector_id, resource, start_at, end_at) do update set fields = excluded.fields, reason = excluded.reason, code = excluded.code, params = excluded.params`.execute(
    ctx.db,
  );
}

/** Removes readings from the waiting ones. */
export async function endWaiting(ctx: Ctx, connectorId: string, readings: readonly Reading[]): Promise<void> {
  if (readings.length === 0) return;
  await sql`delete from connector_waiting w using unnest(${readings.map((each) => each.resource)}::text[], ${readings.map((each) => each.window.start)}::timestamptz[], ${readings.map((each) => each.window.end)}::timestamptz[]) as d (resource, start_at, end_at)
    where w.connector_id = ${connectorId} and w.resource = d.resource and w.start_at = d.start_at and w.end_at = d.end_at`.execute(
    ctx.db,
  );
}

/** Returns the next waiting readings, ordered by resource. */
export async function nextWaiting(
  ctx: Ctx,
  connectorId: string,
  after: Reading | undefined,
  limit: number,
): Promise<Reading[]> {
  const { rows } = await sql<{
    resource: string;
    start: Date;
    end: Date;
    fields: Record<string, unknown>;
  }>`select resource, start_at as start, end_at as "end", fields from connector_waiting where connector_id = ${connectorId}
    ${after ? sql`and (resource, start_at, end_at) > (${after.resource}, ${after.window.start}, ${after.window.end})` : sql``} order by resource, start_at, end_at limit ${limit}`.execute(
    ctx.db,
  );
  return rows.map(({ resource, start, end, fields }) => ({ resource, window: { start, end }, fields }));
}

/**
 * Stores a decision about a resource; false if there is none with this name. Waiting readings of an ignored
 * resource are deleted.
 */
export async function assign(
  ctx: Ctx,
  connectorId: string,
  resource: string,
  { assignedTo, isIgnored }: Assignment,
): Promise<boolean> {
  const { rows } =
    await sql`update connector_resource set assigned_to = ${assignedTo}, is_ignored = ${isIgnored}, subscription_id = coalesce(${assignedTo}, case when ${isIgnored} then null else subscription_id end)
    where connector_id = ${connectorId} and resource = ${resource} returning 1`.execute(ctx.db);
  if (isIgnored)
    await sql`delete from connector_waiting where connector_id = ${connectorId} and resource = ${resource}`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

export type ResourceRow = {
  id: string;
  subscriptionId: Id<'sub'> | null;
  service: string | null;
  organization: string | null;
  isByHand: boolean;
  state: (typeof resourceStates)[number];
  reason: WaitReason | null;
  code: string | null;
  params: TextParams;
  waiting: bigint;
  firstSeenAt: Date;
  lastSeenAt: Date;
  fields: unknown;
};

const state = sql`case when r.is_ignored then 'ignored' when exists (select 1 from connector_waiting w where w.connector_id = r.connector_id and w.resource = r.resource) or r.subscription_id is null then 'waiting' else 'mapped' end`;
const order: ListOrder = {
  by: {
    state: {
      expression: sql`(case ${state} when 'waiting' then 0 when 'mapped' then 1 else 2 end)`,
      cast: 'integer',
    },
    id: { expression: sql`r.resource`, cast: 'text' },
    lastSeenAt: { expression: sql`r.last_seen_at`, cast: 'timestamptz' },
  },
  usual: 'state',
  id: sql`r.resource`,
};

/** Returns one page of a connector's resources. */
export const pageOfResources = <T>(
  ctx: Ctx,
  connectorId: string,
  input: SearchInput & { state?: (typeof resourceStates)[number] | undefined },
  toItem: (row: ResourceRow) => T,
): Promise<Page<T>> =>
  readPage(
    ctx.db,
    input,
    {
      columns: sql<ResourceRow>`r.resource as id, r.subscription_id as "subscriptionId", s.name as service, o.name as organization, (r.is_ignored or r.assigned_to is not null) as "isByHand", ${state} as state, w.reason, w.code, coalesce(w.params, '{}') as params, coalesce(w.waiting, 0) as waiting, r.first_seen_at as "firstSeenAt", r.last_seen_at as "lastSeenAt", r.fields`,
      from: sql`connector_resource r left join subscription b on b.id = r.subscription_id left join service s on s.id = b.service_id left join organization o on o.id = b.organization_id
        left join lateral (select count(*) over () as waiting, reason, code, params from connector_waiting w where w.connector_id = r.connector_id and w.resource = r.resource order by start_at desc limit 1) w on true`,
      where: allOf(
        sql`r.connector_id = ${connectorId}`,
        input.state && sql`${state} = ${input.state}`,
        input.q &&
          sql`(r.resource || E'\n' || coalesce(s.name, '') || E'\n' || coalesce(o.name, '')) ilike ${containsPattern(input.q)}`,
      ),
      order,
    },
    toItem,
  );

/** Returns the services and organizations of subscriptions, to show who owns a resource. */
export async function namesOfSubscriptions(
  ctx: Ctx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { id: Id<'sub'>; name: string; organization: string }>> {
  const { rows } = await sql<{
    id: Id<'sub'>;
    name: string;
    organization: string;
  }>`select b.id, s.name, o.name as organization
    from subscription b join service s on s.id = b.service_id join organization o on o.id = b.organization_id where b.id = any(${[...ids]}::text[])`.execute(
    ctx.db,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Finds subscriptions by part of their service's or organization's name or of their id; at most twenty. */
export async function findPayers(
  ctx: Ctx,
  search: string,
): Promise<{ id: Id<'sub'>; name: string; organization: string }[]> {
  const { rows } = await sql<{
    id: Id<'sub'>;
    name: string;
    organization: string;
  }>`select b.id, s.name, o.name as organization
    from subscription b join service s on s.id = b.service_id join organization o on o.id = b.organization_id
    where b.parent_id is null and b.state not in ('canceled', 'expired') and (o.name || E'\n' || s.name || E'\n' || b.id) ilike ${containsPattern(search)} order by o.name, s.name, b.id limit 20`.execute(
    ctx.db,
  );
  return rows;
}
