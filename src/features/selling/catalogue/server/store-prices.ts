// SQL of prices: versions of list prices, overrides, and both merged.
import { sql, type Kysely } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import type { PriceOverride, PriceVersionView, Pricing } from '../contract.ts';
import { withOwnCharges } from '../rules.ts';
import { mergePrices, type Following } from '../rules-prices.ts';

/** The id of the publishing user; null for the console itself. */
export const authorOf = (ctx: Ctx): string | null => (ctx.actor.kind === 'user' ? ctx.actor.userId : null);

/** Adds a price version that starts at a given time; false if one already starts then. */
export async function insertPriceVersion(
  ctx: Ctx,
  serviceId: string,
  effectiveFrom: Date,
  pricing: Pricing,
): Promise<boolean> {
  const { rows } = await sql<{
    isFollowed: boolean;
  }>`insert into price_version (id, service_id, effective_from, currency, pricing, created_at, created_by)
    values (${ctx.newId('prv')}, ${serviceId}, ${effectiveFrom}, ${pricing.currency}, ${JSON.stringify(pricing)}::jsonb, ${ctx.now}, ${authorOf(ctx)}) on conflict (service_id, effective_from) do nothing
    returning exists (select from price_override o where o.service_id = ${serviceId} and o.only_charges) as "isFollowed"`.execute(
    ctx.db,
  );
  if (rows[0]?.isFollowed) await insertSegments(ctx, serviceId);
  return rows.length > 0;
}

/**
 * Adds the combinations of agreements on single charges with versions of the list price, if they are missing.
 */
async function insertSegments(ctx: Ctx, serviceId: string): Promise<void> {
  const { rows } = await sql<{
    overrideId: string;
    versionId: string;
    listed: Pricing;
    own: Pricing;
  }>`select o.id as "overrideId", v.id as "versionId", v.pricing as listed, o.pricing as own
    from price_override o join price_version v on v.service_id = o.service_id where o.service_id = ${serviceId} and o.only_charges
      and not exists (select from price_override_segment s where s.override_id = o.id and s.version_id = v.id)`.execute(
    ctx.db,
  );
  const pricings = rows.map(({ listed, own }) =>
    JSON.stringify(withOwnCharges(listed, own.model === 'rate_card' ? own.charges : [])),
  );
  await sql`insert into price_override_segment (id, override_id, version_id, pricing)
    select * from unnest(${rows.map(() => ctx.newId('prv'))}::text[], ${rows.map((row) => row.overrideId)}::text[], ${rows.map((row) => row.versionId)}::text[], ${pricings}::jsonb[])`.execute(
    ctx.db,
  );
}

/** Whether a pricing equals the one in force. */
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
  /** The charges agreed with an organization, while the others are those of the list price. */
  readonly agreed?: readonly Charge[];
};

export type ServiceOfOrganization = { readonly serviceId: string; readonly organizationId: string };
/** The key of a service and organization in {@link pricesFor}. */
export const priceKey = ({ serviceId, organizationId }: ServiceOfOrganization): string =>
  `${serviceId} ${organizationId}`;

/**
 * Returns the prices agreed between the operator and organizations, by {@link priceKey}, whoever sells to
 * them: oldest first, each in force until the next one starts; agreed prices replace the list's. The first
 * price also applies before its start. For what organizations pay, see `pricesFor` (retail-prices.ts).
 */
export async function agreedPricesFor(
  db: Kysely<unknown>,
  pairs: readonly ServiceOfOrganization[],
): Promise<ReadonlyMap<string, readonly PriceVersion[]>> {
  const serviceIds = [...new Set(pairs.map((pair) => pair.serviceId))];
  const organizationIds = [...new Set(pairs.map((pair) => pair.organizationId))];
  const { rows } = await sql<
    Override | ListPrice
  >`--hot list-and-agreed-prices\n select id, service_id as "serviceId", null as "organizationId", effective_from as "effectiveFrom", null as until, pricing, false as "onlyCharges"
      from price_version where service_id = any(${serviceIds}::text[])
    union all select id, service_id, organization_id, effective_from, effective_until, pricing, only_charges
      from price_override where service_id = any(${serviceIds}::text[]) and organization_id = any(${organizationIds}::text[])
    order by "effectiveFrom"`.execute(db);
  const versions = Map.groupBy(
    rows.flatMap(({ organizationId, until: _until, onlyCharges: _onlyCharges, ...price }) =>
      organizationId === null ? [price] : [],
    ),
    (version) => version.serviceId as string,
  );
  const agreed = rows.filter((row) => row.organizationId !== null);
  const overrides = Map.groupBy(await withSegments(db, agreed), priceKey);
  return new Map(
    pairs.map((pair) => [
      priceKey(pair),
      mergePrices<PriceVersion>(versions.get(pair.serviceId) ?? [], overrides.get(priceKey(pair)) ?? []),
    ]),
  );
}
type ListPrice = PriceVersion & {
  readonly organizationId: null;
  readonly until: null;
  readonly onlyCharges: false;
};
type Override = PriceVersion & {
  readonly organizationId: string;
  readonly until: Date | null;
  readonly onlyCharges: boolean;
};

