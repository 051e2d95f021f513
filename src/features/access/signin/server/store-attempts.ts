// SQL of sign-in attempts and known browsers.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { dayMs } from '#kernel/durations.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { addressHalvesAfterSeconds, delayAfterFailures, delayOfAddress, knownDeviceDays } from '../rules.ts';

/** A key under which failures are counted. `schedule` determines the delay after n failures. */
export type CountedKey = { readonly key: string; readonly schedule: 'person' | 'address' };

// The delays as arrays, so that counting and blocking are one statement without a race.
const seconds = (delay: (failures: number) => number): number[] =>
  Array.from({ length: 100 }, (_, index) => delay(index + 1));
const delays = { person: seconds(delayAfterFailures), address: seconds(delayOfAddress) };
const forgetAfterSeconds = 86_400;

// Not blocked is stored as a time long ago, not now: one of two concurrent requests may read a slightly
// earlier clock.
const after = (now: Date, delay: RawBuilder<unknown>) =>
  sql`case when ${delay} = 0 then 'epoch'::timestamptz else ${now}::timestamptz + make_interval(secs => ${delay}) end`;
const secondsSince = (at: Date) => sql`extract(epoch from (${at}::timestamptz - a.last_at))`;

const clockSlackMs = 300_000;
const clockSlack = (now: Date): Date => new Date(now.getTime() + clockSlackMs);
/**
 * A row from the future was written before the clock was set back; it would lock people out for as long as
 * the clock was ahead.
 */
const isOfThisClock = (now: Date) => sql`last_at <= ${clockSlack(now)}`;

/**
 * Until when the attempt must wait; or that it was counted, and until when the next one waits because of it.
 */
export type AttemptCount =
  | { readonly isRefused: true; readonly until: Date }
  | { readonly isRefused: false; readonly next: Date | undefined };

/**
 * The keys of an attempt: a known browser of the account's owner is counted under other keys than an unknown
 * one.
 */
export type AttemptKeys = {
  readonly device?: { readonly hash: Buffer; readonly account: string } | undefined;
  readonly whenKnown: readonly CountedKey[];
  readonly otherwise: readonly CountedKey[];
  /** Keys that must not be blocked either, unless the browser is known. */
  readonly blockingKeys: readonly string[];
};

/**
 * Counts an attempt for its keys, unless one of them or of the blocking keys must wait, and returns the row
 * of `joined` with it. The statement commits on its own, so the count stays even when the request fails. It
 * does not wait for the disk: losing its last milliseconds in a power failure would only lose a failed
 * attempt.
 */
export async function countUnlessBlocked<Row extends { id: string }>(
  db: Kysely<unknown>,
  { device, whenKnown, otherwise, blockingKeys }: AttemptKeys,
  now: Date,
  joined?: JoinedQuery<Row>,
): Promise<AttemptCount & { readonly isKnown: boolean; readonly brought: Row | undefined }> {
  const all = [
    ...whenKnown.map((each) => ({ ...each, atKnown: true })),
    ...otherwise.map((each) => ({ ...each, atKnown: false })),
  ];
  const { rows } = await sql<
    { until: Date | null; wanted: number; counted: number; next: Date | null; is_known: boolean } & (
      | Row
      | { id: null }
    )
  >`--hot attempt-count${sql.raw(joined ? `-${joined.name}` : '')}
    with quick as (select set_config('synchronous_commit', 'off', true)),
    known as (select exists (select 1 from known_device d join app_user u on u.id = d.user_id where d.hash = ${device?.hash ?? null} and u.account = ${device?.account ?? null} and d.expires_at > ${now}) as is_known),
    wanted as (select key, schedule, case schedule when 'address' then ${delays.address}::int[] else ${delays.person}::int[] end as delays
      from known, unnest(${all.map((each) => each.key)}::text[], ${all.map((each) => each.schedule)}::text[], ${all.map((each) => each.atKnown)}::boolean[]) as w (key, schedule, at_known) where at_known = is_known),
    waiting as (select max(blocked_until) as until from attempt where key = any(array(select key from wanted) || (select case when is_known then '{}'::text[] else ${blockingKeys as string[]}::text[] end from known)) and blocked_until > ${now} and ${isOfThisClock(now)}),
    done as (insert into attempt as a (key, failures, blocked_until, last_at)
      select key, 1, ${after(now, sql`delays[1]`)}, ${now} from wanted, quick where (select until from waiting) is null order by key
      on conflict (key) do update set (failures, blocked_until, last_at) = (
        select n.failures, ${after(now, sql`w.delays[least(n.failures, 100)]`)}, ${now}::timestamptz
        from wanted w, lateral (select 1 + case
          when w.schedule = 'address' then a.failures >> least(30, floor(${secondsSince(now)} / ${addressHalvesAfterSeconds})::int)
          when ${secondsSince(now)} > ${forgetAfterSeconds} then 0 else a.failures end as failures) n
        where w.key = a.key)
      where a.blocked_until <= ${now} or not (a.last_at <= ${clockSlack(now)}) returning a.blocked_until)
    select (select until from waiting) as until, (select count(*)::int from wanted) as wanted, (select count(*)::int from done) as counted,
      (select max(blocked_until) from done where blocked_until > ${now}) as next, is_known, b.* from known left join lateral (${joined?.query ?? sql`select null as id`}) b on true`.execute(
    db,
  );
  const row = rows[0];
  const isKnown = row?.is_known ?? false;
  const found = { isKnown, brought: row && row.id !== null ? (row as Row) : undefined };
  if (row?.until) return { ...found, isRefused: true, until: row.until };
  if (row && row.counted === row.wanted) return { ...found, isRefused: false, next: row.next ?? undefined };
  const counted = isKnown ? whenKnown : otherwise;
  // A concurrent attempt was counted, and one of the keys must wait since then.
  const recheck = await sql<{
    until: Date | null;
  }>`select max(blocked_until) as until from attempt where key = any(${counted.map((each) => each.key)}::text[]) and blocked_until > ${now} and ${isOfThisClock(now)}`.execute(
    db,
  );
  return { ...found, isRefused: true, until: recheck.rows[0]?.until ?? now };
}

