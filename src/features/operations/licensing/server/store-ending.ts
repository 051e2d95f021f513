// SQL of licenses that expire soon.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

export type EndingLicence = {
  readonly id: Id<'lic'>;
  readonly organizationId: Id<'org'>;
  readonly organization: string;
  readonly service: string;
  readonly machine: string;
  readonly expiresAt: Date;
  readonly timeZone: string;
};

/**
 * Returns active licenses that expire within some days, after a given one, by id. Superseded and revoked
 * licenses are omitted, and so are those issued for no longer than these days, because their users know the
 * end already.
 */
export async function licencesEnding(
  ctx: Ctx,
  days: number,
  after: string,
  limit: number,
): Promise<EndingLicence[]> {
  const within = sql`${`${days} days`}::interval`;
  const { rows } =
    await sql<EndingLicence>`select l.id, l.organization_id as "organizationId", o.name as organization, s.name as service, l.machine, l.expires_at as "expiresAt", o.time_zone as "timeZone"
    from licence l join organization o on o.id = l.organization_id join service s on s.id = l.service_id left join licence n on n.renews = l.id
    where l.revoked_at is null and n.id is null and l.expires_at > ${ctx.now} and l.expires_at <= ${ctx.now}::timestamptz + ${within} and l.expires_at - l.issued_at > ${within} and l.id > ${after} order by l.id limit ${limit}`.execute(
      ctx.db,
    );
  return rows;
}
