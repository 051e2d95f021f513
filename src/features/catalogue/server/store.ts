// What the catalogue asks the database.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import type { Page } from '#kernel/shape.ts';
import { trimDecimal } from '#kernel/decimal.ts';
import type { Ctx } from '#platform/server/ctx.ts';
import { isForeignKeyViolation } from '#platform/server/work.ts';
import { allOf, containsPattern, planPage, searchTotalCap } from '#platform/server/paging.ts';
import type { Tables } from '#platform/server/tables.ts';
import type { Aggregation, catalogue, Pricing, Quota, Service } from '../contract.ts';

type ServiceRow = {
  id: Id<'svc'>; name: string; type: string; category: string; description: string; status: Service['status']; release_state: Service['releaseState'];
  billing_cycle: Service['billingCycle']; proration: Service['proration']; trial_days: number; family: string; version: number; quota_type: Quota['type']; quota_limit: string | null; features: string[]; tags: string[]; popular: boolean; recommended: boolean;
  event_type: string; aggregation: Aggregation; aggregation_property: string | null; unit: string; created_at: Date; price_version_id: Id<'prv'>; effective_from: Date; pricing: Pricing;
};

const columns = sql`s.id, s.name, s.type, s.category, s.description, s.status, s.release_state, s.billing_cycle, s.proration, s.trial_days, s.family, s.version, s.quota_type, s.quota_limit, s.features, s.tags, s.popular, s.recommended,
  s.event_type, s.aggregation, s.aggregation_property, s.unit, s.created_at, p.id as price_version_id, p.effective_from, p.pricing`;
/** Services with the price in force at a moment (before the first price begins: that one). */
const tablesAt = (now: Date): RawBuilder<unknown> => sql`service s cross join lateral (
  select id, effective_from, pricing from price_version v where v.service_id = s.id order by (v.effective_from <= ${now}) desc,
    case when v.effective_from <= ${now} then v.effective_from end desc, v.effective_from limit 1) p`;

const toService = (row: ServiceRow): Service => ({
  id: row.id, name: row.name, type: row.type, category: row.category, description: row.description, status: row.status, releaseState: row.release_state,
  pricing: row.pricing, priceVersionId: row.price_version_id, priceEffectiveFrom: row.effective_from,
  meter: { eventType: row.event_type, aggregation: row.aggregation, unit: row.unit, ...(row.aggregation_property === null ? {} : { property: row.aggregation_property }) },
  billingCycle: row.billing_cycle, proration: row.proration, trialDays: row.trial_days, family: row.family, version: row.version, quota: row.quota_type === 'unlimited' ? { type: 'unlimited' } : { type: row.quota_type, limit: trimDecimal(row.quota_limit ?? '0') },
  features: row.features, tags: row.tags, popular: row.popular, recommended: row.recommended, createdAt: row.created_at,
});

/** Services by id, in no order. */
export async function servicesByIds(db: Kysely<Tables>, ids: readonly string[], now: Date): Promise<Service[]> {
  const { rows } = await sql<ServiceRow>`select ${columns} from ${tablesAt(now)} where s.id = any(${ids as string[]}::text[])`.execute(db);
  return rows.map(toService);
}

/** The services of a family, by name; none for the empty family. */
export async function servicesOfFamily(db: Kysely<Tables>, family: string, now: Date): Promise<Service[]> {
  const { rows } = await sql<ServiceRow>`select ${columns} from ${tablesAt(now)} where s.family = ${family} and s.family <> '' order by s.name, s.id`.execute(db);
  return rows.map(toService);
}

export type ServiceFilter = In<typeof catalogue.adminListServices> & { tab?: 'all' | 'popular' | 'new' | 'recommended' | undefined };
const newForDays = 30;

