// SQL of the catalogue.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import type { Page } from '#kernel/shape.ts';
import { trimDecimal } from '#kernel/decimal.ts';
import { dayMs } from '#kernel/durations.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { isForeignKeyViolation } from '#platform/server/unit-of-work/unit-of-work.ts';
import {
  allOf,
  containsPattern,
  readPage,
  readTotal,
  searchTotalCap,
  type List,
  type ListOrder,
} from '#platform/server/database/paging.ts';
import { assignments } from '#platform/server/database/assignments.ts';
import { unmetered } from '../rules.ts';
import { chargesOf } from '../rules-estimate.ts';
import type { DataSchema } from '#features/selling/meters/contract.ts';
import type { Aggregation, catalogue, Pricing, Quota, Service } from '../contract.ts';

export type ServiceRow = {
  id: Id<'svc'>;
  name: string;
  type: string;
  category: string;
  description: string;
  status: Service['status'];
  release_state: Service['releaseState'];
  billing_cycle: Service['billingCycle'];
  proration: Service['proration'];
  trial_days: number;
  family: string;
  add_on_to: string[];
  version: number;
  quota_type: Quota['type'];
  quota_limit: string | null;
  quota_meter: string | null;
  quota_unit: string | null;
  features: string[];
  tags: string[];
  popular: boolean;
  recommended: boolean;
  requires_prepaid_credit: boolean;
  event_type: string;
  aggregation: Aggregation;
  aggregation_property: string | null;
  unit: string;
  meter_units: Record<string, string> | null;
  data_schema: DataSchema | null;
  created_at: Date;
  price_version_id: Id<'prv'>;
  effective_from: Date;
  pricing: Pricing;
};

export const columns = sql<ServiceRow>`s.id, s.name, s.type, s.category, s.description, s.status, s.release_state, s.billing_cycle, s.proration, s.trial_days, s.family, s.add_on_to, s.version, s.quota_type, s.quota_limit, s.quota_meter, (select q.unit from meter q where q.key = s.quota_meter) as quota_unit, s.features, s.tags, s.popular, s.recommended, s.requires_prepaid_credit,
  s.event_type, s.aggregation, s.aggregation_property, s.unit, (select jsonb_object_agg(m.key, m.unit) from service_meter u join meter m on m.id = u.meter_id where u.service_id = s.id and m.event_type <> ${unmetered.eventType}) as meter_units,
  s.data_schema, s.created_at, p.id as price_version_id, p.effective_from, p.pricing`;
/** The price of a service in force at a given time (before the first price starts: the first). */
export const priceAt = (now: Date): RawBuilder<unknown> => sql`cross join lateral (
  select id, effective_from, pricing from price_version v where v.service_id = s.id order by (v.effective_from <= ${now}) desc,
    case when v.effective_from <= ${now} then v.effective_from end desc, v.effective_from limit 1) p`;

export const toService = (row: ServiceRow): Service => ({
  id: row.id,
  name: row.name,
  type: row.type,
  category: row.category,
  description: row.description,
  status: row.status,
  releaseState: row.release_state,
  pricing: row.pricing,
  charges: chargesOf(row.pricing, {
    name: row.name,
    meter: row.event_type,
    billingCycle: row.billing_cycle,
  }),
  priceVersionId: row.price_version_id,
  priceEffectiveFrom: row.effective_from,
  meter: {
    eventType: row.event_type,
    aggregation: row.aggregation,
    unit: row.unit,
    ...(row.aggregation_property === null ? {} : { property: row.aggregation_property }),
    ...(row.data_schema === null ? {} : { dataSchema: row.data_schema }),
  },
  meterUnits: row.meter_units ?? {},
  billingCycle: row.billing_cycle,
  proration: row.proration,
  trialDays: row.trial_days,
  family: row.family,
  addOnTo: row.add_on_to,
  version: row.version,
  quota:
    row.quota_type === 'unlimited'
      ? { type: 'unlimited' }
      : {
          type: row.quota_type,
          limit: trimDecimal(row.quota_limit ?? '0'),
          ...(row.quota_meter !== null && { meter: row.quota_meter, unit: row.quota_unit ?? row.unit }),
        },
  features: row.features,
  tags: row.tags,
  popular: row.popular,
  recommended: row.recommended,
  requiresPrepaidCredit: row.requires_prepaid_credit,
  createdAt: row.created_at,
});

