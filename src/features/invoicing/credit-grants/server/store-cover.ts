// SQL of the cover of services that require prepaid credit: which organizations have them, the remaining
// credit, their state, and whose cover must be recomputed.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { ChargeOfService, Scope } from '../rules.ts';
import { currentMonth } from './store.ts';

type Owned = { readonly organizationId: Id<'org'>; readonly serviceId: Id<'svc'> };

// Late events of an ended subscription are checked, too; after this interval its month is closed.
const judgedAfterEnd = sql`interval '62 days'`;

const isOpen = sql`b.state not in ('canceled', 'expired')`;
/**
 * Pairs of organizations and services that require prepaid credit, one per subscription whose events are
 * checked; includes services that start with a scheduled change.
 */
const pairsAt = (now: Date) => {
  const isJudged = sql`s.requires_prepaid_credit and (b.ends_at is null or b.ends_at > ${now}::timestamptz - ${judgedAfterEnd})`;
  return sql`(select b.organization_id, s.id as service_id, ${isOpen} as is_open from subscription b join service s on s.id = b.service_id where ${isJudged}
    union all select b.organization_id, s.id, ${isOpen} from subscription_phase p join service s on s.id = p.service_id join subscription b on b.id = p.subscription_id where not p.is_applied and ${isJudged})`;
};

export type PrepaidPair = Owned & {
  /** Whether a subscription to it has not ended. */
  readonly isOpen: boolean;
};

/** Returns the services of organizations' subscriptions that require prepaid credit. */
export async function prepaidPairs(ctx: Ctx, organizationIds: readonly string[]): Promise<PrepaidPair[]> {
  const { rows } =
    await sql<PrepaidPair>`select p.organization_id as "organizationId", p.service_id as "serviceId", bool_or(p.is_open) as "isOpen"
    from ${pairsAt(ctx.now)} as p where p.organization_id = any(${[...organizationIds]}::text[]) group by 1, 2 order by 1, 2`.execute(
      ctx.db,
    );
  return rows;
}

/** Deletes covers of services that an organization no longer has. */
export async function dropEndedCovers(ctx: Ctx, organizationId: string): Promise<void> {
  await sql`delete from credit_cover c where c.organization_id = ${organizationId}
    and not exists (select from ${pairsAt(ctx.now)} as p where p.organization_id = c.organization_id and p.service_id = c.service_id)`.execute(
    ctx.db,
  );
}

/** A paid grant that its organization's current month can use. */
export type UsableGrant = {
  readonly id: Id<'cgr'>;
  readonly organizationId: Id<'org'>;
  readonly currency: Currency;
  readonly scope: Scope;
  readonly amount: bigint;
  /** Its remaining amount in minor units, positive; bills of open months will use part of it. */
  readonly left: bigint;
};

export async function usablePaidGrants(ctx: Ctx, organizationIds: readonly string[]): Promise<UsableGrant[]> {
  if (organizationIds.length === 0) return [];
  const { rows } = await sql<
    Omit<UsableGrant, 'scope'> & {
      services: string[] | null;
      charges: ChargeOfService[] | null;
      usageOnly: boolean;
    }
  >`select g.id, g.organization_id as "organizationId", g.currency, g.services, g.charges, g.usage_only as "usageOnly", g.amount_minor as amount, g.remaining_minor as left
    from credit_grant g join organization o on o.id = g.organization_id
    where g.organization_id = any(${[...organizationIds]}::text[]) and g.kind = 'paid' and g.remaining_minor > 0 and g.withdrawn_at is null
      and g.starts_on <= ${currentMonth(ctx.now)} and (g.last_month is null or g.last_month >= ${currentMonth(ctx.now)})`.execute(
    ctx.db,
  );
  return rows.map(({ services, charges, usageOnly, ...grant }) => ({
    ...grant,
    scope: { services, charges, usageOnly },
  }));
}

/** The state of an organization's service. */
export type CoverRow = Owned & {
  readonly stoppedAt: Date | null;
  readonly warnedAt: Date | null;
  /** When members were notified that it stopped. */
  readonly toldAt: Date | null;
};
const coverColumns = sql<CoverRow>`c.organization_id as "organizationId", c.service_id as "serviceId", c.stopped_at as "stoppedAt", c.warned_at as "warnedAt", c.told_at as "toldAt"`;

export async function coverRows(ctx: Ctx, organizationIds: readonly string[]): Promise<CoverRow[]> {
  const { rows } =
    await sql<CoverRow>`select ${coverColumns} from credit_cover c where c.organization_id = any(${[...organizationIds]}::text[])`.execute(
      ctx.db,
    );
  return rows;
}

/**
 * Returns the covers of an organization's services, locked until the transaction ends; missing ones are
 * created as stopped. A unit of work takes this lock last, so that it waits for nothing while holding it.
 */
export async function lockCovers(
  ctx: Ctx,
  organizationId: string,
  serviceIds: readonly string[],
): Promise<CoverRow[]> {
  await sql`insert into credit_cover (organization_id, service_id, stopped_at, checked_at)
    select ${organizationId}, id, ${ctx.now}, ${ctx.now} from unnest(${[...serviceIds]}::text[]) as id order by id on conflict do nothing`.execute(
    ctx.db,
  );
  // Locked by a separate statement, so that later reads include what the lock waited for.
  const { rows } =
    await sql<CoverRow>`select ${coverColumns} from credit_cover c where c.organization_id = ${organizationId} order by c.service_id for update`.execute(
      ctx.db,
    );
  return rows;
}