/** One page of services with the exact total (capped for free searches). */
export async function pageOfServices(ctx: Ctx, filter: ServiceFilter): Promise<Page<Service>> {
  const plan = planPage(filter, { createdAt: { expression: sql`s.created_at`, cast: 'timestamptz' }, name: { expression: sql`s.name`, cast: 'text' } }, filter.tab === 'new' ? '-createdAt' : 'name', sql`s.id`);
  const pattern = filter.q ? containsPattern(filter.q) : undefined;
  const tab = filter.tab ?? 'all';
  const where = allOf(
    filter.type && sql`s.type = ${filter.type}`, filter.category && sql`s.category = ${filter.category}`, filter.status && sql`s.status = ${filter.status}`,
    pattern && sql`(s.name ilike ${pattern} or s.description ilike ${pattern} or s.type ilike ${pattern})`,
    tab === 'popular' && sql`s.popular`, tab === 'recommended' && sql`s.recommended`, tab === 'new' && sql`s.created_at > ${new Date(ctx.now.getTime() - newForDays * 86_400_000)}`,
  );
  const { rows } = await sql<ServiceRow & { sortValue: string | null }>`select ${columns}, ${plan.sortValue} as "sortValue" from ${tablesAt(ctx.now)} where ${allOf(where, plan.after)} order by ${plan.orderBy} limit ${plan.limit}`.execute(ctx.db);
  const isCounted = !filter.q && !filter.category && tab === 'all';
  const total = isCounted
    ? await sql<{ total: bigint }>`select rows_counted('service', ${filter.status ?? ''}, ${filter.type ?? ''}) as total`.execute(ctx.db)
    : await sql<{ total: bigint }>`select count(*) as total from (select 1 from service s where ${where} limit ${searchTotalCap}) as found`.execute(ctx.db);
  const page = plan.cut(rows);
  return { items: page.rows.map(toService), nextCursor: page.nextCursor, total: Number(total.rows[0]?.total ?? 0n) };
}

/** Types and categories that occur. */
export async function typesInUse(ctx: Ctx): Promise<{ types: string[]; categories: string[] }> {
  const { rows } = await sql<{ types: string[] | null; categories: string[] | null }>`select array_agg(distinct type) as types, array_agg(distinct category) as categories from service`.execute(ctx.db);
  return { types: rows[0]?.types ?? [], categories: rows[0]?.categories ?? [] };
}

export type NewService = Omit<Service, 'id' | 'priceVersionId' | 'priceEffectiveFrom' | 'createdAt' | 'pricing' | 'version'> & { externalRef: string | null };

/** Adds a service; with an external reference that exists already, answers that one. */
export async function insertService(ctx: Ctx, service: NewService): Promise<{ id: Id<'svc'>; created: boolean }> {
  const limit = service.quota.type === 'unlimited' ? null : service.quota.limit;
  const { rows } = await sql<{ id: Id<'svc'> }>`insert into service (id, name, type, category, description, status, release_state, billing_cycle, proration, trial_days, family, quota_type, quota_limit, features, tags, popular, recommended, event_type, aggregation, aggregation_property, unit, external_ref, created_at)
    values (${ctx.newId('svc')}, ${service.name}, ${service.type}, ${service.category}, ${service.description}, ${service.status}, ${service.releaseState}, ${service.billingCycle}, ${service.proration}, ${service.trialDays}, ${service.family}, ${service.quota.type}, ${limit}, ${JSON.stringify(service.features)}::jsonb, ${service.tags}::text[], ${service.popular}, ${service.recommended},
      ${service.meter.eventType}, ${service.meter.aggregation}, ${service.meter.property ?? null}, ${service.meter.unit}, ${service.externalRef}, ${ctx.now})
    on conflict (external_ref) do nothing returning id`.execute(ctx.db);
  if (rows[0]) return { id: rows[0].id, created: true };
  const there = await sql<{ id: Id<'svc'> }>`select id from service where external_ref = ${service.externalRef}`.execute(ctx.db);
  if (!there.rows[0]) throw new Error('the service was neither made nor there');
  return { id: there.rows[0].id, created: false };
}

