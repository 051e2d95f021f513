// SQL of deferred revenue: the parts of bill lines for later months, and when they became revenue.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { deferralKey, type DeferralKey, type DeferredOf, type DeferredPart } from '../rules-deferral.ts';
import { usedBy } from './store-used-by.ts';

/**
 * Parts of a bill's lines and their origin: the bill itself (empty text), a credit note, or the void; 'ended'
 * and 'replaced' if {@link releaseEnded} or {@link releaseReplaced} moved them.
 */
export type ScheduledParts = {
  readonly billId: string;
  readonly organizationId: string;
  readonly currency: Currency;
  readonly source: string;
  readonly parts: readonly DeferredPart[];
};

/** Adds parts to the schedule in one statement; without any, nothing is written. */
export async function insertParts(ctx: Ctx, of: readonly ScheduledParts[]): Promise<void> {
  const rows = of.flatMap(({ parts, ...from }) => parts.map((part) => ({ ...from, ...part })));
  if (rows.length === 0) return;
  await sql`insert into revenue_schedule (bill_id, position, month, source, organization_id, currency, minor)
    select * from unnest(${rows.map((row) => row.billId)}::text[], ${rows.map((row) => row.position)}::int[], ${rows.map((row) => row.month)}::text[], ${rows.map((row) => row.source)}::text[],
      ${rows.map((row) => row.organizationId)}::text[], ${rows.map((row) => row.currency)}::text[], ${rows.map((row) => row.minor)}::bigint[])`.execute(
    ctx.db,
  );
}

/**
 * Returns what is not yet revenue of a bill's lines, minus reversals. With `lock`, none of it can become
 * revenue or be reversed until this transaction ends. Later bills may have refunded months that it charged:
 * of these, at most the lowest remaining amount since then is returned, unless a replacement bill
 * (`isReplaced`) restores them at once.
 */
export async function openParts(
  ctx: Ctx,
  billId: string,
  { lock, isReplaced }: { readonly lock: boolean; readonly isReplaced: boolean },
): Promise<DeferredPart[]> {
  // Locked by a separate statement, so that later reads include what the lock waited for.
  if (lock)
    await sql`select 1 from revenue_schedule where bill_id = ${billId} and recognition_id is null order by position, month, source for update`.execute(
      ctx.db,
    );
  const { rows } =
    await sql<DeferredPart>`with own as (select s.position, s.month, s.currency, s.organization_id, sum(s.minor)::bigint as minor from revenue_schedule s where s.bill_id = ${billId} and s.recognition_id is null group by 1, 2, 3, 4)
    select * from (select o.position, o.month, case when o.minor > 0 and not ${isReplaced}::boolean then least(o.minor, greatest(t.minor, 0)) else o.minor end as minor
      from own o join bill_line l on l.bill_id = ${billId} and l.position = o.position join bill z on z.id = l.bill_id
        cross join lateral (select min(r.so_far)::bigint as minor from (
            select b.month, b.id, x.position, sum(sum(x.minor)) over (order by b.month, b.id, x.position) as so_far
            from revenue_schedule x join bill b on b.id = x.bill_id join bill_line y on y.bill_id = x.bill_id and y.position = x.position
            where x.organization_id = o.organization_id and x.recognition_id is null and x.month = o.month and x.currency = o.currency and y.subscription_id is not distinct from l.subscription_id and y.charge ->> 'key' is not distinct from l.charge ->> 'key'
            group by b.month, b.id, x.position) r
          where (r.month, r.id, r.position) >= (z.month, z.id, o.position)) t) p
    where p.minor <> 0 order by 1, 2`.execute(ctx.db);
  return rows;
}

/**
 * Makes room for the replacement of a void bill. What the void bill still has for later months of some
 * subscriptions, because later bills refunded it, moves to its own month, where the void deducted it from
 * revenue. Returns the unearned amounts of these subscriptions for later months, by {@link deferralKey};
 * negative if the replacement must restore them.
 */
