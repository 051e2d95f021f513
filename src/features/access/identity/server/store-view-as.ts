// SQL of Admins who view the console as another user.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Role } from '#kernel/roles.ts';
import type { Actor, Ctx, NarrowedRole } from '#platform/server/unit-of-work/ctx.ts';
import type { Database } from '#platform/server/database/db.ts';

export type NewView = {
  readonly adminId: Id<'usr'>;
  readonly sessionId: Id<'ses'>;
  readonly userId: Id<'usr'>;
  readonly reason: string;
  readonly expiresAt: Date;
};

/** Starts a view, replacing the session's open one. */
export async function insertView(
  ctx: Ctx,
  { adminId, sessionId, userId, reason, expiresAt }: NewView,
): Promise<Id<'vas'>> {
  const viewId = ctx.newId('vas');
  await endViewsOf(ctx, sessionId);
  await sql`insert into view_as (id, admin_id, session_id, user_id, reason, started_at, expires_at) values (${viewId}, ${adminId}, ${sessionId}, ${userId}, ${reason}, ${ctx.now}, ${expiresAt})`.execute(
    ctx.db,
  );
  return viewId;
}

/** Ends the open views of a session; returns the viewed users. */
export async function endViewsOf(
  ctx: Ctx,
  sessionId: string,
): Promise<{ id: Id<'vas'>; userId: Id<'usr'> } | undefined> {
  const { rows } = await sql<{
    id: Id<'vas'>;
    userId: Id<'usr'>;
  }>`update view_as set ended_at = ${ctx.now} where session_id = ${sessionId} and ended_at is null returning id, user_id as "userId"`.execute(
    ctx.db,
  );
  return rows[0];
}

/**
 * Returns the actor for a view's token: the user as they are now, while the view, the Admin's own session and
 * role, and the user's account are valid. Admins can never be viewed.
 */
export async function actorOfView(
  { pool }: Database,
  { adminId, sessionId, viewId, now }: { adminId: string; sessionId: string; viewId: string; now: Date },
): Promise<Actor | undefined> {
  const { rows } = await pool.query<{
    id: Id<'usr'>;
    role: Role;
    custom_role: NarrowedRole | null;
    organization_id: Id<'org'> | null;
    name: string;
    proved_at: Date;
    networks: readonly string[] | null;
  }>(viewQuery, [adminId, sessionId, viewId, now]);
  const row = rows[0];
  if (!row) return undefined;
  return {
    kind: 'user',
    userId: row.id,
    sessionId: sessionId as Id<'ses'>,
    role: row.role,
    customRole: row.custom_role,
    organizationId: row.organization_id,
    name: row.name,
    provedAt: row.proved_at,
    mustEnrol: false,
    networks: row.networks,
    viewing: { viewId: viewId as Id<'vas'>, by: adminId as Id<'usr'> },
  };
}
const viewQuery = `--hot actor-of-view
  select u.id, u.role, (select json_build_object('id', r.id, 'permissions', r.permissions) from custom_role r where r.id = u.custom_role_id) as custom_role, u.organization_id, u.name, s.proved_at, p.networks from view_as v
  join session s on s.id = v.session_id and s.id = $2 and s.user_id = v.admin_id and s.ended_at is null and s.expires_at > $4
  join app_user a on a.id = v.admin_id and a.id = $1 and a.role = 'Admin' and a.custom_role_id is null and a.status = 'active'
  join app_user u on u.id = v.user_id and u.role <> 'Admin' and u.status = 'active'
  left join session_policy p on p.scope = 'platform'
  where v.id = $3 and v.ended_at is null and v.expires_at > $4`;
