// SQL of the security page.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import { roles, type Role } from '#kernel/roles.ts';
import { dayMs } from '#kernel/durations.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { expiringDays, hourStarts, kindOfKey } from '../rules.ts';
import type { SecurityState, Waiting } from '../contract.ts';

const shownWaiting = 100;
const shownKeys = 50;
const shownAdmins = 20;

/** Failed sign-ins by hour. */
export async function refusedByHour(ctx: Ctx): Promise<SecurityState['refused']> {
  const starts = hourStarts(ctx.now);
  const { rows } = await sql<{
    at: Date;
    count: number;
  }>`select date_bin('1 hour', at, 'epoch') as at, count(*)::int as count from audit_log
    where action in ('signin.refused', 'federation.refused') and at >= ${starts[0]} and at <= ${ctx.now} group by 1`.execute(
    ctx.db,
  );
  const counts = new Map(rows.map(({ at, count }) => [at.getTime(), count]));
  return starts.map((at) => ({ at, count: counts.get(at.getTime()) ?? 0 }));
}

/** Returns the accounts and addresses that must currently wait, longest first. */
export async function waitingNow(ctx: Ctx): Promise<SecurityState['waiting']> {
  const { rows } = await sql<{
    key: string;
    failures: number;
    until: Date;
    total: number;
  }>`select key, failures, blocked_until as until, count(*) over ()::int as total from attempt where blocked_until > ${ctx.now} order by blocked_until desc, key limit ${shownWaiting}`.execute(
    ctx.db,
  );
  const names = await namesOf(
    ctx,
    rows.map(({ key }) => key),
  );
  const items = rows.map(({ key, failures, until }): Waiting => {
    const { kind, about } = kindOfKey(key);
    return {
      key,
      kind,
      failures,
      until,
      name: kind === 'address' || kind === 'requests' ? about : (names.get(key) ?? null),
    };
  });
  return { total: rows[0]?.total ?? 0, items };
}

/**
 * Returns the names for counters. Accounts are stored as digests, so users' digests are compared; counters of
 * second steps contain the user's id.
 */
async function namesOf(ctx: Ctx, keys: readonly string[]): Promise<Map<string, string>> {
  const digests = keys.filter((key) => key.startsWith('account:')).map((key) => key.slice('account:'.length));
  const people = keys.flatMap((key) => /^subject:\w+:(usr_\w+)$/.exec(key)?.slice(1, 2) ?? []);
  if (digests.length === 0 && people.length === 0) return new Map();
  const { rows } = await sql<{
    id: string;
    account: string;
    digest: string;
  }>`select id, account, digest from (
      select id, account, rtrim(translate(encode(sha256(convert_to(account, 'UTF8')), 'base64'), '+/', '-_'), '=') as digest from app_user) u
    where digest = any(${digests}::text[]) or id = any(${people}::text[])`.execute(ctx.db);
  const byDigest = new Map(rows.map(({ digest, account }) => [`account:${digest}`, account]));
  const byId = new Map(rows.map(({ id, account }) => [id, account]));
  return new Map(
    keys.flatMap((key) => {
      const name = byDigest.get(key) ?? byId.get(/(usr_\w+)$/.exec(key)?.[1] ?? '');
      return name === undefined ? [] : [[key, name] as const];
    }),
  );
}

/** Counts the open sessions, and those of Admins among them. */
export async function openSessions(ctx: Ctx): Promise<SecurityState['sessions']> {
  const { rows } = await sql<
    SecurityState['sessions']
  >`select count(*)::int as open, count(*) filter (where u.role = 'Admin')::int as admins from session s join app_user u on u.id = s.user_id where s.ended_at is null and s.expires_at > ${ctx.now}`.execute(
    ctx.db,
  );
  return rows[0] ?? { open: 0, admins: 0 };
}

/** Returns keys that expire soon, and their number. */
export async function keys(ctx: Ctx): Promise<SecurityState['keys']> {
  const { rows: expiring } = await sql<
    SecurityState['keys']['expiring'][number]
  >`select k.id, k.name, o.name as organization, k.expires_at as "expiresAt", k.last_used_at as "lastUsedAt" from api_key k left join organization o on o.id = k.organization_id
    where k.revoked_at is null and k.expires_at > ${ctx.now} and k.expires_at <= ${new Date(ctx.now.getTime() + expiringDays * dayMs)} order by k.expires_at, k.id limit ${shownKeys}`.execute(
    ctx.db,
  );
  const { rows } = await sql<{
    endless: number;
    total: number;
  }>`select count(*) filter (where expires_at is null)::int as endless, count(*)::int as total from api_key where revoked_at is null and (expires_at is null or expires_at > ${ctx.now})`.execute(
    ctx.db,
  );
  return { expiring, endless: rows[0]?.endless ?? 0, total: rows[0]?.total ?? 0 };
}

/** Counts active users with a second factor, by role. */
export async function secondFactor(ctx: Ctx): Promise<SecurityState['secondFactor']> {
  const { rows } = await sql<{
    role: Role;
    on: number;
    total: number;
  }>`select role, count(*) filter (where two_factor)::int as on, count(*)::int as total from app_user where status = 'active' group by role`.execute(
    ctx.db,
  );
  return roles.map((role) => rows.find((row) => row.role === role) ?? { role, on: 0, total: 0 });
}

/** Returns Admins without a second factor, sorted by name. */
export async function adminsWithout(ctx: Ctx): Promise<SecurityState['adminsWithout']> {
  const { rows } = await sql<{
    id: Id<'usr'>;
    name: string;
    account: string;
  }>`select id, name, account from app_user where role = 'Admin' and status = 'active' and not two_factor order by name, id limit ${shownAdmins}`.execute(
    ctx.db,
  );
  return rows;
}

/** Returns the user of an open session; undefined when there is none. */
export async function ownerOfSession(ctx: Ctx, sessionId: string): Promise<string | undefined> {
  const { rows } = await sql<{
    userId: string;
  }>`select user_id as "userId" from session where id = ${sessionId} and ended_at is null and expires_at > ${ctx.now}`.execute(
    ctx.db,
  );
  return rows[0]?.userId;
}

/** Resets the failures counted under a key; returns how many there were. */
export async function forgetFailures(ctx: Ctx, key: string): Promise<number> {
  const { rows } = await sql<{
    failures: number;
  }>`delete from attempt where key = ${key} returning failures`.execute(ctx.db);
  return rows[0]?.failures ?? 0;
}