export async function releaseReplaced(
  ctx: Ctx,
  organizationId: string,
  subscriptionIds: readonly string[],
  month: BillingMonth,
): Promise<DeferredOf> {
  const ofThem = sql`s.organization_id = ${organizationId} and l.subscription_id = any(${[...subscriptionIds]}::text[]) and s.recognition_id is null`;
  const tables = sql`revenue_schedule s join bill b on b.id = s.bill_id join bill_line l on l.bill_id = s.bill_id and l.position = s.position`;
  await sql`select 1 from ${tables} where ${ofThem} order by s.bill_id, s.position, s.month, s.source for update of s`.execute(
    ctx.db,
  );
  await sql`with kept as (select s.bill_id, s.position, s.month, s.organization_id, s.currency, sum(s.minor) as minor from ${tables}
      where ${ofThem} and b.state = 'void' and b.month = ${month} and s.month > ${month} group by 1, 2, 3, 4, 5 having sum(s.minor) > 0)
    insert into revenue_schedule (bill_id, position, month, source, organization_id, currency, minor)
    select bill_id, position, month, 'replaced', organization_id, currency, -minor from kept
    union all select bill_id, position, ${month}, 'replaced', organization_id, currency, sum(minor) from kept group by 1, 2, 5, 6`.execute(
    ctx.db,
  );
  const { rows } = await sql<DeferralKey & { month: BillingMonth; minor: bigint }>`
    select l.subscription_id as "subscriptionId", coalesce(l.charge ->> 'key', '') as "chargeKey", s.currency, s.month, sum(s.minor)::bigint as minor
      from ${tables} where ${ofThem} and s.month > ${month} group by 1, 2, 3, 4`.execute(ctx.db);
  return byKey(rows);
}

const byKey = (
  rows: readonly (DeferralKey & { readonly month: BillingMonth; readonly minor: bigint })[],
): DeferredOf =>
  new Map(
    [...Map.groupBy(rows, deferralKey)].map(([key, months]) => [
      key,
      new Map(months.map((row) => [row.month, row.minor])),
    ]),
  );

/**
 * Returns what earlier bills have for a month of some subscriptions (`ofMonth`: earned or not), and their
 * unearned amounts for later months. Of later bills, which exist when a bill is reissued, only what they
 * refunded counts. With `lock`, it stays unchanged until this transaction ends. Without subscriptions nothing
 * is read.
 */
export async function deferredOf(
  ctx: Ctx,
  of: {
    readonly organizationIds: readonly string[];
    readonly subscriptionIds: readonly string[];
    readonly month: BillingMonth;
  },
  lock: boolean,
): Promise<DeferredOf> {
  const { month } = of;
  if (of.subscriptionIds.length === 0) return new Map();
  const ofThem = sql`s.organization_id = any(${[...of.organizationIds]}::text[]) and l.subscription_id = any(${[...of.subscriptionIds]}::text[])`;
  // Locked by a separate statement, so that later reads include what the lock waited for.
  if (lock)
    await sql`select 1 from revenue_schedule s join bill_line l on l.bill_id = s.bill_id and l.position = s.position where ${ofThem} and s.recognition_id is null
    order by s.bill_id, s.position, s.month, s.source for update of s`.execute(ctx.db);
  const { rows } = await sql<DeferralKey & { month: BillingMonth; minor: bigint }>`
    select l.subscription_id as "subscriptionId", coalesce(l.charge ->> 'key', '') as "chargeKey", s.currency, s.month,
        least(sum(s.minor), coalesce(sum(s.minor) filter (where b.month <= ${month}), 0))::bigint as minor
      from revenue_schedule s join bill b on b.id = s.bill_id join bill_line l on l.bill_id = s.bill_id and l.position = s.position
      where ${ofThem} and s.recognition_id is null and s.month > ${month} group by 1, 2, 3, 4
    union all select l.subscription_id, coalesce(l.charge ->> 'key', ''), s.currency, s.month, sum(s.minor)::bigint
      from bill b join revenue_schedule s on s.bill_id = b.id join bill_line l on l.bill_id = s.bill_id and l.position = s.position
      where ${usedBy('b')} = any(${[...of.organizationIds]}::text[]) and b.kind = 'month' and b.state <> 'void' and b.month between ${addMonths(month, -12)} and ${month} and ${ofThem} and s.month = ${month} group by 1, 2, 3, 4`.execute(
    ctx.db,
  );
  return byKey(rows);
}