/** Adds a price version that begins at a moment; false when one begins there already. */
export async function insertPriceVersion(ctx: Ctx, serviceId: string, effectiveFrom: Date, pricing: Pricing): Promise<boolean> {
  const { rows } = await sql`insert into price_version (id, service_id, effective_from, currency, pricing, created_at)
    values (${ctx.newId('prv')}, ${serviceId}, ${effectiveFrom}, ${pricing.currency}, ${JSON.stringify(pricing)}::jsonb, ${ctx.now}) on conflict (service_id, effective_from) do nothing returning id`.execute(ctx.db);
  return rows.length > 0;
}

export type ServiceChange = Partial<{ name: string; type: string; category: string; description: string; status: string; release_state: string; billing_cycle: string; proration: string; trial_days: number; family: string; quota_type: string; quota_limit: string | null; features: string; tags: string[]; popular: boolean; recommended: boolean }>;

/** Changes the given columns of a service. */
export async function updateServiceRow(ctx: Ctx, serviceId: string, change: ServiceChange): Promise<void> {
  if (Object.keys(change).length > 0) await ctx.db.updateTable('service').set(change).where('id', '=', serviceId).execute();
}

/** Sets the status of several services in one statement; answers how many changed. */
export async function setStatus(ctx: Ctx, ids: readonly string[], status: Service['status']): Promise<number> {
  const { rows } = await sql`update service set status = ${status} where id = any(${ids as string[]}::text[]) and status <> ${status} returning id`.execute(ctx.db);
  return rows.length;
}

/** Deletes one service if nothing refers to it; false when something does. The unit of work goes on either way. */
export async function deleteUnused(ctx: Ctx, serviceId: string): Promise<boolean> {
  await sql`savepoint delete_service`.execute(ctx.db);
  try {
    await sql`delete from service where id = ${serviceId}`.execute(ctx.db);
    await sql`release savepoint delete_service`.execute(ctx.db);
    return true;
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error;
    await sql`rollback to savepoint delete_service`.execute(ctx.db);
    return false;
  }
}

/** Whether a pricing is the one that is in force now. */
export async function isCurrentPricing(ctx: Ctx, serviceId: string, pricing: Pricing): Promise<boolean> {
  const { rows } = await sql<{ same: boolean }>`select pricing = ${JSON.stringify(pricing)}::jsonb as same from price_version where service_id = ${serviceId} and effective_from <= ${ctx.now} order by effective_from desc limit 1`.execute(ctx.db);
  return rows[0]?.same ?? false;
}

export type PriceVersion = { readonly id: Id<'prv'>; readonly serviceId: Id<'svc'>; readonly effectiveFrom: Date; readonly pricing: Pricing };

/** All price versions of some services, the oldest first. */
export async function priceVersionsOf(db: Kysely<Tables>, serviceIds: readonly string[]): Promise<PriceVersion[]> {
  const { rows } = await sql<PriceVersion>`select id, service_id as "serviceId", effective_from as "effectiveFrom", pricing from price_version where service_id = any(${serviceIds as string[]}::text[]) order by service_id, effective_from`.execute(db);
  return rows;
}

export type ServiceOfOrganization = { readonly serviceId: string; readonly organizationId: string };
/** How {@link pricesFor} names a service of an organization. */
export const priceKey = ({ serviceId, organizationId }: ServiceOfOrganization): string => `${serviceId} ${organizationId}`;

/**
 * What services cost organizations, by {@link priceKey}: each one's prices, the oldest first, every one in force until the next begins.
 * Before the first begins, the first holds.
 */
export async function pricesFor(db: Kysely<Tables>, pairs: readonly ServiceOfOrganization[]): Promise<ReadonlyMap<string, readonly PriceVersion[]>> {
  const versions = Map.groupBy(await priceVersionsOf(db, [...new Set(pairs.map((pair) => pair.serviceId))]), (version) => version.serviceId as string);
  return new Map(pairs.map((pair) => [priceKey(pair), versions.get(pair.serviceId) ?? []]));
}

/** One price version by id. */
export async function priceVersionById(db: Kysely<Tables>, id: string): Promise<PriceVersion | undefined> {
  const { rows } = await sql<PriceVersion>`select id, service_id as "serviceId", effective_from as "effectiveFrom", pricing from price_version where id = ${id}`.execute(db);
  return rows[0];
}

