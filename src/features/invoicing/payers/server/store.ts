// SQL of payers.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { In } from '#kernel/contract.ts';
import type { BillingMonth, Page } from '#kernel/shape.ts';
import {
  allOf,
  containsPattern,
  readPage,
  rowItself,
  searchTotalCap,
  type ListOrder,
} from '#platform/server/database/paging.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { OwnPayers, payers, PayerSpan } from '../contract.ts';
import type { BillingTerm, PayersOfMonth, PayerTerm } from '../rules.ts';
import { subscriptionsAround, subscriptionSpans } from './store-subscriptions.ts';

/** The month after the last one is the first month of the next term. */
const spans = sql`(select t.id, t.organization_id, t.payer_id, t.from_month, to_char((lead(t.from_month) over (partition by t.organization_id order by t.from_month) || '-01')::date - interval '1 month', 'YYYY-MM') as until_month, t.set_by, t.set_at from organization_payer t)`;
/** The spans of organizations and of their subscriptions together. */
const everySpan = sql`(select organization_id, payer_id, from_month, until_month from ${spans} w union all select organization_id, payer_id, from_month, until_month from ${subscriptionSpans} u)`;
const tables = sql`${spans} s join organization o on o.id = s.organization_id join organization p on p.id = s.payer_id left join app_user u on u.id = s.set_by`;
const running = (now: Date) => sql`to_char(${now}::timestamptz at time zone o.time_zone, 'YYYY-MM')`;
const stateAt = (now: Date) =>
  sql`case when s.from_month > ${running(now)} then 'planned' when s.until_month < ${running(now)} then 'ended' else 'current' end`;
/**
 * The month from which a payer's bills are consolidated, current or scheduled; for a past span, as of its
 * last month.
 */
const consolidatedFrom = (now: Date) =>
  sql`(select b.from_month from payer_billing b where b.organization_id = s.payer_id and b.is_consolidated and (s.until_month is null or b.from_month <= s.until_month)
    and not exists (select from payer_billing l where l.organization_id = b.organization_id and l.from_month > b.from_month and l.from_month <= least(${running(now)}, s.until_month)) order by b.from_month limit 1)`;
const columnsAt = (now: Date) =>
  sql<PayerSpan>`s.id, s.organization_id as "organizationId", o.name as organization, s.payer_id as "payerId", p.name as payer, s.from_month as "from", s.until_month as until, ${stateAt(now)} as state, ${consolidatedFrom(now)} as "consolidatedFrom", coalesce(u.name, '') as "setBy", s.set_at as "setAt"`;

const order: ListOrder = {
  by: {
    organization: { expression: sql`o.name`, cast: 'text' },
    payer: { expression: sql`p.name`, cast: 'text' },
    from: { expression: sql`s.from_month`, cast: 'text' },
    setAt: { expression: sql`s.set_at`, cast: 'timestamptz' },
  },
  usual: '-from',
  id: sql`s.id`,
};

/** Returns one page of organizations' payers, with the exact total. */
export function pageOfPayers(ctx: Ctx, input: In<typeof payers.listPayers>): Promise<Page<PayerSpan>> {
  const pattern = input.q ? containsPattern(input.q) : undefined;
  const list = {
    columns: columnsAt(ctx.now),
    from: tables,
    where: allOf(pattern && sql`(o.name ilike ${pattern} or p.name ilike ${pattern})`),
    order,
    cap: searchTotalCap,
  };
  return readPage(ctx.db, input, list, rowItself);
}

/**
 * Locks organizations until the end of the unit of work, in a fixed order, so that concurrent changes see
 * each other. Bills can still be issued to them during this time.
 */
export async function lockOrganizations(ctx: Ctx, organizationIds: readonly string[]): Promise<void> {
  await sql`select 1 from organization where id = any(${[...organizationIds]}::text[]) order by id for no key update`.execute(
    ctx.db,
  );
}