/**
 * Which subscriptions ended: those of organizations within the month being closed, or specific ones at any
 * time, if that month is closed.
 */
export type Ended = { readonly organizationIds: readonly string[] } & (
  | { readonly month: BillingMonth }
  | { readonly subscriptionIds: readonly string[] }
);

/**
 * Moves what is still deferred for ended subscriptions to the month in which they ended: nothing remains for
 * months without service. This covers endings without a refund, after the bill of their month. The sum is
 * unchanged, so nothing is booked until the job finds the month over. Reads only once if nothing remains.
 */
export async function releaseEnded(ctx: Ctx, of: Ended): Promise<void> {
  const monthOfEnd = sql`to_char(u.ends_at at time zone o.time_zone, 'YYYY-MM')`;
  const which =
    'month' in of
      ? sql`${monthOfEnd} = ${of.month}`
      : sql`u.id = any(${[...of.subscriptionIds]}::text[]) and exists (select from month_closed c where c.organization_id = u.organization_id and c.month = ${monthOfEnd})`;
  // Midnight on the first belongs to the previous month.
  const left = sql`(select s.bill_id, s.position, s.month, s.organization_id, s.currency, l.subscription_id, coalesce(l.charge ->> 'key', '') as charge, b.state,
        greatest(to_char((u.ends_at - interval '1 millisecond') at time zone o.time_zone, 'YYYY-MM'), b.month) as last, s.minor
      from revenue_schedule s join bill b on b.id = s.bill_id join bill_line l on l.bill_id = s.bill_id and l.position = s.position
        join subscription u on u.id = l.subscription_id join organization o on o.id = u.organization_id
      where s.organization_id = any(${[...of.organizationIds]}::text[]) and s.recognition_id is null and u.ends_at <= ${ctx.now}::timestamptz and ${which}
        and s.month > to_char((u.ends_at - interval '1 millisecond') at time zone o.time_zone, 'YYYY-MM'))`;
  // Locks everything open on their bills by a separate statement, so that the revenue job sees a bill either
  // before or after the move.
  const { rows } =
    await sql`select 1 from revenue_schedule s where s.recognition_id is null and s.bill_id in (select bill_id from ${left} e)
    order by s.bill_id, s.position, s.month, s.source for update of s`.execute(ctx.db);
  if (rows.length === 0) return;
  // At most what bills in force have for a subscription's charge and month, earned or not; void bills last.
  // What was moved once stays.
  await sql`with part as (select bill_id, position, month, organization_id, currency, subscription_id, charge, state, last, sum(minor) as minor from ${left} e group by 1, 2, 3, 4, 5, 6, 7, 8, 9),
      placed as (select p.*, (select coalesce(sum(x.minor), 0) from bill_line y join bill b on b.id = y.bill_id and b.state <> 'void' join revenue_schedule x on x.bill_id = y.bill_id and x.position = y.position
            where y.subscription_id = p.subscription_id and coalesce(y.charge ->> 'key', '') = p.charge and x.currency = p.currency and x.month = p.month) as whole,
          coalesce(sum(greatest(minor, 0)) over (every_part order by state = 'void', bill_id, position rows between unbounded preceding and 1 preceding), 0) as before
        from part p window every_part as (partition by subscription_id, charge, currency, month)),
      moved as (select bill_id, position, month, last, organization_id, currency, least(minor, whole - before) as minor from placed p
        where minor > 0 and whole > before and not exists (select from revenue_schedule x where x.bill_id = p.bill_id and x.position = p.position and x.source = 'ended'))
    insert into revenue_schedule (bill_id, position, month, source, organization_id, currency, minor)
    select bill_id, position, month, 'ended', organization_id, currency, -minor from moved
    union all select bill_id, position, last, 'ended', organization_id, currency, sum(minor) from moved group by 1, 2, 3, 5, 6`.execute(
    ctx.db,
  );
}

