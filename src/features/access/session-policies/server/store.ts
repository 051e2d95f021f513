// SQL of session policies.
import { sql } from 'kysely';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { SessionPolicy } from '../contract.ts';

type Stored = Omit<SessionPolicy, 'ownAddress' | 'ownNetwork'>;

/** Returns the policy of an organization, or of the platform (null); undefined when it was never set. */
export async function storedPolicy(ctx: Ctx, organizationId: string | null): Promise<Stored | undefined> {
  const { rows } =
    await sql<Stored>`select p.idle_minutes as "idleMinutes", p.session_hours as "sessionHours", p.networks, p.changed_at as "changedAt", coalesce(u.name, p.changed_by) as "changedBy"
    from session_policy p left join app_user u on u.id = p.changed_by where p.scope = coalesce(${organizationId}, 'platform')`.execute(
      ctx.db,
    );
  return rows[0];
}

/** Stores a policy in place of the previous one. */
export async function storePolicy(
  ctx: Ctx,
  organizationId: string | null,
  { idleMinutes, sessionHours, networks }: Pick<Stored, 'idleMinutes' | 'sessionHours' | 'networks'>,
  by: string,
): Promise<void> {
  await sql`insert into session_policy (organization_id, idle_minutes, session_hours, networks, changed_at, changed_by)
    values (${organizationId}, ${idleMinutes}, ${sessionHours}, ${[...networks]}::text[], ${ctx.now}, ${by})
    on conflict (scope) do update set idle_minutes = excluded.idle_minutes, session_hours = excluded.session_hours, networks = excluded.networks, changed_at = excluded.changed_at, changed_by = excluded.changed_by`.execute(
    ctx.db,
  );
}