/** A query for one row that is read in the same statement, and its name in the statement. */
export type JoinedQuery<Row> = { readonly name: string; readonly query: RawBuilder<Row> };

const given = (counted: readonly CountedKey[]) =>
  sql`update attempt set failures = greatest(0, failures - 1), blocked_until = 'epoch' where key = any(${counted.filter((each) => each.schedule === 'address').map((each) => each.key)}::text[]) returning 1`;
const goneKeys = (counted: readonly CountedKey[], forgotten: readonly string[]): string[] => [
  ...counted.filter((each) => each.schedule === 'person').map((each) => each.key),
  ...forgotten,
];

/** The same as {@link takeBack} as part of a transaction: it takes effect at the commit. */
export function takeBackWith(ctx: Ctx, counted: readonly CountedKey[], forgotten: readonly string[]): void {
  ctx.part('attempt_given', given(counted));
  ctx.part(
    'attempt_gone',
    sql`delete from attempt where key = any(${goneKeys(counted, forgotten)}::text[]) returning 1`,
  );
}

/** Refunds attempts that were counted in advance and succeeded: one for an address, all for a person. */
export async function takeBack(
  db: Kysely<unknown>,
  counted: readonly CountedKey[],
  forgotten: readonly string[],
): Promise<void> {
  // Addresses first, as in counting: with differing lock orders, two statements could deadlock.
  await sql`--hot attempt-take-back
    with quick as (select set_config('synchronous_commit', 'off', true)),
    given as (${given(counted)})
    delete from attempt where (select count(*) from quick) + (select count(*) from given) >= 0 and key = any(${goneKeys(counted, forgotten)}::text[])`.execute(
    db,
  );
}

/** Deletes counters that no longer have any effect, and browsers that are no longer known. */
export async function forgetOldAttempts(ctx: Ctx): Promise<void> {
  await sql`delete from attempt where last_at < ${new Date(ctx.now.getTime() - 2 * forgetAfterSeconds * 1000)} and blocked_until < ${ctx.now}`.execute(
    ctx.db,
  );
  await sql`delete from known_device where expires_at < ${ctx.now}`.execute(ctx.db);
  await sql`delete from passkey_challenge where expires_at < ${ctx.now}`.execute(ctx.db);
  await sql`delete from account_link where expires_at < ${new Date(ctx.now.getTime() - forgetAfterSeconds * 1000)}`.execute(
    ctx.db,
  );
}

const maxDevices = 20;

/**
 * Marks a browser of a person as known for some days, as part of the transaction; only a person's newest
 * browsers are kept.
 */
export function rememberDevice(ctx: Ctx, hash: Buffer, userId: string): void {
  const expiresAt = new Date(ctx.now.getTime() + knownDeviceDays * dayMs);
  ctx.part(
    'device_gone',
    sql`delete from known_device where user_id = ${userId} and hash in (
    select hash from known_device where user_id = ${userId} and hash <> ${hash} order by expires_at desc offset ${maxDevices - 1}) returning 1`,
  );
  ctx.part(
    'device_remember',
    sql`insert into known_device (hash, user_id, expires_at) values (${hash}, ${userId}, ${expiresAt})
    on conflict (hash, user_id) do update set expires_at = excluded.expires_at returning 1`,
  );
}

/** Whether this console issued a browser's secret and it is still valid. */
export async function isDevice(ctx: Ctx, hash: Buffer): Promise<boolean> {
  const { rows } = await sql`--hot device-made-here
    select 1 from known_device where hash = ${hash} and expires_at > ${ctx.now} limit 1`.execute(ctx.db);
  return rows.length > 0;
}

/** Whether a person has recently signed in with a browser. */
export async function isDeviceOf(ctx: Ctx, hash: Buffer, userId: string): Promise<boolean> {
  const { rows } =
    await sql`select 1 from known_device where hash = ${hash} and user_id = ${userId} and expires_at > ${ctx.now}`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Deletes a person's known browsers except `except`. */
export async function forgetDevices(ctx: Ctx, userId: string, except: Buffer | null): Promise<void> {
  await sql`delete from known_device where user_id = ${userId} and hash is distinct from ${except}`.execute(
    ctx.db,
  );
}