/** Returns services by id, in no particular order. */
export async function servicesByIds(
  db: Kysely<unknown>,
  ids: readonly string[],
  now: Date,
): Promise<Service[]> {
  const { rows } = await sql<ServiceRow>`--hot services-by-id
    select ${columns} from service s ${priceAt(now)} where s.id = any(${ids as string[]}::text[])`.execute(
    db,
  );
  return rows.map(toService);
}

/** Returns the services of a family, by name; none for the empty family. */
export async function servicesOfFamily(db: Kysely<unknown>, family: string, now: Date): Promise<Service[]> {
  const { rows } =
    await sql<ServiceRow>`select ${columns} from service s ${priceAt(now)} where s.family = ${family} and s.family <> '' order by s.name, s.id`.execute(
      db,
    );
  return rows.map(toService);
}

/**
 * Returns the services on sale that can be added to subscriptions of a plan family, by name; none for the
 * empty family.
 */
export async function addOnsOfFamily(db: Kysely<unknown>, family: string, now: Date): Promise<Service[]> {
  const { rows } =
    await sql<ServiceRow>`select ${columns} from service s ${priceAt(now)} where ${family} = any(s.add_on_to) and ${family} <> '' and s.status = 'active' and s.release_state <> 'Coming Soon' order by s.name, s.id`.execute(
      db,
    );
  return rows.map(toService);
}

/** The filter of a list of services. */
export type ServiceFilter = Pick<
  In<typeof catalogue.adminListServices>,
  'q' | 'type' | 'category' | 'status' | 'releaseState' | 'tag' | 'meterId'
> & { tab?: 'all' | 'popular' | 'new' | 'recommended' | undefined };
export type ServicePage = ServiceFilter &
  Pick<In<typeof catalogue.adminListServices>, 'sort' | 'limit' | 'cursor'>;
const newForDays = 30;
export const serviceOrder: ListOrder = {
  by: {
    createdAt: { expression: sql`s.created_at`, cast: 'timestamptz' },
    name: { expression: sql`s.name`, cast: 'text' },
    type: { expression: sql`s.type`, cast: 'text' },
    status: { expression: sql`s.status`, cast: 'text' },
  },
  usual: 'name',
  id: sql`s.id`,
};

/** The condition of a tab. */
const tabConditions = {
  popular: () => sql`s.popular`,
  recommended: () => sql`s.recommended`,
  // What a catalogue started with, such as a complete import, is not new: otherwise everything would be.
  new: (now: Date) =>
    sql`s.created_at > ${new Date(now.getTime() - newForDays * dayMs)} and s.created_at > (select min(f.created_at) from service f) + interval '1 day'`,
};

/** The condition of a filter. The searched expression is the indexed one. */
export function conditionOf(filter: ServiceFilter, now: Date): RawBuilder<unknown> {
  const tab = filter.tab ?? 'all';
  return allOf(
    filter.type && sql`s.type = ${filter.type}`,
    filter.category && sql`s.category = ${filter.category}`,
    filter.status && sql`s.status = ${filter.status}`,
    filter.releaseState && sql`s.release_state = ${filter.releaseState}`,
    filter.tag && sql`s.tags @> array[${filter.tag}]`,
    filter.meterId &&
      sql`exists (select from service_meter u where u.service_id = s.id and u.meter_id = ${filter.meterId})`,
    filter.q && sql`(s.name || E'\n' || s.description || E'\n' || s.type) ilike ${containsPattern(filter.q)}`,
    tab !== 'all' && tabConditions[tab](now),
  );
}

/**
 * A list of services: totals come from counters if these suffice; a free-text search is counted up to `cap`.
 */
