// SQL of payers of single subscriptions.
import { sql, type RawBuilder } from 'kysely';
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
import type { OwnPayers, payers, SubscriptionPayerSpan } from '../contract.ts';
import type { PayerTerm } from '../rules.ts';

/** The month after the last one is the first month of the next term. */
export const subscriptionSpans = sql`(select t.id, t.subscription_id, t.organization_id, t.payer_id, t.from_month, to_char((lead(t.from_month) over (partition by t.subscription_id order by t.from_month) || '-01')::date - interval '1 month', 'YYYY-MM') as until_month, t.set_by, t.set_at from subscription_payer t)`;
const tables = sql`${subscriptionSpans} s join organization o on o.id = s.organization_id join organization p on p.id = s.payer_id
  join subscription b on b.id = s.subscription_id join service v on v.id = b.service_id left join app_user u on u.id = s.set_by`;
const running = (now: Date) => sql`to_char(${now}::timestamptz at time zone o.time_zone, 'YYYY-MM')`;
const stateAt = (now: Date) =>
  sql`case when s.from_month > ${running(now)} then 'planned' when s.until_month < ${running(now)} then 'ended' else 'current' end`;
const columnsAt = (now: Date) =>
  sql<SubscriptionPayerSpan>`s.id, s.subscription_id as "subscriptionId", v.name as service, s.organization_id as "organizationId", o.name as organization, s.payer_id as "payerId", p.name as payer, s.from_month as "from", s.until_month as until, ${stateAt(now)} as state, coalesce(u.name, '') as "setBy", s.set_at as "setAt"`;

const order: ListOrder = {
  by: {
    organization: { expression: sql`o.name`, cast: 'text' },
    service: { expression: sql`v.name`, cast: 'text' },
    payer: { expression: sql`p.name`, cast: 'text' },
    from: { expression: sql`s.from_month`, cast: 'text' },
    setAt: { expression: sql`s.set_at`, cast: 'timestamptz' },
  },
  usual: '-from',
  id: sql`s.id`,
};

/** Returns one page of subscriptions' payers, with the exact total. */
export function pageOfSubscriptionPayers(
  ctx: Ctx,
  { subscriptionId, ...input }: In<typeof payers.listSubscriptionPayers>,
): Promise<Page<SubscriptionPayerSpan>> {
  const pattern = input.q ? containsPattern(input.q) : undefined;
  const list = {
    columns: columnsAt(ctx.now),
    from: tables,
    where: allOf(
      subscriptionId && sql`s.subscription_id = ${subscriptionId}`,
      pattern && sql`(o.name ilike ${pattern} or p.name ilike ${pattern} or v.name ilike ${pattern})`,
    ),
    order,
    cap: searchTotalCap,
  };
  return readPage(ctx.db, input, list, rowItself);
}

/** Returns the terms of a subscription, earliest month first. */
export async function termsOfSubscription(ctx: Ctx, subscriptionId: string): Promise<PayerTerm[]> {
  const { rows } =
    await sql<PayerTerm>`select from_month as "from", payer_id as "payerId" from subscription_payer where subscription_id = ${subscriptionId} order by from_month`.execute(
      ctx.db,
    );
  return rows;
}

/** Replaces the terms of a subscription from a month on. */
export async function replaceSubscriptionTerms(
  ctx: Ctx,
  subscription: { readonly id: Id<'sub'>; readonly organizationId: Id<'org'> },
  since: BillingMonth,
  term: PayerTerm | null,
  setBy: Id<'usr'>,
): Promise<void> {
  await sql`delete from subscription_payer where subscription_id = ${subscription.id} and from_month >= ${since}`.execute(
    ctx.db,
  );
  if (term)
    await sql`insert into subscription_payer (id, subscription_id, organization_id, from_month, payer_id, set_by, set_at) values (${ctx.newId('spy')}, ${subscription.id}, ${subscription.organizationId}, ${term.from}, ${term.payerId}, ${setBy}, ${ctx.now})`.execute(
      ctx.db,
    );
}