/** What an organization earned in a month that is over. */
export type DueRevenue = {
  readonly organizationId: Id<'org'>;
  readonly currency: Currency;
  readonly month: BillingMonth;
  readonly minor: bigint;
};
const whatIsDue = (now: Date) =>
  sql`s.recognition_id is null and s.month < to_char(${now}::timestamptz at time zone o.time_zone, 'YYYY-MM')`;

/**
 * Locks bills that have revenue due and returns their ids; a limited number, in a fixed order. Waits for rows
 * locked by another transaction, and leaves them out if they became revenue in the meantime.
 */
export async function lockDue(ctx: Ctx, limit: number): Promise<Id<'bil'>[]> {
  const { rows } = await sql<{
    billId: Id<'bil'>;
  }>`select s.bill_id as "billId" from revenue_schedule s join organization o on o.id = s.organization_id where ${whatIsDue(ctx.now)}
    order by s.bill_id, s.position, s.month, s.source limit ${limit} for update of s`.execute(ctx.db);
  return [...new Set(rows.map((row) => row.billId))];
}

/** Returns what is due on locked bills, by organization, currency and month. */
export async function dueOf(ctx: Ctx, billIds: readonly string[]): Promise<DueRevenue[]> {
  const { rows } =
    await sql<DueRevenue>`select s.organization_id as "organizationId", s.currency, s.month, sum(s.minor)::bigint as minor
    from revenue_schedule s join organization o on o.id = s.organization_id where s.bill_id = any(${[...billIds]}::text[]) and ${whatIsDue(ctx.now)} group by 1, 2, 3 order by 1, 2, 3`.execute(
      ctx.db,
    );
  return rows;
}

/** Records that what is due on locked bills became revenue. */
export async function storeRecognized(
  ctx: Ctx,
  billIds: readonly string[],
  due: readonly (DueRevenue & { readonly id: Id<'rev'> })[],
): Promise<void> {
  const of = <T>(pick: (each: (typeof due)[number]) => T): T[] => due.map(pick);
  await sql`insert into revenue_recognition (id, organization_id, currency, month, minor, at)
    select *, ${ctx.now}::timestamptz from unnest(${of((each) => each.id)}::text[], ${of((each) => each.organizationId)}::text[], ${of((each) => each.currency)}::text[], ${of((each) => each.month)}::text[], ${of((each) => each.minor)}::bigint[])`.execute(
    ctx.db,
  );
  await sql`update revenue_schedule s set recognition_id = d.id
    from unnest(${of((each) => each.id)}::text[], ${of((each) => each.organizationId)}::text[], ${of((each) => each.currency)}::bpchar[], ${of((each) => each.month)}::bpchar[]) as d (id, organization_id, currency, month)
    where s.bill_id = any(${[...billIds]}::text[]) and s.recognition_id is null and s.organization_id = d.organization_id and s.currency = d.currency and s.month = d.month`.execute(
    ctx.db,
  );
}

/** Returns the deferred revenue by currency and month. */
export async function deferredByMonth(
  ctx: Ctx,
): Promise<{ currency: Currency; month: BillingMonth; minor: bigint }[]> {
  const { rows } = await sql<{
    currency: Currency;
    month: BillingMonth;
    minor: bigint;
  }>`select currency, month, sum(minor)::bigint as minor from revenue_schedule where recognition_id is null group by 1, 2 having sum(minor) <> 0 order by 1, 2`.execute(
    ctx.db,
  );
  return rows;
}