function serviceList(filter: ServiceFilter, now: Date, cap?: number): List<ServiceRow> {
  const where = conditionOf(filter, now);
  const isCounted = !filter.q && !filter.tag && !filter.meterId && (filter.tab ?? 'all') === 'all';
  return {
    columns,
    from: sql`service s`,
    where,
    order: filter.tab === 'new' ? { ...serviceOrder, usual: '-createdAt' } : serviceOrder,
    counter: isCounted
      ? sql`(select coalesce(sum(s.count), 0)::bigint from service_facet s where ${where})`
      : undefined,
    cap: filter.q ? cap : undefined,
    // Prices are looked up for the rows of the page only.
    join: (page) => sql`${page} s ${priceAt(now)}`,
  };
}

/** One page of services with the exact total (capped for free searches). */
export const pageOfServices = (ctx: Ctx, filter: ServicePage): Promise<Page<Service>> =>
  readPage(ctx.db, filter, serviceList(filter, ctx.now, searchTotalCap), toService);

/** Counts the services that match a filter; at most `cap` for a free-text search. */
export const countServices = (ctx: Ctx, filter: ServiceFilter, cap?: number): Promise<number> =>
  readTotal(ctx.db, serviceList(filter, ctx.now, cap));

/** Counts a filter's services for each tab, in one query. */
export async function countTabs(
  ctx: Ctx,
  filter: Omit<ServiceFilter, 'tab'>,
): Promise<{ all: number; popular: number; new: number; recommended: number }> {
  const { rows } = await sql<{
    popular: number;
    new: number;
    recommended: number;
  }>`select count(*) filter (where ${tabConditions.popular()})::int as popular,
    count(*) filter (where ${tabConditions.new(ctx.now)})::int as new, count(*) filter (where ${tabConditions.recommended()})::int as recommended
    from service s where ${conditionOf(filter, ctx.now)} and (${tabConditions.popular()} or ${tabConditions.new(ctx.now)} or ${tabConditions.recommended()})`.execute(
    ctx.db,
  );
  return {
    ...(rows[0] ?? { popular: 0, new: 0, recommended: 0 }),
    all: await countServices(ctx, filter, searchTotalCap),
  };
}

/** Returns the types, categories, tags and families in use. */
export async function typesInUse(
  ctx: Ctx,
): Promise<{ types: string[]; categories: string[]; tags: string[]; families: string[] }> {
  const { rows } = await sql<{
    types: string[] | null;
    categories: string[] | null;
    tags: string[] | null;
    families: string[] | null;
  }>`select
    (select array_agg(distinct type) from service_facet where count > 0) as types, (select array_agg(distinct category) from service_facet where count > 0) as categories,
    (select array_agg(tag order by tag) from service_tag where count > 0) as tags, (select array_agg(distinct family) from service where family <> '') as families`.execute(
    ctx.db,
  );
  return {
    types: rows[0]?.types ?? [],
    categories: rows[0]?.categories ?? [],
    tags: rows[0]?.tags ?? [],
    families: rows[0]?.families ?? [],
  };
}

export type NewService = Omit<
  Service,
  | 'id'
  | 'priceVersionId'
  | 'priceEffectiveFrom'
  | 'createdAt'
  | 'pricing'
  | 'charges'
  | 'meterUnits'
  | 'version'
> & { externalRef: string | null };

/**
 * Adds a service; if its external reference already exists, returns that one. The trigger `service_meter`
 * assigns the meter that measures what the columns say, and creates it if it is new.
 */