/** Returns overrides; those of single charges with their combinations with list prices. */
async function withSegments(
  db: Kysely<unknown>,
  overrides: readonly Override[],
): Promise<(Override & Following<PriceVersion>)[]> {
  const ids = overrides.filter(({ onlyCharges }) => onlyCharges).map(({ id }) => id as string);
  if (ids.length === 0) return [...overrides];
  const { rows } = await sql<{
    id: Id<'prv'>;
    overrideId: string;
    versionId: string;
    pricing: Pricing;
  }>`select id, override_id as "overrideId", version_id as "versionId", pricing from price_override_segment where override_id = any(${ids}::text[])`.execute(
    db,
  );
  return overrides.map((override) => {
    if (!override.onlyCharges) return override;
    const agreed = override.pricing.model === 'rate_card' ? override.pricing.charges : [];
    const following = (listed: PriceVersion): PriceVersion | undefined => {
      const segment = rows.find((row) => row.overrideId === override.id && row.versionId === listed.id);
      return segment && { ...listed, id: segment.id, pricing: segment.pricing, agreed };
    };
    return { ...override, following };
  });
}

/** Returns prices by id, list prices and overrides; unknown ids are left out. */
export async function priceVersionsByIds(
  db: Kysely<unknown>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PriceVersion>> {
  if (ids.length === 0) return new Map();
  const { rows } =
    await sql<PriceVersion>`select id, service_id as "serviceId", effective_from as "effectiveFrom", pricing from price_version where id = any(${[...ids]}::text[])
    union all select id, service_id, effective_from, pricing from price_override where id = any(${[...ids]}::text[])
    union all select s.id, v.service_id, greatest(v.effective_from, o.effective_from), s.pricing from price_override_segment s join price_version v on v.id = s.version_id join price_override o on o.id = s.override_id where s.id = any(${[...ids]}::text[])`.execute(
      db,
    );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Whether any price, whenever it applies and to whom, has a percentage charge. */
export async function hasPercentages(db: Kysely<unknown>): Promise<boolean> {
  const isPercentage = sql`pricing @? '$.charges[*] ? (@.model == "percentage")'`;
  const { rows } = await sql<{
    has: boolean;
  }>`select exists (select from price_version where ${isPercentage}) or exists (select from price_override where ${isPercentage}) as has`.execute(
    db,
  );
  return rows[0]?.has ?? false;
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

/** Deletes a scheduled version; a service's only version is kept. */
export async function deleteScheduledPrice(ctx: Ctx, serviceId: string, id: string): Promise<boolean> {
  const { rows } =
    await sql`delete from price_version v where id = ${id} and service_id = ${serviceId} and effective_from > ${ctx.now}
    and exists (select from price_version o where o.service_id = v.service_id and o.id <> v.id) returning id`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Returns the overrides of a service, newest first; optionally of one organization, or a single one. */
export async function overridesOf(
  ctx: Ctx,
  serviceId: string,
  only: { organizationId?: string; id?: string } = {},
): Promise<PriceOverride[]> {
  const { rows } = await sql<PriceOverride>`select v.*, ${stateAt(ctx.now)} as state from (
      select v.id, v.organization_id as "organizationId", o.name as organization, coalesce(n.pricing, v.pricing) as pricing, case when v.only_charges then v.pricing -> 'charges' end as charges, v.effective_from as "effectiveFrom", v.effective_until as until, v.reason, v.created_at as "createdAt", u.name as "createdBy"
      from price_override v join organization o on o.id = v.organization_id left join app_user u on u.id = v.created_by
        left join lateral (select s.pricing from price_override_segment s join price_version p on p.id = s.version_id
          where s.override_id = v.id order by p.effective_from <= greatest(v.effective_from, least(v.effective_until, ${ctx.now})) desc, p.effective_from desc limit 1) n on true
      where v.service_id = ${serviceId} and (${only.organizationId ?? null}::text is null or v.organization_id = ${only.organizationId ?? null}) and (${only.id ?? null}::text is null or v.id = ${only.id ?? null})) v
    order by "effectiveFrom" desc, id`.execute(ctx.db);
  return rows;
}

export type NewOverride = {
  readonly serviceId: string;
  readonly organizationId: string;
  readonly effectiveFrom: Date;
  readonly until: Date | null;
  /** The whole price, or with `onlyCharges` a rate card of the agreed charges. */
  readonly pricing: Pricing;
  readonly onlyCharges: boolean;
  readonly reason: string;
};

/**
 * Adds an override. The caller must hold the service's lock and have checked that no other override covers
 * its period.
 */
export async function insertOverride(ctx: Ctx, override: NewOverride): Promise<Id<'prv'>> {
  const id = ctx.newId('prv');
  await sql`insert into price_override (id, service_id, organization_id, effective_from, effective_until, currency, pricing, only_charges, reason, created_at, created_by)
    values (${id}, ${override.serviceId}, ${override.organizationId}, ${override.effectiveFrom}, ${override.until}, ${override.pricing.currency}, ${JSON.stringify(override.pricing)}::jsonb, ${override.onlyCharges}, ${override.reason}, ${ctx.now}, ${authorOf(ctx)})`.execute(
    ctx.db,
  );
  if (override.onlyCharges) await insertSegments(ctx, override.serviceId);
  return id;
}

/** Ends an override now; one that has not started is deleted. */
export async function endOverrideNow(ctx: Ctx, override: PriceOverride): Promise<void> {
  // One that starts at this very instant has never been in force either.
  if (override.effectiveFrom >= ctx.now)
    await sql`delete from price_override where id = ${override.id}`.execute(ctx.db);
  else
    await sql`update price_override set effective_until = ${ctx.now} where id = ${override.id}`.execute(
      ctx.db,
    );
}
