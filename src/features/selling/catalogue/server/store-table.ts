// SQL of services as table rows.
import { sql, type RawBuilder } from 'kysely';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { orderOf } from '#platform/server/database/paging.ts';
import type { Pricing, Service } from '../contract.ts';
import { authorOf } from './store-prices.ts';
import {
  columns,
  conditionOf,
  priceAt,
  serviceOrder,
  toService,
  type NewService,
  type ServiceFilter,
  type ServiceRow,
} from './store.ts';

export type TableRow = ServiceRow & { readonly external_ref: string | null };
export type TableService = Service & { readonly externalRef: string | null };

/** Converts a row to a service with its external reference. */
export const toTableService = (row: TableRow): TableService => ({
  ...toService(row),
  externalRef: row.external_ref,
});

/** Returns the query for all services that match a filter, in an order. */
export function tableQuery(
  filter: ServiceFilter & { sort?: string | undefined },
  now: Date,
): RawBuilder<TableRow> {
  return sql<TableRow>`select ${columns}, s.external_ref from service s ${priceAt(now)} where ${conditionOf(filter, now)} order by ${orderOf(serviceOrder, filter.sort)}`;
}

/**
 * Returns services with one of these references, or one of these names and types; locked until the
 * transaction ends.
 */
export async function servicesNamed(
  ctx: Ctx,
  wanted: { refs: readonly string[]; names: readonly { name: string; type: string }[] },
): Promise<TableService[]> {
  const found = sql`s.external_ref = any(${[...wanted.refs]}::text[]) or (s.name, s.type) in (select * from unnest(${wanted.names.map((each) => each.name)}::text[], ${wanted.names.map((each) => each.type)}::text[]))`;
  await sql`select from service s where ${found} order by s.id for update`.execute(ctx.db);
  const { rows } =
    await sql<TableRow>`select ${columns}, s.external_ref from service s ${priceAt(ctx.now)} where ${found}`.execute(
      ctx.db,
    );
  return rows.map(toTableService);
}

/** Every service, by name. */
export async function allTableServices(ctx: Ctx): Promise<TableService[]> {
  const { rows } =
    await sql<TableRow>`select ${columns}, s.external_ref from service s ${priceAt(ctx.now)} order by s.name, s.id`.execute(
      ctx.db,
    );
  return rows.map(toTableService);
}

/** Services by id or external reference; locked until the transaction ends. */
export async function servicesByIdOrRef(
  ctx: Ctx,
  wanted: readonly { readonly id?: string | undefined; readonly ref?: string | undefined }[],
): Promise<TableService[]> {
  const found = sql`s.id = any(${wanted.flatMap(({ id }) => id ?? [])}::text[]) or s.external_ref = any(${wanted.flatMap(({ ref }) => ref ?? [])}::text[])`;
  await sql`select from service s where ${found} order by s.id for update`.execute(ctx.db);
  const { rows } =
    await sql<TableRow>`select ${columns}, s.external_ref from service s ${priceAt(ctx.now)} where ${found}`.execute(
      ctx.db,
    );
  return rows.map(toTableService);
}

/**
 * Adds missing services, each with its first price from now on, in two statements, however many there are.
 * Their meters are found or created as for a single one.
 */
export async function insertServices(
  ctx: Ctx,
  services: readonly (NewService & { readonly pricing: Pricing })[],
): Promise<void> {
  if (services.length === 0) return;
  const rows = services.map(({ pricing, meter, quota, ...service }) => ({
    ...service,
    id: ctx.newId('svc'),
    priceId: ctx.newId('prv'),
    quotaType: quota.type,
    quotaLimit: quota.type === 'unlimited' ? null : quota.limit,
    quotaMeter: quota.type === 'unlimited' ? null : (quota.meter ?? null),
    eventType: meter.eventType,
    aggregation: meter.aggregation,
    property: meter.property ?? null,
    unit: meter.unit,
    dataSchema: meter.dataSchema ?? null,
    currency: pricing.currency,
    pricing,
  }));
  const given = sql`json_to_recordset(${JSON.stringify(rows)}::json) as s (id text, "priceId" text, name text, type text, category text, description text, status text, "releaseState" text, "billingCycle" text, proration text, "trialDays" integer, family text,
    "quotaType" text, "quotaLimit" numeric, "quotaMeter" text, features jsonb, tags text[], popular boolean, recommended boolean, "requiresPrepaidCredit" boolean, "eventType" text, aggregation text, property text, unit text, "dataSchema" json, "externalRef" text, currency text, pricing jsonb)`;
  await sql`insert into service (id, name, type, category, description, status, release_state, billing_cycle, proration, trial_days, family, quota_type, quota_limit, quota_meter, features, tags, popular, recommended, requires_prepaid_credit, event_type, aggregation, aggregation_property, unit, data_schema, external_ref, created_at)
    select id, name, type, category, description, status, "releaseState", "billingCycle", proration, "trialDays", family, "quotaType", "quotaLimit", "quotaMeter", features, tags, popular, recommended, "requiresPrepaidCredit", "eventType", aggregation, property, unit, "dataSchema", "externalRef", ${ctx.now} from ${given}`.execute(
    ctx.db,
  );
  await sql`insert into price_version (id, service_id, effective_from, currency, pricing, created_at, created_by)
    select "priceId", id, ${ctx.now}, currency, pricing, ${ctx.now}, ${authorOf(ctx)} from ${given}`.execute(
    ctx.db,
  );
}
