// What identity asks the database about sessions and tickets.
import { sql, type Kysely } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Role } from '#kernel/roles.ts';
import type { Actor, Ctx } from '#platform/server/ctx.ts';
import type { Tables } from '#platform/server/tables.ts';

/** Adds a session of a user; only the digest of its token is kept. */
export async function insertSession(ctx: Ctx, session: { userId: string; tokenHash: Buffer; device: string; address: string; expiresAt: Date }): Promise<Id<'ses'>> {
  const sessionId = ctx.newId('ses');
  await sql`insert into session (id, user_id, token_hash, device, address, created_at, last_seen_at, expires_at)
    values (${sessionId}, ${session.userId}, ${session.tokenHash}, ${session.device.slice(0, 300)}, ${session.address}, ${ctx.now}, ${ctx.now}, ${session.expiresAt})`.execute(ctx.db);
  return sessionId;
}

/** The open session of a cookie's token, and marks it as seen. */
export async function openSession(ctx: Ctx, tokenHash: Buffer): Promise<{ sessionId: Id<'ses'>; userId: Id<'usr'> } | undefined> {
  const { rows } = await sql<{ id: Id<'ses'>; user_id: Id<'usr'> }>`update session s set last_seen_at = ${ctx.now} from app_user u
    where s.token_hash = ${tokenHash} and s.ended_at is null and s.expires_at > ${ctx.now} and u.id = s.user_id and u.status = 'active' returning s.id, s.user_id`.execute(ctx.db);
  return rows[0] && { sessionId: rows[0].id, userId: rows[0].user_id };
}

/** Ends the session of a cookie's token. */
export async function endSessionOf(ctx: Ctx, tokenHash: Buffer): Promise<void> {
  await sql`update session set ended_at = ${ctx.now} where token_hash = ${tokenHash} and ended_at is null`.execute(ctx.db);
}

/** Ends sessions of a user: one, or all but one. Answers how many. */
export async function endSessions(ctx: Ctx, userId: string, which: { only: string } | { allBut: string | null }): Promise<number> {
  const condition = 'only' in which ? sql`id = ${which.only}` : sql`id is distinct from ${which.allBut}`;
  const { rows } = await sql`update session set ended_at = ${ctx.now} where user_id = ${userId} and ended_at is null and ${condition} returning id`.execute(ctx.db);
  return rows.length;
}

/** A user's open sessions, the newest first. */
export async function sessionsOf(ctx: Ctx, userId: string): Promise<{ id: Id<'ses'>; device: string; address: string; createdAt: Date; lastSeenAt: Date; expiresAt: Date }[]> {
  const { rows } = await sql<{ id: Id<'ses'>; device: string; address: string; createdAt: Date; lastSeenAt: Date; expiresAt: Date }>`
    select id, device, address, created_at as "createdAt", last_seen_at as "lastSeenAt", expires_at as "expiresAt" from session
    where user_id = ${userId} and ended_at is null and expires_at > ${ctx.now} order by id desc`.execute(ctx.db);
  return rows;
}

/** Who a session's access token stands for now: role, organization and status as they are at this moment. */
export async function actorOfSession(db: Kysely<Tables>, userId: string, sessionId: string, now: Date): Promise<Actor | undefined> {
  const { rows } = await sql<{ role: Role; organization_id: Id<'org'> | null; name: string }>`select u.role, u.organization_id, u.name from session s join app_user u on u.id = s.user_id
    where s.id = ${sessionId} and s.user_id = ${userId} and s.ended_at is null and s.expires_at > ${now} and u.status = 'active'`.execute(db);
  const row = rows[0];
  return row && { kind: 'user', userId: userId as Id<'usr'>, sessionId: sessionId as Id<'ses'>, role: row.role, organizationId: row.organization_id, name: row.name };
}

/** Adds a live ticket and forgets those that ran out. */
export async function insertLiveTicket(ctx: Ctx, ticket: { hash: Buffer; userId: string; sessionId: string; expiresAt: Date }): Promise<void> {
  await sql`delete from live_ticket where expires_at < ${ctx.now}`.execute(ctx.db);
  await sql`insert into live_ticket (hash, user_id, session_id, expires_at) values (${ticket.hash}, ${ticket.userId}, ${ticket.sessionId}, ${ticket.expiresAt})`.execute(ctx.db);
}

/** Uses a ticket up: the first caller gets its user, a second one nothing. */
export async function takeLiveTicket(db: Kysely<Tables>, hash: Buffer, userId: string, now: Date): Promise<{ role: Role; organizationId: string | null } | undefined> {
  const { rows } = await sql<{ role: Role; organization_id: string | null }>`with taken as (delete from live_ticket where hash = ${hash} and user_id = ${userId} returning user_id, session_id, expires_at)
    select u.role, u.organization_id from taken join app_user u on u.id = taken.user_id join session s on s.id = taken.session_id
    where taken.expires_at > ${now} and u.status = 'active' and s.ended_at is null`.execute(db);
  return rows[0] && { role: rows[0].role, organizationId: rows[0].organization_id };
}
