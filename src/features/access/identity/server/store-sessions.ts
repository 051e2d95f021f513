// SQL of sessions and tickets.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Role } from '#kernel/roles.ts';
import type { Actor, Ctx, NarrowedRole } from '#platform/server/unit-of-work/ctx.ts';
import type { Database } from '#platform/server/database/db.ts';
import { sessionDays, type SessionPolicy } from '../rules.ts';
import { requireAdminTwoFactor } from './settings.ts';

/**
 * Adds a session of a user, as part of the transaction's combined statement; only the digest of its token is
 * stored.
 */
export function insertSession(
  ctx: Ctx,
  session: { userId: string; tokenHash: Buffer; device: string; address: string; expiresAt: Date },
): Id<'ses'> {
  const sessionId = ctx.newId('ses');
  ctx.part(
    'session_insert',
    sql`insert into session (id, user_id, token_hash, device, address, created_at, last_seen_at, proved_at, expires_at)
    values (${sessionId}, ${session.userId}, ${session.tokenHash}, ${session.device.slice(0, 300)}, ${session.address}, ${ctx.now}, ${ctx.now}, ${ctx.now}, ${session.expiresAt}) returning 1`,
  );
  return sessionId;
}

/** Returns the session policy of an organization, or the platform's (null); undefined when there is none. */
export async function sessionPolicyOf(
  db: Kysely<unknown>,
  organizationId: string | null,
): Promise<SessionPolicy | undefined> {
  const { rows } =
    await sql<SessionPolicy>`select idle_minutes as "idleMinutes", session_hours as "sessionHours", networks from session_policy where scope = coalesce(${organizationId}, 'platform')`.execute(
      db,
    );
  return rows[0];
}

/** Joins a user `u` with the policy `p` of their sessions. */
const withPolicy = sql.raw(`left join session_policy p on p.scope = coalesce(u.organization_id, 'platform')`);
/** sessionEndOf (rules.ts) in SQL, for a session `s` that is used at this time under the policy `p`. */
const endWhenUsed = (usedAt: RawBuilder<Date>): RawBuilder<Date> =>
  sql`least(s.created_at + make_interval(hours => least(p.session_hours, ${sessionDays * 24}::int)), ${usedAt} + make_interval(mins => p.idle_minutes))`;

/**
 * Applies the current policy to the open sessions of an organization's people, or of Admins (null):
 * recomputes when each session ends from when it began and was last used. @returns the sessions that have
 * ended as a result
 */
export async function applySessionPolicy(
  ctx: Ctx,
  organizationId: string | null,
): Promise<{ userId: Id<'usr'>; sessionId: Id<'ses'> }[]> {
  const { rows } = await sql<{ userId: Id<'usr'>; sessionId: Id<'ses'>; isOver: boolean }>`update session s
    set expires_at = ${endWhenUsed(sql`s.last_seen_at`)}
    from app_user u ${withPolicy} where u.id = s.user_id and u.organization_id is not distinct from ${organizationId} and s.ended_at is null and s.expires_at > ${ctx.now}
    returning s.user_id as "userId", s.id as "sessionId", s.expires_at <= ${ctx.now} as "isOver"`.execute(
    ctx.db,
  );
  return rows.filter(({ isOver }) => isOver);
}

/** Stores the time of a user's sign-in, as part of the transaction's combined statement. */
export function markSignedIn(ctx: Ctx, userId: string): void {
  ctx.part(
    'user_signed_in',
    sql`update app_user set last_sign_in_at = ${ctx.now} where id = ${userId} returning 1`,
  );
}

export type OpenSession = {
  readonly sessionId: Id<'ses'>;
  readonly userId: Id<'usr'>;
  readonly expiresAt: Date;
  readonly idleMinutes: number | null;
  /** Null: there is no policy. */
  readonly networks: readonly string[] | null;
};

/**
 * Rotates the token of an open session in one statement: of several requests with the same token, exactly one
 * succeeds. The session's expiry changes only if a policy ends idle sessions.
 */
export async function rotateToken(
  ctx: Ctx,
  tokenHash: Buffer,
  nextHash: Buffer,
): Promise<OpenSession | undefined> {
  const { rows } = await sql<OpenSession>`with turned as (
      update session s set token_hash = ${nextHash}, last_seen_at = ${ctx.now}, expires_at = ${endWhenUsed(sql`${ctx.now}::timestamptz`)} from app_user u ${withPolicy}
      where s.token_hash = ${tokenHash} and s.ended_at is null and s.expires_at > ${ctx.now} and u.id = s.user_id and u.status = 'active' returning s.id, s.user_id, s.expires_at, p.idle_minutes, p.networks),
    remembered as (insert into session_used_token (hash, session_id, used_at) select ${tokenHash}, id, ${ctx.now} from turned)
    select id as "sessionId", user_id as "userId", expires_at as "expiresAt", idle_minutes as "idleMinutes", networks from turned`.execute(
    ctx.db,
  );
  return rows[0];
}

