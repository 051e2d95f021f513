// What sign-in asks the database about attempts and known browsers.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Tables } from '#platform/server/database/tables.ts';
import { addressHalvesAfterSeconds, delayAfterFailures, delayOfAddress, knownDeviceDays } from '../rules.ts';

/** One thing that failures are counted of. `schedule` says how long it waits after how many. */
export type CountedKey = { readonly key: string; readonly schedule: 'person' | 'address' };

// The rules' delays as arrays, so that counting and blocking are one statement: nobody slips in between.
const seconds = (delay: (failures: number) => number): number[] =>
  Array.from({ length: 100 }, (_, index) => delay(index + 1));
const delays = { person: seconds(delayAfterFailures), address: seconds(delayOfAddress) };
const forgetAfterSeconds = 86_400;

// Not blocked is long ago, not now: of two at once each may read the clock a little before the other.
const after = (now: Date, delay: RawBuilder<unknown>) =>
  sql`case when ${delay} = 0 then 'epoch'::timestamptz else ${now}::timestamptz + make_interval(secs => ${delay}) end`;
const secondsSince = (at: Date) => sql`extract(epoch from (${at}::timestamptz - a.last_at))`;

const clockSlackMs = 300_000;
const clockSlack = (now: Date): Date => new Date(now.getTime() + clockSlackMs);
/** A row from the future was written before the clock was put back: it would keep people out for as long as the clock was wrong. */
const isOfThisClock = (now: Date) => sql`last_at <= ${clockSlack(now)}`;

/** Until when the attempt has to wait; or that it was counted, and until when the next one waits because of it. */
export type AttemptCount =
  | { readonly isRefused: true; readonly until: Date }
  | { readonly isRefused: false; readonly next: Date | undefined };

/** Whose attempt it is: in a browser that the account's person has signed in with other things are counted than elsewhere. */
export type AttemptKeys = {
  readonly device?: { readonly hash: Buffer; readonly account: string } | undefined;
  readonly whenKnown: readonly CountedKey[];
  readonly otherwise: readonly CountedKey[];
  /** Must not have to wait either, unless the browser is known. */
  readonly blockingKeys: readonly string[];
};

/**
 * Counts an attempt for its keys, unless one of them or of the blocking keys has to wait, and answers `joined`'s row with it. The statement stands by itself: what it counts stays, whatever becomes of the request; losing its last
 * milliseconds with the power would only forget a failure, so it does not wait for the disk.
 */
export async function countUnlessBlocked<Row extends { id: string }>(
  db: Kysely<Tables>,
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
  // Somebody counted at the same moment and one of the keys waits since then.
  const recheck = await sql<{
    until: Date | null;
  }>`select max(blocked_until) as until from attempt where key = any(${counted.map((each) => each.key)}::text[]) and blocked_until > ${now} and ${isOfThisClock(now)}`.execute(
    db,
  );
  return { ...found, isRefused: true, until: recheck.rows[0]?.until ?? now };
}

/** One row that is read in the same statement, and the name of the statement with it. */
export type JoinedQuery<Row> = { readonly name: string; readonly query: RawBuilder<Row> };

const given = (counted: readonly CountedKey[]) =>
  sql`update attempt set failures = greatest(0, failures - 1), blocked_until = 'epoch' where key = any(${counted.filter((each) => each.schedule === 'address').map((each) => each.key)}::text[]) returning 1`;
const goneKeys = (counted: readonly CountedKey[], forgotten: readonly string[]): string[] => [
  ...counted.filter((each) => each.schedule === 'person').map((each) => each.key),
  ...forgotten,
];

/** The same as {@link takeBack}, as parts of a unit: it is taken back when the unit is committed. */
export function takeBackWith(ctx: Ctx, counted: readonly CountedKey[], forgotten: readonly string[]): void {
  ctx.part('attempt_given', given(counted));
  ctx.part(
    'attempt_gone',
    sql`delete from attempt where key = any(${goneKeys(counted, forgotten)}::text[]) returning 1`,
  );
}

/** Takes back what was counted in advance of keys that turned out good: an address gets its one back, a person all. */
export async function takeBack(
  db: Kysely<Tables>,
  counted: readonly CountedKey[],
  forgotten: readonly string[],
): Promise<void> {
  // The addresses first, as counting does: in two orders two of these could wait for each other for ever.
  await sql`--hot attempt-take-back
    with quick as (select set_config('synchronous_commit', 'off', true)),
    given as (${given(counted)})
    delete from attempt where (select count(*) from quick) + (select count(*) from given) >= 0 and key = any(${goneKeys(counted, forgotten)}::text[])`.execute(
    db,
  );
}

/** Forgets what nobody has failed at for longer than anything lasts, and browsers that are no longer known. */
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

/** Remembers a browser of a person for some days, with the unit's other parts; of very many only the newest. */
export function rememberDevice(ctx: Ctx, hash: Buffer, userId: string): void {
  const expiresAt = new Date(ctx.now.getTime() + knownDeviceDays * 86_400_000);
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

/** Whether a browser's secret was given out by this console and still counts. */
export async function isDevice(ctx: Ctx, hash: Buffer): Promise<boolean> {
  const { rows } = await sql`--hot device-made-here
    select 1 from known_device where hash = ${hash} and expires_at > ${ctx.now} limit 1`.execute(ctx.db);
  return rows.length > 0;
}

/** Whether a person has signed in with a browser lately. */
export async function isDeviceOf(ctx: Ctx, hash: Buffer, userId: string): Promise<boolean> {
  const { rows } =
    await sql`select 1 from known_device where hash = ${hash} and user_id = ${userId} and expires_at > ${ctx.now}`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Forgets a person's browsers, but not `except`. */
export async function forgetDevices(ctx: Ctx, userId: string, except: Buffer | null): Promise<void> {
  await sql`delete from known_device where user_id = ${userId} and hash is distinct from ${except}`.execute(
    ctx.db,
  );
}
