// SQL of quotas: a subscription's usage against its limit, and the notices sent in a period.
import { sql, type RawBuilder } from 'kysely';
import { decimal } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Quota } from '#features/selling/catalogue/contract.ts';
import type { Filter, MeterAggregation } from '#features/selling/meters/contract.ts';
import { unmetered } from '#features/selling/catalogue/rules.ts';
import type { SubscriptionState } from '#features/selling/subscriptions/contract.ts';
import type { QuotaStatus } from '../contract.ts';
import type { LastNotice } from '../rules.ts';

/**
 * A subscription in its current month with the used and reserved parts of its limit, read in one statement.
 */
export type StandingRow = {
  id: Id<'sub'>;
  organizationId: Id<'org'>;
  state: SubscriptionState;
  startedAt: Date;
  endsAt: Date | null;
  isPaused: boolean;
  timeZone: string;
  month: BillingMonth;
  serviceName: string;
  unit: string;
  eventType: string;
  aggregation: MeterAggregation;
  /** The key of the limited meter in rollups, and its filter; null for the service's own meter. */
  quotaMeter: string | null;
  filter: Filter | null;
  quotaType: Quota['type'];
  quotaLimit: string | null;
  granted: string | null;
  /**
   * Null for a time-weighted average, which changes over time, and for meters other than the own one: both
   * are computed elsewhere.
   */
  used: string | null;
  reserved: string;
  hasOverdue: boolean;
  /** Whether the service requires prepaid credit and none is left. */
  isStopped: boolean;
};

// A limit applies to the meter that the quota names, or else to the service's own meter; without either,
// there is nothing to limit.
const isLimited = sql`(s.event_type <> ${unmetered.eventType} or l.key is not null)`;
/**
 * The meter that a service's limit names, unless it measures the same as the service's own meter: both are
 * then one stream.
 */
const limitedMeter = sql`left join lateral (select n.key, n.event_type, n.aggregation, n.unit, n.filter from meter n where n.key = s.quota_meter
  and not (n.event_type = s.event_type and n.aggregation = s.aggregation and n.aggregation_property is not distinct from s.aggregation_property and n.unit = s.unit and n.dimensions = '{}' and n.filter is null)) l on true`;

const standingsWhere = (ctx: Ctx, where: RawBuilder<unknown>): RawBuilder<StandingRow> =>
  sql<StandingRow>`select b.id, b.organization_id as "organizationId", b.state, b.started_at as "startedAt", b.ends_at as "endsAt", o.time_zone as "timeZone", p.month,
      exists (select 1 from subscription_pause u where u.subscription_id = b.id and u.from_at <= ${ctx.now} and (u.until_at is null or u.until_at > ${ctx.now})) as "isPaused",
      s.name as "serviceName", coalesce(l.unit, s.unit) as unit, coalesce(l.event_type, s.event_type) as "eventType", coalesce(l.aggregation, s.aggregation) as aggregation, l.key as "quotaMeter", l.filter, case when ${isLimited} then s.quota_type else 'unlimited' end as "quotaType", s.quota_limit as "quotaLimit",
      (select max(r.granted_limit) from quota_raise r where r.subscription_id = b.id and r.state = 'granted') as granted,
      case when l.key is not null then null else case s.aggregation when 'sum' then coalesce(m.sum, 0) when 'count' then coalesce(m.event_count, 0) when 'max' then coalesce(m.max, 0) when 'latest' then coalesce(m.last_value, 0)
        when 'unique_count' then coalesce(m.distinct_count, 0) end end as used,
      coalesce(q.held, 0) - coalesce(over.held, 0) as reserved, over.held is not null as "hasOverdue",
      s.requires_prepaid_credit and not exists (select from credit_cover c where c.organization_id = b.organization_id and c.service_id = b.service_id and c.stopped_at is null) as "isStopped"
    from subscription b join organization o on o.id = b.organization_id join service s on s.id = b.service_id ${limitedMeter}
      cross join lateral (select to_char(${ctx.now}::timestamptz at time zone o.time_zone, 'YYYY-MM')::bpchar as month) p
      left join usage_month m on m.subscription_id = b.id and m.meter = '' and m.month = p.month left join quota_month q on q.subscription_id = b.id and q.month = p.month
      left join lateral (select sum(h.quantity) as held from quota_reservation h where h.subscription_id = q.subscription_id and h.month = q.month and h.state = 'held' and h.expires_at <= ${ctx.now}) over on true
    where ${where}`;

/**
 * Returns one subscription's usage against its limit; with an organization, a subscription of another
 * organization is not found.
 */
export async function standingOf(
  ctx: Ctx,
  subscriptionId: string,
  organizationId: string | null,
): Promise<StandingRow | undefined> {
  const { rows } =
    await sql<StandingRow>`--hot quota-standing\n${standingsWhere(ctx, sql`b.id = ${subscriptionId} and (${organizationId}::text is null or b.organization_id = ${organizationId})`)}`.execute(
      ctx.db,
    );
  return rows[0];
}