/** Stores the current state of an organization's services. */
export async function storeCovers(
  ctx: Ctx,
  organizationId: string,
  rows: readonly Omit<CoverRow, 'organizationId'>[],
): Promise<void> {
  await sql`update credit_cover c set stopped_at = g.stopped_at, warned_at = g.warned_at, told_at = g.told_at, checked_at = ${ctx.now}
    from unnest(${rows.map((row) => row.serviceId)}::text[], ${rows.map((row) => row.stoppedAt)}::timestamptz[], ${rows.map((row) => row.warnedAt)}::timestamptz[], ${rows.map((row) => row.toldAt)}::timestamptz[]) as g (service_id, stopped_at, warned_at, told_at)
    where c.organization_id = ${organizationId} and c.service_id = g.service_id`.execute(ctx.db);
}

/**
 * A service now requires prepaid credit: customers who have credit for it continue, all others are stopped.
 * The checks requested here take into account what open months will use.
 */
export async function beginCovers(ctx: Ctx, serviceId: string): Promise<void> {
  await sql`with owner as (select distinct b.organization_id as id from subscription b where b.service_id = ${serviceId} and (b.ends_at is null or b.ends_at > ${ctx.now}::timestamptz - ${judgedAfterEnd})),
      made as (insert into credit_cover (organization_id, service_id, stopped_at, checked_at)
        select o.id, ${serviceId}, case when not exists (select from credit_grant g where g.organization_id = o.id and g.kind = 'paid' and g.remaining_minor > 0 and g.withdrawn_at is null and (g.services is null or ${serviceId} = any(g.services))) then ${ctx.now}::timestamptz end, ${ctx.now}
        from owner o order by 1 on conflict do nothing)
    insert into credit_check (organization_id) select id from owner`.execute(ctx.db);
}

/** A service no longer requires prepaid credit. */
export async function endCovers(ctx: Ctx, serviceId: string): Promise<void> {
  await sql`delete from credit_cover where service_id = ${serviceId}`.execute(ctx.db);
}

/** An organization whose cover must be recomputed, and the requests that this answers. */
export type DueCheck = { readonly organizationId: Id<'org'>; readonly requests: readonly bigint[] };

/**
 * Returns the organizations whose cover must be recomputed: first those with requests, then those with a
 * service that was never checked, then those last checked before `before`; at most `limit` of each.
 */
export async function dueChecks(
  ctx: Ctx,
  before: Date,
  limit: number,
  except: readonly string[],
): Promise<DueCheck[]> {
  const others = sql`<> all(${[...except]}::text[])`;
  const { rows } = await sql<{ organizationId: Id<'org'>; requests: bigint[] | null }>`
    with asked as (select organization_id, array_agg(id) as requests from credit_check where organization_id ${others} group by 1 order by min(id) limit ${limit}),
      unknown as (select distinct p.organization_id from ${pairsAt(ctx.now)} as p where p.organization_id ${others}
        and not exists (select from credit_cover c where c.organization_id = p.organization_id and c.service_id = p.service_id) limit ${limit}),
      old as (select organization_id from credit_cover where checked_at < ${before} and organization_id ${others} group by 1 order by min(checked_at) limit ${limit})
    select d.organization_id as "organizationId", a.requests
      from (select organization_id from asked union select organization_id from unknown union select organization_id from old) d
        left join asked a on a.organization_id = d.organization_id order by 1`.execute(ctx.db);
  return rows.map(({ organizationId, requests }) => ({ organizationId, requests: requests ?? [] }));
}

/** Records that organizations were checked, and deletes the requests this answers. Later requests stay. */
export async function settleChecks(ctx: Ctx, checks: readonly DueCheck[]): Promise<void> {
  await sql`with answered as (delete from credit_check where id = any(${checks.flatMap(({ requests }) => [...requests])}::bigint[]))
    update credit_cover set checked_at = ${ctx.now} where organization_id = any(${checks.map(({ organizationId }) => organizationId)}::text[])`.execute(
    ctx.db,
  );
}

/** Returns which of some organizations have auto top-up or a warning. */
export async function watchingAmong(
  ctx: Ctx,
  organizationIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{
    id: string;
  }>`select distinct organization_id as id from credit_top_up where organization_id = any(${[...organizationIds]}::text[]) and (threshold_minor is not null or warn_below_minor is not null)`.execute(
    ctx.db,
  );
  return new Set(rows.map((row) => row.id));
}

/** A subscription in force to a service that requires prepaid credit. */
export type PrepaidSubscription = {
  readonly subscriptionId: Id<'sub'>;
  readonly serviceId: Id<'svc'>;
  readonly service: string;
  readonly stoppedAt: Date | null;
  readonly isStopped: boolean;
  readonly isNearlyUsed: boolean;
};

/** Returns those of an organization, ordered by service name. */
export async function prepaidSubscriptions(ctx: Ctx, organizationId: string): Promise<PrepaidSubscription[]> {
  const { rows } =
    await sql<PrepaidSubscription>`select b.id as "subscriptionId", s.id as "serviceId", s.name as service, c.stopped_at as "stoppedAt",
      c.stopped_at is not null or c.service_id is null as "isStopped", c.warned_at is not null as "isNearlyUsed"
    from subscription b join service s on s.id = b.service_id left join credit_cover c on c.organization_id = b.organization_id and c.service_id = s.id
    where b.organization_id = ${organizationId} and s.requires_prepaid_credit and ${isOpen} order by s.name, b.id`.execute(
      ctx.db,
    );
  return rows;
}