/** Returns the terms of an organization, earliest month first. */
export async function termsOfOrganization(ctx: Ctx, organizationId: string): Promise<PayerTerm[]> {
  const { rows } =
    await sql<PayerTerm>`select from_month as "from", payer_id as "payerId" from organization_payer where organization_id = ${organizationId} order by from_month`.execute(
      ctx.db,
    );
  return rows;
}

/** Whether an organization pays for another, or for another's subscription, in a month or later. */
export async function paysSince(ctx: Ctx, organizationId: string, month: BillingMonth): Promise<boolean> {
  const { rows } =
    await sql`select 1 from ${everySpan} s where s.payer_id = ${organizationId} and coalesce(s.until_month, '9999-12') >= ${month} limit 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Replaces the terms of an organization from a month on. */
export async function replaceTerms(
  ctx: Ctx,
  organizationId: Id<'org'>,
  since: BillingMonth,
  term: PayerTerm | null,
  setBy: Id<'usr'>,
): Promise<void> {
  await sql`delete from organization_payer where organization_id = ${organizationId} and from_month >= ${since}`.execute(
    ctx.db,
  );
  if (term)
    await sql`insert into organization_payer (id, organization_id, from_month, payer_id, set_by, set_at) values (${ctx.newId('opy')}, ${organizationId}, ${term.from}, ${term.payerId}, ${setBy}, ${ctx.now})`.execute(
      ctx.db,
    );
}

/**
 * Returns who pays for some organizations and for their single subscriptions in a month, in one statement.
 */
export async function payersOf(
  ctx: Ctx,
  organizationIds: readonly string[],
  month: BillingMonth,
): Promise<PayersOfMonth> {
  if (organizationIds.length === 0) return { organizations: new Map(), subscriptions: new Map() };
  const ids = [...organizationIds];
  const { rows } = await sql<{ id: string; isSubscription: boolean; payerId: Id<'org'> }>`
    select id, "isSubscription", "payerId" from (
      (select distinct on (organization_id) organization_id as id, false as "isSubscription", payer_id as "payerId" from organization_payer
        where organization_id = any(${ids}::text[]) and from_month <= ${month} order by organization_id, from_month desc)
      union all (select distinct on (subscription_id) subscription_id, true, payer_id from subscription_payer
        where organization_id = any(${ids}::text[]) and from_month <= ${month} order by subscription_id, from_month desc)) s where "payerId" is not null order by 1`.execute(
    ctx.db,
  );
  const of = (isSubscription: boolean): ReadonlyMap<string, Id<'org'>> =>
    new Map(
      rows.flatMap((row) => (row.isSubscription === isSubscription ? [[row.id, row.payerId] as const] : [])),
    );
  return { organizations: of(false), subscriptions: of(true) };
}

const isCurrent = (now: Date) =>
  sql`s.from_month <= ${running(now)} and coalesce(s.until_month, '9999-12') >= ${running(now)}`;

/**
 * Returns who pays for some organizations in their current month; those that pay for themselves are left out.
 */
export async function payersNow(
  ctx: Ctx,
  organizationIds: readonly string[],
): Promise<ReadonlyMap<string, Id<'org'>>> {
  const { rows } = await sql<{ organizationId: string; payerId: Id<'org'> }>`
    select s.organization_id as "organizationId", s.payer_id as "payerId" from ${spans} s join organization o on o.id = s.organization_id
    where s.organization_id = any(${[...organizationIds]}::text[]) and s.payer_id is not null and ${isCurrent(ctx.now)}`.execute(
    ctx.db,
  );
  return new Map(rows.map(({ organizationId, payerId }) => [organizationId, payerId]));
}

/**
 * Returns the organizations that others pay for, fully or for single subscriptions, in the current month or,
 * since it may not be billed yet, in the previous one.
 */
export async function paidForBy(ctx: Ctx, payerIds: readonly string[]): Promise<Id<'org'>[]> {
  const { rows } = await sql<{ id: Id<'org'> }>`
    select distinct s.organization_id as id from ${everySpan} s join organization o on o.id = s.organization_id where s.payer_id = any(${[...payerIds]}::text[]) and s.from_month <= ${running(ctx.now)}
      and coalesce(s.until_month, '9999-12') >= to_char((${ctx.now}::timestamptz at time zone o.time_zone) - interval '1 month', 'YYYY-MM')`.execute(
    ctx.db,
  );
  return rows.map(({ id }) => id);
}

/** Returns who pays for an organization and its subscriptions, and for whom it pays, without past ones. */
export async function payersAround(ctx: Ctx, organizationId: string): Promise<OwnPayers> {
  const { rows } = await sql<OwnPayers['paidBy'][number] & { isPaid: boolean }>`
    select case when s.organization_id = ${organizationId} then p.name else o.name end as organization, s.from_month as "from", s.until_month as until, s.organization_id = ${organizationId} as "isPaid"
    from ${tables} where (s.organization_id = ${organizationId} or s.payer_id = ${organizationId}) and ${stateAt(ctx.now)} <> 'ended' order by s.from_month, o.name, s.id`.execute(
    ctx.db,
  );
  const of = (isPaid: boolean) =>
    rows.filter((row) => row.isPaid === isPaid).map(({ isPaid: _isPaid, ...span }) => span);
  return {
    paidBy: of(true),
    paysFor: of(false),
    subscriptions: await subscriptionsAround(ctx, organizationId),
  };
}

/** Returns the consolidation terms of an organization, earliest month first. */
export async function billingTermsOf(ctx: Ctx, organizationId: string): Promise<BillingTerm[]> {
  const { rows } =
    await sql<BillingTerm>`select from_month as "from", is_consolidated as "isConsolidated" from payer_billing where organization_id = ${organizationId} order by from_month`.execute(
      ctx.db,
    );
  return rows;
}

/** Replaces the consolidation terms of an organization from a month on. */
export async function replaceBillingTerms(
  ctx: Ctx,
  organizationId: string,
  { from, isConsolidated }: BillingTerm,
  setBy: Id<'usr'>,
): Promise<void> {
  await sql`delete from payer_billing where organization_id = ${organizationId} and from_month > ${from}`.execute(
    ctx.db,
  );
  await sql`insert into payer_billing (organization_id, from_month, is_consolidated, set_by, set_at) values (${organizationId}, ${from}, ${isConsolidated}, ${setBy}, ${ctx.now})
    on conflict (organization_id, from_month) do update set is_consolidated = excluded.is_consolidated, set_by = excluded.set_by, set_at = excluded.set_at`.execute(
    ctx.db,
  );
}

/** Returns those of some organizations that get a consolidated bill for a month. */
export async function consolidatedOf(
  ctx: Ctx,
  organizationIds: readonly string[],
  month: BillingMonth,
): Promise<ReadonlySet<string>> {
  if (organizationIds.length === 0) return new Set();
  const { rows } = await sql<{ id: string; isConsolidated: boolean }>`
    select distinct on (organization_id) organization_id as id, is_consolidated as "isConsolidated" from payer_billing
    where organization_id = any(${[...organizationIds]}::text[]) and from_month <= ${month} order by organization_id, from_month desc`.execute(
    ctx.db,
  );
  return new Set(rows.filter(({ isConsolidated }) => isConsolidated).map(({ id }) => id));
}

/** Returns an organization and those it pays for in a month, fully or for single subscriptions. */
export async function paidTogether(ctx: Ctx, payerId: Id<'org'>, month: BillingMonth): Promise<Id<'org'>[]> {
  const { rows } = await sql<{ id: Id<'org'> }>`
    select distinct s.organization_id as id from ${everySpan} s where s.payer_id = ${payerId} and s.from_month <= ${month} and coalesce(s.until_month, '9999-12') >= ${month}`.execute(
    ctx.db,
  );
  return [payerId, ...rows.map(({ id }) => id)];
}
