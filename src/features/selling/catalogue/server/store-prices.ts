// SQL of prices: versions of list prices, overrides, and both merged.
import { sql, type Kysely } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Tables } from '#platform/server/database/tables.ts';
import type { PriceOverride, PriceVersionView, Pricing } from '../contract.ts';
import { mergePrices } from '../rules-prices.ts';

/** The id of the publishing user; null for the console itself. */
export const authorOf = (ctx: Ctx): string | null => (ctx.actor.kind === 'user' ? ctx.actor.userId : null);

/** Adds a price version that begins at a moment; false when one begins there already. */
export async function insertPriceVersion(
  ctx: Ctx,
  serviceId: string,
  effectiveFrom: Date,
  pricing: Pricing,
): Promise<boolean> {
  const { rows } =
    await sql`insert into price_version (id, service_id, effective_from, currency, pricing, created_at, created_by)
    values (${ctx.newId('prv')}, ${serviceId}, ${effectiveFrom}, ${pricing.currency}, ${JSON.stringify(pricing)}::jsonb, ${ctx.now}, ${authorOf(ctx)}) on conflict (service_id, effective_from) do nothing returning id`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Whether a pricing is the one that is in force now. */
export async function isCurrentPricing(ctx: Ctx, serviceId: string, pricing: Pricing): Promise<boolean> {
  const { rows } = await sql<{
    same: boolean;
  }>`select pricing = ${JSON.stringify(pricing)}::jsonb as same from price_version where service_id = ${serviceId} and effective_from <= ${ctx.now} order by effective_from desc limit 1`.execute(
    ctx.db,
  );
  return rows[0]?.same ?? false;
}

export type PriceVersion = {
  readonly id: Id<'prv'>;
  readonly serviceId: Id<'svc'>;
  readonly effectiveFrom: Date;
  readonly pricing: Pricing;
};

/** All price versions of some services, the oldest first. */
async function priceVersionsOf(db: Kysely<Tables>, serviceIds: readonly string[]): Promise<PriceVersion[]> {
  const { rows } =
    await sql<PriceVersion>`select id, service_id as "serviceId", effective_from as "effectiveFrom", pricing from price_version where service_id = any(${serviceIds as string[]}::text[]) order by service_id, effective_from`.execute(
      db,
    );
  return rows;
}

export type ServiceOfOrganization = { readonly serviceId: string; readonly organizationId: string };
/** How {@link pricesFor} names a service of an organization. */
export const priceKey = ({ serviceId, organizationId }: ServiceOfOrganization): string =>
  `${serviceId} ${organizationId}`;

/**
 * The prices of services for organizations, by {@link priceKey}: each list oldest first, every price in force
 * until the next begins; prices agreed with an organization replace the list's. Before the first price
 * begins, it applies already.
 */
export async function pricesFor(
  db: Kysely<Tables>,
  pairs: readonly ServiceOfOrganization[],
): Promise<ReadonlyMap<string, readonly PriceVersion[]>> {
  const serviceIds = [...new Set(pairs.map((pair) => pair.serviceId))];
  const versions = Map.groupBy(
    await priceVersionsOf(db, serviceIds),
    (version) => version.serviceId as string,
  );
  const { rows } =
    await sql<Override>`select id, service_id as "serviceId", organization_id as "organizationId", effective_from as "effectiveFrom", effective_until as until, pricing
    from price_override where service_id = any(${serviceIds}::text[]) and organization_id = any(${[...new Set(pairs.map((pair) => pair.organizationId))]}::text[]) order by effective_from`.execute(
      db,
    );
  const overrides = Map.groupBy(rows, priceKey);
  return new Map(
    pairs.map((pair) => [
      priceKey(pair),
      mergePrices<PriceVersion>(versions.get(pair.serviceId) ?? [], overrides.get(priceKey(pair)) ?? []),
    ]),
  );
}
type Override = PriceVersion & { readonly organizationId: string; readonly until: Date | null };

/** Prices by id, list prices and overrides; unknown ids are left out. */
export async function priceVersionsByIds(
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PriceVersion>> {
  if (ids.length === 0) return new Map();
  const { rows } =
    await sql<PriceVersion>`select id, service_id as "serviceId", effective_from as "effectiveFrom", pricing from price_version where id = any(${[...ids]}::text[])
    union all select id, service_id, effective_from, pricing from price_override where id = any(${[...ids]}::text[])`.execute(
      db,
    );
  return new Map(rows.map((row) => [row.id, row]));
}

const stateAt = (now: Date): ReturnType<typeof sql> =>
  sql`case when "effectiveFrom" > ${now} then 'scheduled' when until <= ${now} then 'past' else 'current' end`;

/** All versions of a service's list price, newest first, with their authors. */
export async function priceHistory(ctx: Ctx, serviceId: string): Promise<PriceVersionView[]> {
  const { rows } = await sql<PriceVersionView>`select v.*, ${stateAt(ctx.now)} as state from (
      select v.id, v.pricing, v.effective_from as "effectiveFrom", lead(v.effective_from) over (order by v.effective_from) as until, v.created_at as "createdAt", u.name as "createdBy"
      from price_version v left join app_user u on u.id = v.created_by where v.service_id = ${serviceId}) v order by "effectiveFrom" desc`.execute(
    ctx.db,
  );
  return rows;
}

/** Takes back a version that has not begun; the only one there is stays. */
export async function deleteScheduledPrice(ctx: Ctx, serviceId: string, id: string): Promise<boolean> {
  const { rows } =
    await sql`delete from price_version v where id = ${id} and service_id = ${serviceId} and effective_from > ${ctx.now}
    and exists (select from price_version o where o.service_id = v.service_id and o.id <> v.id) returning id`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** The overrides of a service, newest first; optionally of one organization, or a single one. */
export async function overridesOf(
  ctx: Ctx,
  serviceId: string,
  only: { organizationId?: string; id?: string } = {},
): Promise<PriceOverride[]> {
  const { rows } = await sql<PriceOverride>`select v.*, ${stateAt(ctx.now)} as state from (
      select v.id, v.organization_id as "organizationId", o.name as organization, v.pricing, v.effective_from as "effectiveFrom", v.effective_until as until, v.reason, v.created_at as "createdAt", u.name as "createdBy"
      from price_override v join organization o on o.id = v.organization_id left join app_user u on u.id = v.created_by
      where v.service_id = ${serviceId} and (${only.organizationId ?? null}::text is null or v.organization_id = ${only.organizationId ?? null}) and (${only.id ?? null}::text is null or v.id = ${only.id ?? null})) v
    order by "effectiveFrom" desc, id`.execute(ctx.db);
  return rows;
}

export type NewOverride = {
  readonly serviceId: string;
  readonly organizationId: string;
  readonly effectiveFrom: Date;
  readonly until: Date | null;
  readonly pricing: Pricing;
  readonly reason: string;
};

/**
 * Adds an override. The caller must hold the service's lock and have checked that no other override covers
 * its time.
 */
export async function insertOverride(ctx: Ctx, override: NewOverride): Promise<Id<'prv'>> {
  const id = ctx.newId('prv');
  await sql`insert into price_override (id, service_id, organization_id, effective_from, effective_until, currency, pricing, reason, created_at, created_by)
    values (${id}, ${override.serviceId}, ${override.organizationId}, ${override.effectiveFrom}, ${override.until}, ${override.pricing.currency}, ${JSON.stringify(override.pricing)}::jsonb, ${override.reason}, ${ctx.now}, ${authorOf(ctx)})`.execute(
    ctx.db,
  );
  return id;
}

/** Ends an override now; one that has not begun is deleted. */
export async function endOverrideNow(ctx: Ctx, override: PriceOverride): Promise<void> {
  // One that begins this very moment has been in force for no time at all, too.
  if (override.effectiveFrom >= ctx.now)
    await sql`delete from price_override where id = ${override.id}`.execute(ctx.db);
  else
    await sql`update price_override set effective_until = ${ctx.now} where id = ${override.id}`.execute(
      ctx.db,
    );
}
