// SQL of credit grants: the grants, their lists, and their owners.
import { sql, type RawBuilder } from 'kysely';
import { required } from '#kernel/assert.ts';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { BillingMonth, Page } from '#kernel/shape.ts';
import {
  allOf,
  containsPattern,
  orderOf,
  readPage,
  searchTotalCap,
  type ListOrder,
  readTotal,
} from '#platform/server/database/paging.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type {
  CreditGrant,
  creditgrants,
  GrantKind,
  GrantOrigin,
  GrantScope,
  GrantState,
} from '../contract.ts';
import type { Scope } from '../rules.ts';

export type GrantRow = {
  id: Id<'cgr'>;
  organization_id: Id<'org'>;
  organization: string;
  kind: GrantKind;
  origin: GrantOrigin;
  state: GrantState;
  name_zh_tw: string;
  name_en_us: string;
  amount_minor: bigint;
  left_minor: bigint;
  used_minor: bigint;
  currency: Currency;
  priority: number;
  services: CreditGrant['scope']['services'];
  charges: CreditGrant['scope']['charges'];
  usage_only: boolean;
  starts_on: BillingMonth;
  last_month: BillingMonth | null;
  recurs: boolean;
  rolls_over: boolean;
  note: string;
  created_at: Date;
  creator_name: string;
  withdrawn_at: Date | null;
  withdrawer_name: string | null;
  withdrawal_reason: string | null;
};

/** The current month of the organization `o` in its own time zone. */
export const currentMonth = (now: Date): RawBuilder<unknown> =>
  sql`to_char(${now}::timestamptz at time zone o.time_zone, 'YYYY-MM')`;

/** A grant with a remaining amount is active even after its last month, whose bill may not be issued yet. */
const stateAt = (now: Date): RawBuilder<GrantState> => sql<GrantState>`case
    when g.withdrawn_at is not null then 'withdrawn'
    when g.starts_on > ${currentMonth(now)} then 'upcoming'
    when g.remaining_minor > 0 or (g.recurs and coalesce(g.last_month, '9999-12') >= ${currentMonth(now)}) then 'active'
    when g.recurs or g.expired_minor > 0 then 'expired'
    else 'used_up' end`;

/**
 * The charges that a term is limited to (a column or a value), with their names from the prices in force; a
 * removed charge is named by its key.
 */
export const chargesNamed = (
  charges: 'g.charges' | 'c.charges' | RawBuilder<unknown>,
  now: Date,
): RawBuilder<unknown> => sql`(select json_agg(json_build_object('serviceId', n.of ->> 'serviceId', 'chargeKey', n.of ->> 'chargeKey',
      'name', coalesce(k.name, jsonb_build_object('zhTW', n.of ->> 'chargeKey', 'enUS', n.of ->> 'chargeKey'))) order by n.place)
    from jsonb_array_elements(${typeof charges === 'string' ? sql.ref(charges) : charges}) with ordinality as n (of, place)
      left join lateral (select p.pricing -> 'charges' as charges from price_version p where p.service_id = n.of ->> 'serviceId'
        order by (p.effective_from <= ${now}) desc, case when p.effective_from <= ${now} then p.effective_from end desc, p.effective_from limit 1) p on true
      left join lateral (select e.of -> 'name' as name from jsonb_array_elements(p.charges) as e (of) where e.of ->> 'key' = n.of ->> 'chargeKey' limit 1) k on true)`;

const columnsAt = (
  now: Date,
) => sql<GrantRow>`g.id, g.organization_id, o.name as organization, g.kind, g.origin, ${stateAt(now)} as state, g.name_zh_tw, g.name_en_us, g.amount_minor, g.currency, g.priority, g.usage_only, g.starts_on, g.last_month, g.recurs, g.rolls_over, g.note, g.created_at, g.creator_name, g.withdrawn_at, g.withdrawer_name, g.withdrawal_reason, g.used_minor,
  case when g.recurs and not g.rolls_over then coalesce((select sum(m.minor) from credit_movement m where m.grant_id = g.id and m.month = ${currentMonth(now)}), 0)::bigint else g.remaining_minor end as left_minor,
  (select json_agg(json_build_object('id', s.id, 'name', s.name) order by s.name, s.id) from service s where s.id = any(g.services)) as services,
  ${chargesNamed('g.charges', now)} as charges`;