/** Returns the open session to which a rotated token belonged, and when it was rotated. */
export async function sessionOfUsedToken(
  ctx: Ctx,
  tokenHash: Buffer,
): Promise<(OpenSession & { readonly usedAt: Date }) | undefined> {
  const { rows } = await sql<
    OpenSession & { readonly usedAt: Date }
  >`select s.id as "sessionId", s.user_id as "userId", s.expires_at as "expiresAt", t.used_at as "usedAt", p.idle_minutes as "idleMinutes", p.networks
    from session_used_token t join session s on s.id = t.session_id join app_user u on u.id = s.user_id ${withPolicy}
    where t.hash = ${tokenHash} and s.ended_at is null and s.expires_at > ${ctx.now} and u.status = 'active'`.execute(
    ctx.db,
  );
  return rows[0];
}

/** Deletes used tokens of sessions that have ended, and used tickets that would have expired. */
export async function forgetUsedTokens(ctx: Ctx): Promise<void> {
  await sql`delete from live_ticket_used where expires_at < ${ctx.now}`.execute(ctx.db);
  await sql`delete from session_used_token t using session s where s.id = t.session_id and (s.ended_at is not null or s.expires_at < ${ctx.now})`.execute(
    ctx.db,
  );
}

/** Marks a session's user as recently authenticated. */
export async function markProved(ctx: Ctx, sessionId: string): Promise<void> {
  await sql`update session set proved_at = ${ctx.now} where id = ${sessionId}`.execute(ctx.db);
}

/** Returns the open session of a cookie's token, current or rotated. */
export async function sessionOfToken(
  ctx: Ctx,
  tokenHash: Buffer,
): Promise<{ sessionId: Id<'ses'>; userId: Id<'usr'> } | undefined> {
  const { rows } = await sql<{ id: Id<'ses'>; user_id: Id<'usr'> }>`select id, user_id from session
    where ended_at is null and (token_hash = ${tokenHash} or id = (select session_id from session_used_token where hash = ${tokenHash}))`.execute(
    ctx.db,
  );
  return rows[0] && { sessionId: rows[0].id, userId: rows[0].user_id };
}

/** The sessions of a user to end. */
export type WhichSessions = { readonly only: string } | { readonly allBut: string | null };

/**
 * Marks sessions of a user as ended and returns their ids. Call endSessions instead, which also notifies the
 * open tabs.
 */
export async function markEnded(ctx: Ctx, userId: string, which: WhichSessions): Promise<Id<'ses'>[]> {
  const condition = 'only' in which ? sql`id = ${which.only}` : sql`id is distinct from ${which.allBut}`;
  const { rows } = await sql<{
    id: Id<'ses'>;
  }>`update session set ended_at = ${ctx.now} where user_id = ${userId} and ended_at is null and ${condition} returning id`.execute(
    ctx.db,
  );
  return rows.map((row) => row.id);
}

/**
 * Marks all sessions of several users as ended and returns them. Call endSessionsOfMany instead, which also
 * notifies the open tabs.
 */
export async function markEndedOfMany(
  ctx: Ctx,
  userIds: readonly string[],
): Promise<{ userId: Id<'usr'>; sessionId: Id<'ses'> }[]> {
  const { rows } = await sql<{
    userId: Id<'usr'>;
    sessionId: Id<'ses'>;
  }>`update session set ended_at = ${ctx.now} where user_id = any(${[...userIds]}::text[]) and ended_at is null returning user_id as "userId", id as "sessionId"`.execute(
    ctx.db,
  );
  return rows;
}

/** Returns a user's open sessions, newest first. */
export async function sessionsOf(
  ctx: Ctx,
  userId: string,
): Promise<
  { id: Id<'ses'>; device: string; address: string; createdAt: Date; lastSeenAt: Date; expiresAt: Date }[]
> {
  const { rows } = await sql<{
    id: Id<'ses'>;
    device: string;
    address: string;
    createdAt: Date;
    lastSeenAt: Date;
    expiresAt: Date;
  }>`
    select id, device, address, created_at as "createdAt", last_seen_at as "lastSeenAt", expires_at as "expiresAt" from session
    where user_id = ${userId} and ended_at is null and expires_at > ${ctx.now} order by id desc`.execute(
    ctx.db,
  );
  return rows;
}