/** Returns the usage of several subscriptions against their limits, in no particular order. */
export async function standingsOf(ctx: Ctx, subscriptionIds: readonly string[]): Promise<StandingRow[]> {
  const { rows } = await standingsWhere(ctx, sql`b.id = any(${[...subscriptionIds]}::text[])`).execute(
    ctx.db,
  );
  return rows;
}

/**
 * Locks a month's limit until the transaction ends. Only a separate statement after this one sees what other
 * transactions committed while this one waited.
 */
export async function lockMonth(ctx: Ctx, subscriptionId: string, month: BillingMonth): Promise<void> {
  const lock = sql`--hot quota-lock
    select 1 from quota_month where subscription_id = ${subscriptionId} and month = ${month} for update`;
  if ((await lock.execute(ctx.db)).rows.length > 0) return;
  await sql`insert into quota_month (subscription_id, month) values (${subscriptionId}, ${month}) on conflict do nothing`.execute(
    ctx.db,
  );
  await lock.execute(ctx.db);
}

/** The reserved quantity of a month; excludes expired reservations even if no job has ended them yet. */
export const heldOf = (
  subscriptionId: RawBuilder<unknown>,
  month: RawBuilder<unknown>,
  now: Date,
): RawBuilder<unknown> => sql`coalesce((select q.held - coalesce((select sum(h.quantity) from quota_reservation h
  where h.subscription_id = q.subscription_id and h.month = q.month and h.state = 'held' and h.expires_at <= ${now}), 0) from quota_month q where q.subscription_id = ${subscriptionId} and q.month = ${month}), 0)`;

/**
 * The other inputs of a quota's notices: the last notice of the month, the reserved quantity, and the granted
 * limit.
 */
export type Book = {
  readonly lastNotice: LastNotice | undefined;
  readonly reserved: string;
  readonly granted: string | null;
};
const emptyBook: Book = { lastNotice: undefined, reserved: '0', granted: null };

/** Returns these inputs for subscriptions in their months. */
export async function booksOf(
  ctx: Ctx,
  keys: readonly { subscriptionId: string; month: string }[],
): Promise<(subscriptionId: string, month: string) => Book> {
  const { rows } = await sql<{
    subscriptionId: string;
    month: string;
    status: QuotaStatus | null;
    limitValue: string | null;
    isRecovered: boolean | null;
    reserved: string;
    granted: string | null;
  }>`
    select k.subscription_id as "subscriptionId", k.month, q.status, q.limit_value as "limitValue", q.is_recovered as "isRecovered",
      ${heldOf(sql`k.subscription_id`, sql`k.month`, ctx.now)} as reserved,
      (select max(r.granted_limit) from quota_raise r where r.subscription_id = k.subscription_id and r.state = 'granted') as granted
    from unnest(${keys.map((key) => key.subscriptionId)}::text[], ${keys.map((key) => key.month)}::bpchar[]) as k (subscription_id, month) left join quota_status q on q.subscription_id = k.subscription_id and q.month = k.month`.execute(
    ctx.db,
  );
  const books = new Map(
    rows.map(({ status, limitValue, isRecovered, reserved, granted, ...key }): [string, Book] => [
      `${key.subscriptionId} ${key.month}`,
      {
        reserved,
        granted,
        lastNotice:
          status === null
            ? undefined
            : {
                status,
                limit: limitValue === null ? null : decimal(limitValue),
                isRecovered: isRecovered === true,
              },
      },
    ]),
  );
  return (subscriptionId, month) => books.get(`${subscriptionId} ${month}`) ?? emptyBook;
}

/** Stores the last notice of a quota in a month. */
export async function storeLastNotice(
  ctx: Ctx,
  subscriptionId: string,
  month: string,
  notice: LastNotice,
): Promise<void> {
  await sql`insert into quota_status (subscription_id, month, status, limit_value, is_recovered, changed_at) values (${subscriptionId}, ${month}, ${notice.status}, ${notice.limit?.toFixed() ?? null}, ${notice.isRecovered}, ${ctx.now})
    on conflict (subscription_id, month) do update set status = excluded.status, limit_value = excluded.limit_value, is_recovered = excluded.is_recovered, changed_at = excluded.changed_at`.execute(
    ctx.db,
  );
}

/** Returns the organizations with a running subscription to a service that has a limit. */
export async function organizationsWithQuotas(ctx: Ctx): Promise<Id<'org'>[]> {
  const { rows } = await sql<{
    id: Id<'org'>;
  }>`select distinct b.organization_id as id from subscription b join service s on s.id = b.service_id where b.state = 'active' and s.quota_type <> 'unlimited' order by 1`.execute(
    ctx.db,
  );
  return rows.map((row) => row.id);
}
