// SQL of taxes: rates, how services are taxed, and VIES results.
import { sql } from 'kysely';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import type { LocalDay, Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  allOf,
  containsPattern,
  readPage,
  searchTotalCap,
  type ListOrder,
} from '#platform/server/database/paging.ts';
import type { RateCategory, ServiceCategory, ServiceTax, taxes, TaxRate, VatCheck } from '../contract.ts';
import type { RateRow } from '../rules.ts';

const dayText = (column: string) => sql`to_char(${sql.ref(column)}, 'YYYY-MM-DD')`;

/** All rates of some countries. */
export async function ratesOf(ctx: Ctx, countries: readonly string[]): Promise<RateRow[]> {
  const { rows } =
    await sql<RateRow>`select country, category, trim_scale(rate)::text as rate, ${dayText('valid_from')} as "validFrom"
    from tax_rate where country = any(${[...countries]}::bpchar[])`.execute(ctx.db);
  return rows;
}

const rateOrder: ListOrder = {
  by: {
    country: {
      expression: sql`r.country || case r.category when 'standard' then '1' when 'reduced' then '2' else '3' end || r.valid_from`,
      cast: 'text',
    },
    validFrom: { expression: sql`r.valid_from`, cast: 'date' },
    rate: { expression: sql`coalesce(r.rate, -1)`, cast: 'numeric' },
  },
  usual: 'country',
  id: sql`r.id`,
};

/** Returns one page of rates, each with its last day; `today` determines which are in force. */
export function pageOfRates(
  ctx: Ctx,
  input: In<typeof taxes.listTaxRates>,
  today: LocalDay,
  countriesNamed: readonly string[],
): Promise<Page<TaxRate>> {
  const state = sql`case when r.valid_from > ${today}::date then 'future' when r.valid_until < ${today}::date then 'past' else 'current' end`;
  return readPage(
    ctx.db,
    input,
    {
      columns: sql<TaxRate>`r.id, r.country, r.category, trim_scale(r.rate)::text as rate, ${dayText('r.valid_from')} as "validFrom", ${dayText('r.valid_until')} as "validUntil", ${state} as state, u.name as "addedBy"`,
      from: sql`(select t.*, lead(t.valid_from) over (partition by t.country, t.category order by t.valid_from) - 1 as valid_until from tax_rate t) r left join app_user u on u.id = r.added_by`,
      where: allOf(
        input.state && sql`${state} = ${input.state}`,
        input.q &&
          sql`(r.country ilike ${containsPattern(input.q)} or r.country = any(${[...countriesNamed]}::bpchar[]))`,
      ),
      order: rateOrder,
      cap: searchTotalCap,
    },
    ({ id, country, category, rate, validFrom, validUntil, state: standing, addedBy }) => ({
      id,
      country,
      category,
      rate,
      validFrom,
      validUntil,
      state: standing,
      addedBy,
    }),
  );
}

/** Adds a rate; undefined if one already exists for that day. */
export async function insertRate(
  ctx: Ctx,
  rate: {
    country: string;
    category: RateCategory;
    rate: string | null;
    validFrom: LocalDay;
    addedBy: Id<'usr'>;
  },
): Promise<Id<'txr'> | undefined> {
  const { rows } = await sql<{
    id: Id<'txr'>;
  }>`insert into tax_rate (id, country, category, rate, valid_from, added_by, added_at)
    values (${ctx.newId('txr')}, ${rate.country}, ${rate.category}, ${rate.rate}, ${rate.validFrom}, ${rate.addedBy}, ${ctx.now})
    on conflict (country, category, valid_from) do nothing returning id`.execute(ctx.db);
  return rows[0]?.id;
}

/** One rate, locked. */
export async function lockRate(ctx: Ctx, rateId: string): Promise<RateRow | undefined> {
  const { rows } =
    await sql<RateRow>`select country, category, trim_scale(rate)::text as rate, ${dayText('valid_from')} as "validFrom" from tax_rate where id = ${rateId} for update`.execute(
      ctx.db,
    );
  return rows[0];
}

export async function deleteRate(ctx: Ctx, rateId: string): Promise<void> {
  await sql`delete from tax_rate where id = ${rateId}`.execute(ctx.db);
}

/** Returns how services are taxed that are not at the standard rate. */
export async function serviceCategories(ctx: Ctx): Promise<ReadonlyMap<string, ServiceCategory>> {
  const { rows } = await sql<{
    serviceId: string;
    category: ServiceCategory;
  }>`select service_id as "serviceId", category from service_tax`.execute(ctx.db);
  return new Map(rows.map(({ serviceId, category }) => [serviceId, category]));
}