const tables = sql`credit_grant g join organization o on o.id = g.organization_id`;

export const toGrant = (row: GrantRow): CreditGrant => ({
  id: row.id,
  organizationId: row.organization_id,
  organization: row.organization,
  kind: row.kind,
  origin: row.origin,
  state: row.state,
  name: { zhTW: row.name_zh_tw, enUS: row.name_en_us },
  amount: money(row.amount_minor, row.currency),
  left: money(row.left_minor, row.currency),
  used: money(row.used_minor, row.currency),
  priority: row.priority,
  scope: { services: row.services, charges: row.charges, usageOnly: row.usage_only },
  startsOn: row.starts_on,
  lastMonth: row.last_month,
  recurring: row.recurs ? { rollover: row.rolls_over } : null,
  note: row.note,
  createdAt: row.created_at,
  createdBy: row.creator_name,
  withdrawnAt: row.withdrawn_at,
  withdrawnBy: row.withdrawer_name,
  withdrawalReason: row.withdrawal_reason,
});

export type NewGrant = {
  readonly id: Id<'cgr'>;
  readonly organizationId: Id<'org'>;
  readonly kind: GrantKind;
  readonly origin: GrantOrigin;
  readonly name: { readonly zhTW: string; readonly enUS: string };
  readonly amount: Money;
  readonly priority: number;
  readonly scope: Scope;
  readonly startsOn: BillingMonth;
  readonly lastMonth: BillingMonth | null;
  readonly recurring: { readonly rollover: boolean } | null;
  readonly note: string;
  readonly createdBy: string;
  readonly creatorName: string;
};

export async function insertGrant(ctx: Ctx, grant: NewGrant): Promise<void> {
  await sql`insert into credit_grant (id, organization_id, kind, origin, name_zh_tw, name_en_us, amount_minor, currency, priority, services, charges, usage_only, starts_on, last_month, recurs, rolls_over, note, created_at, created_by, creator_name)
    values (${grant.id}, ${grant.organizationId}, ${grant.kind}, ${grant.origin}, ${grant.name.zhTW}, ${grant.name.enUS}, ${grant.amount.minor}, ${grant.amount.currency}, ${grant.priority}, ${grant.scope.services && [...grant.scope.services]}::text[], ${grant.scope.charges && JSON.stringify(grant.scope.charges)}::jsonb, ${grant.scope.usageOnly}, ${grant.startsOn}, ${grant.lastMonth}, ${grant.recurring !== null}, ${grant.recurring?.rollover ?? false}, ${grant.note}, ${ctx.now}, ${grant.createdBy}, ${grant.creatorName})`.execute(
    ctx.db,
  );
}

/** Returns which of some services exist. */
export async function knownServices(ctx: Ctx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{
    id: string;
  }>`select id from service where id = any(${[...ids]}::text[])`.execute(ctx.db);
  return new Set(rows.map((row) => row.id));
}

/** Returns the contents of a scope with names. */
export async function namedScope(ctx: Ctx, { services, charges, usageOnly }: Scope): Promise<GrantScope> {
  if (charges === null)
    return { services: services && (await serviceNames(ctx, services)), charges, usageOnly };
  const { rows } = await sql<{
    charges: GrantScope['charges'];
  }>`select ${chargesNamed(sql`${JSON.stringify(charges)}::jsonb`, ctx.now)} as charges`.execute(ctx.db);
  return {
    services: services && (await serviceNames(ctx, services)),
    charges: required(rows[0], 'one row').charges,
    usageOnly,
  };
}

/** Returns services by id with their names, ordered by name. */
export async function serviceNames(
  ctx: Ctx,
  ids: readonly string[],
): Promise<{ id: Id<'svc'>; name: string }[]> {
  const { rows } = await sql<{
    id: Id<'svc'>;
    name: string;
  }>`select id, name from service where id = any(${[...ids]}::text[]) order by name, id`.execute(ctx.db);
  return rows;
}