/** Returns those of these sessions that are over: ended, expired, or of a user who may no longer sign in. */
export async function sessionsOver(
  db: Kysely<unknown>,
  sessionIds: readonly string[],
  now: Date,
): Promise<string[]> {
  const { rows } = await sql<{
    id: string;
  }>`select asked.id from unnest(${[...sessionIds]}::text[]) as asked (id)
    where not exists (select from session s join app_user u on u.id = s.user_id where s.id = asked.id and s.ended_at is null and s.expires_at > ${now} and u.status = 'active')`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** The actor of a session, as opposed to that of a key. */
export type UserActor = Extract<Actor, { kind: 'user' }> & { readonly sessionId: Id<'ses'> };

/** Returns the actors of open sessions, with role, organization and status as currently stored. */
export async function actorsOfSessions(
  { pool }: Database,
  sessionIds: readonly string[],
  now: Date,
): Promise<UserActor[]> {
  const { rows } = await pool.query<Omit<UserActor, 'kind'>>(actorsQuery, [
    sessionIds,
    now,
    requireAdminTwoFactor.key,
  ]);
  return rows.map((row) => ({ kind: 'user', ...row }));
}
// This query runs for every request. It is plain SQL because the query builder would cost more than running
// it.
const actorsQuery = `--hot actors-of-sessions
  select s.id as "sessionId", s.user_id as "userId", u.role, (select json_build_object('id', r.id, 'permissions', r.permissions) from custom_role r where r.id = u.custom_role_id) as "customRole", u.organization_id as "organizationId", u.name, s.proved_at as "provedAt",
  u.role = 'Admin' and not u.two_factor and exists (select 1 from setting where key = $3 and value = 'true'::jsonb) as "mustEnrol", p.networks from session s join app_user u on u.id = s.user_id
  left join session_policy p on p.scope = coalesce(u.organization_id, 'platform')
  where s.id = any($1::text[]) and s.ended_at is null and s.expires_at > $2 and u.status = 'active'`;

/**
 * Returns the actor for an active person outside any session, for something that they requested earlier;
 * undefined when they are no longer active.
 */
export async function actorOfPerson(
  db: Kysely<unknown>,
  userId: string,
  now: Date,
): Promise<Extract<Actor, { kind: 'user' }> | undefined> {
  const { rows } = await sql<Omit<UserActor, 'kind' | 'sessionId' | 'provedAt'>>`
    select u.id as "userId", u.role, (select json_build_object('id', r.id, 'permissions', r.permissions) from custom_role r where r.id = u.custom_role_id) as "customRole", u.organization_id as "organizationId", u.name,
      u.role = 'Admin' and not u.two_factor and exists (select 1 from setting where key = ${requireAdminTwoFactor.key} and value = 'true'::jsonb) as "mustEnrol"
    from app_user u where u.id = ${userId} and u.status = 'active'`.execute(db);
  return rows[0] && { kind: 'user', ...rows[0], sessionId: null, provedAt: now };
}

/** A presented ticket with a valid signature that has not expired. */
export type ShownTicket = {
  readonly hash: Buffer;
  readonly userId: string;
  readonly sessionId: string;
  readonly expiresAt: Date;
};
export type LiveTicketUser = {
  readonly hash: Buffer;
  readonly role: Role;
  readonly customRole: NarrowedRole | null;
  readonly organizationId: string | null;
};

/**
 * Uses up tickets, each once across all console processes: returns the users of the tickets that were unused
 * and whose session is open.
 */
export async function takeLiveTickets(
  db: Kysely<unknown>,
  tickets: readonly ShownTicket[],
  now: Date,
): Promise<LiveTicketUser[]> {
  const { rows } =
    await sql<LiveTicketUser>`with shown as (select * from unnest(${tickets.map(({ hash }) => hash)}::bytea[], ${tickets.map(({ userId }) => userId)}::text[],
      ${tickets.map(({ sessionId }) => sessionId)}::text[], ${tickets.map(({ expiresAt }) => expiresAt)}::timestamptz[]) as ticket (hash, user_id, session_id, expires_at)),
    used as (insert into live_ticket_used (hash, expires_at) select hash, expires_at from shown order by hash on conflict (hash) do nothing returning hash)
    select shown.hash, u.role, (select json_build_object('id', r.id, 'permissions', r.permissions) from custom_role r where r.id = u.custom_role_id) as "customRole", u.organization_id as "organizationId" from used join shown on shown.hash = used.hash
    join session s on s.id = shown.session_id and s.user_id = shown.user_id join app_user u on u.id = s.user_id
    where u.status = 'active' and s.ended_at is null and s.expires_at > ${now}`.execute(db);
  return rows;
}

/** Uses up a ticket whose holder the caller has identified; false when it was used before. */
export async function spendTicket(
  db: Kysely<unknown>,
  { hash, expiresAt }: Pick<ShownTicket, 'hash' | 'expiresAt'>,
): Promise<boolean> {
  const { rows } =
    await sql`insert into live_ticket_used (hash, expires_at) values (${hash}, ${expiresAt}) on conflict (hash) do nothing returning hash`.execute(
      db,
    );
  return rows.length > 0;
}