const serviceOrder: ListOrder = {
  by: {
    name: { expression: sql`s.name`, cast: 'text' },
    category: {
      expression: sql`case when t.category is null then '1' else '0' || t.category end || s.name`,
      cast: 'text',
    },
  },
  usual: 'category',
  id: sql`s.id`,
};
type ServiceRow = ServiceTax & { readonly id: string };
const serviceColumns = sql<ServiceRow>`s.id, s.id as "serviceId", s.name, coalesce(t.category, 'standard') as category`;
const serviceTables = sql`service s left join service_tax t on t.service_id = s.id`;
const toServiceTax = ({ serviceId, name, category }: ServiceRow): ServiceTax => ({
  serviceId,
  name,
  category,
});

export function pageOfServices(
  ctx: Ctx,
  input: In<typeof taxes.listServiceTaxes>,
): Promise<Page<ServiceTax>> {
  return readPage(
    ctx.db,
    input,
    {
      columns: serviceColumns,
      from: serviceTables,
      where: allOf(input.q && sql`s.name ilike ${containsPattern(input.q)}`),
      order: serviceOrder,
      cap: searchTotalCap,
    },
    toServiceTax,
  );
}

/** Returns how one service is taxed. */
export async function serviceTaxById(ctx: Ctx, serviceId: string): Promise<ServiceTax | undefined> {
  const { rows } =
    await sql<ServiceRow>`select ${serviceColumns} from ${serviceTables} where s.id = ${serviceId}`.execute(
      ctx.db,
    );
  return rows[0] && toServiceTax(rows[0]);
}

/** Sets how a service is taxed; a service at the standard rate has no row. */
export async function storeServiceTax(
  ctx: Ctx,
  serviceId: string,
  category: ServiceCategory,
  setBy: Id<'usr'>,
): Promise<void> {
  if (category === 'standard') {
    await sql`delete from service_tax where service_id = ${serviceId}`.execute(ctx.db);
    return;
  }
  await sql`insert into service_tax (service_id, category, set_by, set_at) values (${serviceId}, ${category}, ${setBy}, ${ctx.now})
    on conflict (service_id) do update set category = excluded.category, set_by = excluded.set_by, set_at = excluded.set_at`.execute(
    ctx.db,
  );
}

/** Returns organizations whose VAT id VIES rejected, by its last response about their current id. */
export async function refusedVatIds(
  ctx: Ctx,
  organizationIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`select o.id from organization o
    cross join lateral (select c.state from vat_check c where c.organization_id = o.id and c.vat_id = o.vat_id and c.state <> 'not_checked' order by c.id desc limit 1) last
    where o.id = any(${[...organizationIds]}::text[]) and o.vat_id <> '' and last.state = 'invalid'`.execute(
    ctx.db,
  );
  return new Set(rows.map(({ id }) => id));
}

const checkColumns = sql<VatCheck>`c.id, c.organization_id as "organizationId", c.vat_id as "vatId", c.state, c.checked_at as "checkedAt", c.request_id as "requestId", c.name, c.address`;

/** Returns the last response about an organization's current VAT id. */
export async function lastCheck(ctx: Ctx, organizationId: string): Promise<VatCheck | undefined> {
  const { rows } =
    await sql<VatCheck>`select ${checkColumns} from vat_check c join organization o on o.id = c.organization_id and o.vat_id = c.vat_id
    where c.organization_id = ${organizationId} order by c.id desc limit 1`.execute(ctx.db);
  return rows[0];
}

export async function insertCheck(ctx: Ctx, check: Omit<VatCheck, 'id' | 'checkedAt'>): Promise<VatCheck> {
  const made: VatCheck = { ...check, id: ctx.newId('vck'), checkedAt: ctx.now };
  await sql`insert into vat_check (id, organization_id, vat_id, state, checked_at, request_id, name, address)
    values (${made.id}, ${made.organizationId}, ${made.vatId}, ${made.state}, ${made.checkedAt}, ${made.requestId}, ${made.name}, ${made.address})`.execute(
    ctx.db,
  );
  return made;
}

/**
 * Returns open organizations in some countries whose current VAT id has no VIES response yet, those queried
 * least recently first.
 */
export async function uncheckedOrganizations(
  ctx: Ctx,
  countries: readonly string[],
  most: number,
): Promise<Id<'org'>[]> {
  const { rows } = await sql<{ id: Id<'org'> }>`select o.id from organization o
    left join lateral (select max(c.id) as last, bool_or(c.state <> 'not_checked') as is_answered from vat_check c where c.organization_id = o.id and c.vat_id = o.vat_id) c on true
    where o.vat_id <> '' and o.closed_at is null and o.country = any(${[...countries]}::text[]) and c.is_answered is not true
    order by c.last nulls first, o.id limit ${most}`.execute(ctx.db);
  return rows.map(({ id }) => id);
}
