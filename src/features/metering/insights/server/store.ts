// SQL of insights: hours and dimensions from rollups, and users' verdicts on unusual days.
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { LocalDay } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Rollup } from '#features/metering/usage/rules.ts';
import type { Verdict } from '../contract.ts';

/**
 * A rollup of one subscription; `place` is a day ('YYYY-MM-DD') or the milliseconds at which an hour begins.
 */
export type PlaceRollup = Rollup & { readonly subscriptionId: string; readonly place: string };

/** Returns the hours of some subscriptions by their services' own meters in [start, end). */
export async function hourRollups(
  ctx: Ctx,
  subscriptionIds: readonly string[],
  start: Date,
  end: Date,
): Promise<PlaceRollup[]> {
  const { rows } =
    await sql<PlaceRollup>`select subscription_id as "subscriptionId", (extract(epoch from hour) * 1000)::bigint::text as place, event_count as "eventCount", sum, max, last_value as "lastValue"
    from usage_hour where subscription_id = any(${[...subscriptionIds]}::text[]) and meter = '' and hour >= ${start} and hour < ${end} and event_count > 0`.execute(
      ctx.db,
    );
  return rows;
}

const placeOf = (grain: 'day' | 'hour', zone: string): RawBuilder<unknown> =>
  grain === 'day' ? sql`(hour at time zone ${zone})::date` : sql`(extract(epoch from hour) * 1000)::bigint`;

/** Returns what each value of a dimension adds to the days or hours of some subscriptions in [start, end). */
export async function dimensionRollups(
  ctx: Ctx,
  query: {
    subscriptionIds: readonly string[];
    dimension: string;
    grain: 'day' | 'hour';
    zone: string;
    start: Date;
    end: Date;
  },
): Promise<(PlaceRollup & { value: string })[]> {
  const { rows } = await sql<
    PlaceRollup & { value: string }
  >`select subscription_id as "subscriptionId", at::text as place, value, sum(event_count)::bigint as "eventCount", sum(sum) as sum, max(max) as max, (max(array[extract(epoch from hour), last_value]))[2] as "lastValue"
    from (select *, ${placeOf(query.grain, query.zone)} as at from usage_dimension_hour where subscription_id = any(${[...query.subscriptionIds]}::text[]) and dimension = ${query.dimension} and hour >= ${query.start} and hour < ${query.end} and event_count > 0) as h
    group by subscription_id, at, value`.execute(ctx.db);
  return rows;
}

/** Returns the properties of events of some subscriptions in [start, end), with their number of events. */
export async function propertiesIn(
  ctx: Ctx,
  subscriptionIds: readonly string[],
  start: Date,
  end: Date,
): Promise<{ name: string; events: number }[]> {
  const { rows } = await sql<{
    name: string;
    events: bigint;
  }>`select substr(dimension, 6) as name, sum(event_count)::bigint as events from usage_dimension_hour
    where subscription_id = any(${[...subscriptionIds]}::text[]) and dimension like 'data.%' and hour >= ${start} and hour < ${end} and event_count > 0 group by 1 order by 2 desc, 1`.execute(
    ctx.db,
  );
  return rows.map((row) => ({ ...row, events: Number(row.events) }));
}

/**
 * Returns those of some API keys that are the organization's own, with the users who created them; leaves out
 * the platform's keys.
 */
export async function ownKeys(
  ctx: Ctx,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { name: string; memberId: string | null; member: string | null }>> {
  const { rows } = await sql<{
    id: string;
    name: string;
    memberId: string | null;
    member: string | null;
  }>`select k.id, k.name, u.id as "memberId", u.name as member from api_key k left join app_user u on u.id = k.created_by where k.id = any(${[...ids]}::text[]) and k.organization_id = ${organizationId}`.execute(
    ctx.db,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the first day on which each of some subscriptions has any usage. */
export async function firstHours(
  ctx: Ctx,
  subscriptionIds: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const { rows } = await sql<{
    id: string;
    hour: Date;
  }>`select s.id, h.hour from unnest(${[...subscriptionIds]}::text[]) as s (id)
    cross join lateral (select hour from usage_hour where subscription_id = s.id and meter = '' order by hour limit 1) as h`.execute(
    ctx.db,
  );
  return new Map(rows.map((row) => [row.id, row.hour]));
}

export type StoredVerdict = {
  readonly subscriptionId: string;
  readonly day: LocalDay;
  readonly verdict: Verdict;
  readonly by: string | null;
  readonly at: Date;
};

/** Returns verdicts on days of some subscriptions, from a day on. */
export async function verdictsOf(
  ctx: Ctx,
  subscriptionIds: readonly string[],
  from: LocalDay,
  to: LocalDay,
): Promise<StoredVerdict[]> {
  const { rows } =
    await sql<StoredVerdict>`select v.subscription_id as "subscriptionId", v.day::text as day, v.verdict, u.name as by, v.judged_at as at from usage_verdict v left join app_user u on u.id = v.judged_by
    where v.subscription_id = any(${[...subscriptionIds]}::text[]) and v.day >= ${from}::date and v.day <= ${to}::date`.execute(
      ctx.db,
    );
  return rows;
}

/** Stores a user's verdict on a day, replacing an earlier one. */
export async function storeVerdict(
  ctx: Ctx,
  verdict: { subscriptionId: Id<'sub'>; day: LocalDay; verdict: Verdict; by: string },
): Promise<void> {
  await sql`insert into usage_verdict (subscription_id, day, verdict, judged_by, judged_at) values (${verdict.subscriptionId}, ${verdict.day}::date, ${verdict.verdict}, ${verdict.by}, ${ctx.now})
    on conflict (subscription_id, day) do update set verdict = excluded.verdict, judged_by = excluded.judged_by, judged_at = excluded.judged_at`.execute(
    ctx.db,
  );
}

/** Deletes a verdict; false if there was none. */
export async function forgetVerdict(ctx: Ctx, subscriptionId: string, day: LocalDay): Promise<boolean> {
  const { numAffectedRows } =
    await sql`delete from usage_verdict where subscription_id = ${subscriptionId} and day = ${day}::date`.execute(
      ctx.db,
    );
  return (numAffectedRows ?? 0n) > 0n;
}

/** Returns the organizations with usage in an hour since a given time. */
export async function meteredOrganizations(ctx: Ctx, since: Date): Promise<Id<'org'>[]> {
  const { rows } = await sql<{
    id: Id<'org'>;
  }>`select distinct b.organization_id as id from usage_hour h join subscription b on b.id = h.subscription_id where h.hour >= ${since} order by 1`.execute(
    ctx.db,
  );
  return rows.map((row) => row.id);
}