/** Returns one grant; with `lock`, no other transaction can move it until this one ends. */
export async function grantById(ctx: Ctx, grantId: string, lock = false): Promise<CreditGrant | undefined> {
  // Locked by a separate statement, so that later reads include what the lock waited for.
  if (lock) await sql`select 1 from credit_grant where id = ${grantId} for update`.execute(ctx.db);
  const { rows } =
    await sql<GrantRow>`select ${columnsAt(ctx.now)} from ${tables} where g.id = ${grantId}`.execute(ctx.db);
  return rows[0] && toGrant(rows[0]);
}

/** Returns an organization's grants: those that cover bills first, in order of use; at most 200. */
export async function grantsOfOrganization(ctx: Ctx, organizationId: string): Promise<CreditGrant[]> {
  const { rows } = await sql<GrantRow>`select * from (select ${columnsAt(ctx.now)} from ${tables}
    where g.organization_id = ${organizationId}) as found
    order by array_position(array['active', 'upcoming', 'used_up', 'expired', 'withdrawn'], state), priority, coalesce(last_month, '9999-12'), created_at, id limit 200`.execute(
    ctx.db,
  );
  return rows.map(toGrant);
}

export async function markWithdrawn(
  ctx: Ctx,
  grantId: string,
  by: { readonly id: string; readonly name: string; readonly reason: string },
): Promise<void> {
  await sql`update credit_grant set withdrawn_at = ${ctx.now}, withdrawn_by = ${by.id}, withdrawer_name = ${by.name}, withdrawal_reason = ${by.reason}, version = version + 1 where id = ${grantId}`.execute(
    ctx.db,
  );
}

type Filter = Omit<In<typeof creditgrants.adminListGrants>, 'sort' | 'limit' | 'cursor'>;
const whereOf = (now: Date, filter: Filter): RawBuilder<unknown> => {
  const pattern = filter.q ? containsPattern(filter.q) : undefined;
  return allOf(
    filter.organizationId && sql`g.organization_id = ${filter.organizationId}`,
    filter.kind && sql`g.kind = ${sql.lit(filter.kind)}`,
    filter.currency && sql`g.currency = ${sql.lit(filter.currency)}`,
    filter.state && sql`${stateAt(now)} = ${sql.lit(filter.state)}`,
    pattern &&
      sql`(g.name_zh_tw ilike ${pattern} or g.name_en_us ilike ${pattern} or g.note ilike ${pattern} or o.name ilike ${pattern})`,
  );
};
const order: ListOrder = {
  by: {
    createdAt: { expression: sql`g.created_at`, cast: 'timestamptz' },
    organization: { expression: sql`o.name`, cast: 'text' },
    amount: { expression: sql`g.amount_minor`, cast: 'bigint' },
    left: { expression: sql`g.remaining_minor`, cast: 'bigint' },
    lastMonth: { expression: sql`coalesce(g.last_month, '9999-12')::text`, cast: 'text' },
    priority: { expression: sql`g.priority`, cast: 'integer' },
  },
  usual: '-createdAt',
  id: sql`g.id`,
};

/** Returns one page of the grants of all organizations with the total. */
export function pageOfGrants(
  ctx: Ctx,
  input: In<typeof creditgrants.adminListGrants>,
): Promise<Page<CreditGrant>> {
  const { sort, limit, cursor, ...filter } = input;
  const list = {
    columns: columnsAt(ctx.now),
    from: tables,
    where: whereOf(ctx.now, filter),
    order,
    cap: filter.q ? searchTotalCap : undefined,
  };
  return readPage(ctx.db, { sort, limit, cursor }, list, toGrant);
}

/** Returns all grants that match a filter, for an export. */
export const allGrants = (now: Date, filter: Filter, sort: string | undefined): RawBuilder<GrantRow> =>
  sql<GrantRow>`select ${columnsAt(now)} from ${tables} where ${whereOf(now, filter)} order by ${orderOf(order, sort)}`;

export const countGrants = (ctx: Ctx, filter: Filter): Promise<number> =>
  readTotal(ctx.db, { from: tables, where: whereOf(ctx.now, filter) });