export async function insertService(
  ctx: Ctx,
  service: NewService,
): Promise<{ id: Id<'svc'>; created: boolean }> {
  const [limit, limited] =
    service.quota.type === 'unlimited' ? [null, null] : [service.quota.limit, service.quota.meter ?? null];
  const { rows } = await sql<{
    id: Id<'svc'>;
  }>`insert into service (id, name, type, category, description, status, release_state, billing_cycle, proration, trial_days, family, add_on_to, quota_type, quota_limit, quota_meter, features, tags, popular, recommended, requires_prepaid_credit, event_type, aggregation, aggregation_property, unit, data_schema, external_ref, created_at)
    values (${ctx.newId('svc')}, ${service.name}, ${service.type}, ${service.category}, ${service.description}, ${service.status}, ${service.releaseState}, ${service.billingCycle}, ${service.proration}, ${service.trialDays}, ${service.family}, ${service.addOnTo}::text[], ${service.quota.type}, ${limit}, ${limited}, ${JSON.stringify(service.features)}::jsonb, ${service.tags}::text[], ${service.popular}, ${service.recommended}, ${service.requiresPrepaidCredit},
      ${service.meter.eventType}, ${service.meter.aggregation}, ${service.meter.property ?? null}, ${service.meter.unit}, ${service.meter.dataSchema ? JSON.stringify(service.meter.dataSchema) : null}::json, ${service.externalRef}, ${ctx.now})
    on conflict (external_ref) do nothing returning id`.execute(ctx.db);
  if (rows[0]) return { id: rows[0].id, created: true };
  const subscribed = await sql<{
    id: Id<'svc'>;
  }>`select id from service where external_ref = ${service.externalRef}`.execute(ctx.db);
  if (!subscribed.rows[0]) throw new Error('the service was neither made nor there');
  return { id: subscribed.rows[0].id, created: false };
}

export type ServiceChange = Partial<{
  name: string;
  type: string;
  category: string;
  description: string;
  status: string;
  release_state: string;
  billing_cycle: string;
  proration: string;
  trial_days: number;
  family: string;
  add_on_to: string[];
  quota_type: string;
  quota_limit: string | null;
  quota_meter: string | null;
  features: string;
  tags: string[];
  popular: boolean;
  recommended: boolean;
  requires_prepaid_credit: boolean;
  data_schema: string | null;
}>;

/**
 * Locks a service until the transaction ends, so that changes of it, its prices and overrides are serialized.
 */
export async function lockService(ctx: Ctx, serviceId: string): Promise<void> {
  await sql`select from service where id = ${serviceId} for update`.execute(ctx.db);
}

/** Changes the given columns of a service, and increments its version. */
export async function updateServiceRow(ctx: Ctx, serviceId: string, change: ServiceChange): Promise<void> {
  const set = assignments({ ...change, version: sql`version + 1` });
  await sql`update service set ${set} where id = ${serviceId}`.execute(ctx.db);
}

/** Sets the status of several services in one statement; returns which changed. */
export async function setStatus(
  ctx: Ctx,
  ids: readonly string[],
  status: Service['status'],
): Promise<Id<'svc'>[]> {
  const { rows } = await sql<{
    id: Id<'svc'>;
  }>`with held as materialized (select id from service where id = any(${[...ids]}::text[]) and status <> ${status} order by id for update)
    update service s set status = ${status}, version = s.version + 1 from held where s.id = held.id returning s.id`.execute(
    ctx.db,
  );
  return rows.map((row) => row.id);
}

/** Returns the ids and names of all services that match a filter, ordered by name. */
export async function namesOfFilter(
  ctx: Ctx,
  filter: ServiceFilter,
): Promise<{ id: Id<'svc'>; name: string }[]> {
  const { rows } = await sql<{
    id: Id<'svc'>;
    name: string;
  }>`select s.id, s.name from service s where ${conditionOf(filter, ctx.now)} order by s.name, s.id`.execute(
    ctx.db,
  );
  return rows;
}

/**
 * Deletes the services that no row refers to; returns the deleted ones. The transaction continues either way.
 * Referenced services are found by bisecting the list, so that a thousand unreferenced ones need one
 * statement.
 */
export async function deleteUnused(ctx: Ctx, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  await sql`savepoint delete_service`.execute(ctx.db);
  try {
    const { rows } = await sql<{
      id: string;
    }>`delete from service where id = any(${[...ids]}::text[]) returning id`.execute(ctx.db);
    await sql`release savepoint delete_service`.execute(ctx.db);
    return rows.map((row) => row.id);
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error;
    await sql`rollback to savepoint delete_service`.execute(ctx.db);
  }
  if (ids.length === 1) return [];
  const half = Math.ceil(ids.length / 2);
  return [...(await deleteUnused(ctx, ids.slice(0, half))), ...(await deleteUnused(ctx, ids.slice(half)))];
}