/** Whether another organization pays for a subscription of an organization in a month or later. */
export async function hasPaidSubscriptionsSince(
  ctx: Ctx,
  organizationId: string,
  month: BillingMonth,
): Promise<boolean> {
  const { rows } =
    await sql`select 1 from ${subscriptionSpans} s where s.organization_id = ${organizationId} and s.payer_id is not null and coalesce(s.until_month, '9999-12') >= ${month} limit 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/**
 * Locks a subscription's plan until the unit of work ends, which also keeps others from setting its payer.
 */
export async function lockSubscription(ctx: Ctx, subscriptionId: string): Promise<void> {
  await sql`select 1 from subscription where id = ${subscriptionId} for no key update`.execute(ctx.db);
}

/**
 * Whether a subscription's service, current or scheduled, is metered only while there is prepaid credit. None
 * of these services can start to require credit until the unit of work ends.
 */
export const needsCredit = (ctx: Ctx, subscriptionId: string): Promise<boolean> =>
  oneRequiresCredit(
    ctx,
    sql`select b.service_id from subscription b where b.id = ${subscriptionId}
      union select h.service_id from subscription_phase h where h.subscription_id = ${subscriptionId} and not h.is_applied`,
  );

/**
 * Whether a service is metered only while there is prepaid credit; it cannot start to until the unit of work
 * ends.
 */
export const requiresCredit = (ctx: Ctx, serviceId: string): Promise<boolean> =>
  oneRequiresCredit(ctx, sql`select ${serviceId}`);

async function oneRequiresCredit(ctx: Ctx, serviceIds: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ requiresCredit: boolean }>`
    select v.requires_prepaid_credit as "requiresCredit" from service v where v.id in (${serviceIds}) order by v.id for share`.execute(
    ctx.db,
  );
  return rows.some(({ requiresCredit: isRequired }) => isRequired);
}

/** The organization that uses a subscription, and the one that pays for it. */
export type PaidSubscription = { readonly organization: string; readonly payer: string };
const firstPaid = (at: Date) =>
  sql<PaidSubscription>`select o.name as organization, p.name as payer from ${tables} where coalesce(s.until_month, '9999-12') >= ${running(at)}`;

/** Returns who pays for a subscription at a given time or later, if anyone does. */
export async function payerOfSubscriptionSince(
  ctx: Ctx,
  subscriptionId: string,
  at: Date,
): Promise<PaidSubscription | undefined> {
  const { rows } =
    await sql<PaidSubscription>`${firstPaid(at)} and s.subscription_id = ${subscriptionId} order by s.from_month limit 1`.execute(
      ctx.db,
    );
  return rows[0];
}

/**
 * Returns a subscription to a service, current or scheduled, that has not ended and that another organization
 * pays for now or later.
 */
export async function paidSubscriptionOfService(
  ctx: Ctx,
  serviceId: string,
): Promise<PaidSubscription | undefined> {
  const { rows } = await sql<PaidSubscription>`${firstPaid(ctx.now)}
    and (b.ends_at is null or b.ends_at > ${ctx.now}::timestamptz)
    and (b.service_id = ${serviceId} or exists (select from subscription_phase h where h.subscription_id = b.id and h.service_id = ${serviceId} and not h.is_applied))
    order by o.name, b.id limit 1`.execute(ctx.db);
  return rows[0];
}

/** Returns who pays for single subscriptions of some organizations in their current month. */
export async function subscriptionPayersNow(
  ctx: Ctx,
  organizationIds: readonly string[],
): Promise<readonly { readonly organizationId: Id<'org'>; readonly payerId: Id<'org'> }[]> {
  const { rows } = await sql<{ organizationId: Id<'org'>; payerId: Id<'org'> }>`
    select distinct s.organization_id as "organizationId", s.payer_id as "payerId" from ${subscriptionSpans} s join organization o on o.id = s.organization_id
    where s.organization_id = any(${[...organizationIds]}::text[]) and s.payer_id is not null and ${stateAt(ctx.now)} = 'current' order by 1, 2`.execute(
    ctx.db,
  );
  return rows;
}

/**
 * Returns an organization's subscriptions that others pay for, and others' subscriptions that it pays for,
 * without past ones.
 */
export async function subscriptionsAround(
  ctx: Ctx,
  organizationId: string,
): Promise<OwnPayers['subscriptions']> {
  const { rows } = await sql<OwnPayers['subscriptions']['paidBy'][number] & { isPaid: boolean }>`
    select s.subscription_id as "subscriptionId", v.name as service, case when s.organization_id = ${organizationId} then p.name else o.name end as organization, s.from_month as "from", s.until_month as until, s.organization_id = ${organizationId} as "isPaid"
    from ${tables} where (s.organization_id = ${organizationId} or s.payer_id = ${organizationId}) and ${stateAt(ctx.now)} <> 'ended' order by v.name, s.from_month, o.name, s.id`.execute(
    ctx.db,
  );
  return {
    paidBy: rows.flatMap(({ isPaid, ...span }) => (isPaid ? [span] : [])),
    // Of others' subscriptions, the payer sees only the service's name.
    paysFor: rows.flatMap(({ isPaid, subscriptionId: _subscriptionId, ...span }) => (isPaid ? [] : [span])),
  };
}
