// SQL of deferred revenue: what of bills' lines is for later months, and when it became revenue.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { deferralKey, type DeferralKey, type DeferredPart } from '../rules-deferral.ts';

/** Parts of a bill's lines, and what made them: the bill itself (an empty text), a credit note, or the void. */
export type ScheduledParts = {
  readonly billId: string;
  readonly organizationId: string;
  readonly currency: Currency;
  readonly source: string;
  readonly parts: readonly DeferredPart[];
};

/** Adds parts to the schedule, in one statement; without any, nothing is written. */
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
 * What of a bill's lines is not revenue yet, less what was taken back. With `lock` none of it becomes revenue, and nobody takes of it,
 * until this transaction ends.
 */
export async function openParts(ctx: Ctx, billId: string, lock: boolean): Promise<DeferredPart[]> {
  // Locked by a statement of its own, so that what is read afterwards includes what the lock waited for.
  if (lock)
    await sql`select 1 from revenue_schedule where bill_id = ${billId} and recognition_id is null order by position, month, source for update`.execute(
      ctx.db,
    );
  // Another bill may have given back months that this one charged: no more than is there of the subscription's charge is left of it.
  const { rows } =
    await sql<DeferredPart>`with own as (select s.position, s.month, s.currency, s.organization_id, sum(s.minor)::bigint as minor from revenue_schedule s where s.bill_id = ${billId} and s.recognition_id is null group by 1, 2, 3, 4)
    select * from (select o.position, o.month, case when o.minor > 0 then least(o.minor, greatest(t.minor, 0)) else o.minor end as minor
      from own o join bill_line l on l.bill_id = ${billId} and l.position = o.position
        cross join lateral (select sum(x.minor)::bigint as minor from revenue_schedule x join bill_line y on y.bill_id = x.bill_id and y.position = x.position
          where x.organization_id = o.organization_id and x.recognition_id is null and x.month = o.month and x.currency = o.currency and y.subscription_id is not distinct from l.subscription_id and y.charge ->> 'key' is not distinct from l.charge ->> 'key') t) p
    where p.minor <> 0 order by 1, 2`.execute(ctx.db);
  return rows;
}

/**
 * What is deferred of some subscriptions, by {@link deferralKey}; it stays so until this transaction ends. Without subscriptions nothing
 * is read.
 */
export async function openOfSubscriptions(
  ctx: Ctx,
  organizationIds: readonly string[],
  subscriptionIds: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  if (subscriptionIds.length === 0) return new Map();
  const ofThem = sql`s.organization_id = any(${[...organizationIds]}::text[]) and s.recognition_id is null and l.subscription_id = any(${[...subscriptionIds]}::text[])`;
  await sql`select 1 from revenue_schedule s join bill_line l on l.bill_id = s.bill_id and l.position = s.position where ${ofThem}
    order by s.bill_id, s.position, s.month, s.source for update of s`.execute(ctx.db);
  const { rows } = await sql<DeferralKey & { minor: bigint }>`
    select l.subscription_id as "subscriptionId", coalesce(l.charge ->> 'key', '') as "chargeKey", s.currency, s.month, sum(s.minor)::bigint as minor
    from revenue_schedule s join bill_line l on l.bill_id = s.bill_id and l.position = s.position where ${ofThem} group by 1, 2, 3, 4`.execute(
    ctx.db,
  );
  return new Map(rows.map((row) => [deferralKey(row), row.minor]));
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
 * Locks bills of which something is due to become revenue, and answers their ids; some of them at a time, in one order. Rows that another
 * transaction has locked are waited for, and left out when they became revenue meanwhile.
 */
export async function lockDue(ctx: Ctx, limit: number): Promise<Id<'bil'>[]> {
  const { rows } = await sql<{
    billId: Id<'bil'>;
  }>`select s.bill_id as "billId" from revenue_schedule s join organization o on o.id = s.organization_id where ${whatIsDue(ctx.now)}
    order by s.bill_id, s.position, s.month, s.source limit ${limit} for update of s`.execute(ctx.db);
  return [...new Set(rows.map((row) => row.billId))];
}

/** What is due of locked bills, by organization, currency and month. */
export async function dueOf(ctx: Ctx, billIds: readonly string[]): Promise<DueRevenue[]> {
  const { rows } =
    await sql<DueRevenue>`select s.organization_id as "organizationId", s.currency, s.month, sum(s.minor)::bigint as minor
    from revenue_schedule s join organization o on o.id = s.organization_id where s.bill_id = any(${[...billIds]}::text[]) and ${whatIsDue(ctx.now)} group by 1, 2, 3 order by 1, 2, 3`.execute(
      ctx.db,
    );
  return rows;
}

/** Stores that what is due of locked bills became revenue. */
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

/** What is still owed as service, by currency and month. */
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
