// SQL of audiences: the users in each.
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Audience } from '../contract.ts';

const isOf = (audience: Audience): RawBuilder<unknown> => {
  switch (audience.kind) {
    case 'all':
      return sql`true`;
    case 'role':
      return sql`u.role = ${audience.role}`;
    case 'organization':
      return sql`u.organization_id = ${audience.organizationId}`;
    case 'service':
      return sql`u.organization_id in (select s.organization_id from subscription s where s.service_id = ${audience.serviceId} and s.state not in ('canceled', 'expired'))`;
  }
};

/** Counts the active users in an audience. */
export async function countPeople(ctx: Ctx, audience: Audience): Promise<number> {
  const { rows } = await sql<{
    people: bigint;
  }>`select count(*) as people from app_user u where u.status = 'active' and ${isOf(audience)}`.execute(
    ctx.db,
  );
  return Number(rows[0]?.people ?? 0n);
}

/** Returns the next active users in an audience after a given one, by id. */
export async function peopleAfter(
  ctx: Ctx,
  audience: Audience,
  after: string,
  limit: number,
): Promise<Id<'usr'>[]> {
  const { rows } = await sql<{
    id: Id<'usr'>;
  }>`select u.id from app_user u where u.status = 'active' and u.id > ${after} and ${isOf(audience)} order by u.id limit ${limit}`.execute(
    ctx.db,
  );
  return rows.map((row) => row.id);
}

/**
 * Returns the name of an organization or a service; undefined when it does not exist, '' for audiences
 * without a name.
 */
export async function audienceNameOf(ctx: Ctx, audience: Audience): Promise<string | undefined> {
  if (audience.kind === 'all' || audience.kind === 'role') return '';
  const { rows } =
    audience.kind === 'organization'
      ? await sql<{
          name: string;
        }>`select name from organization where id = ${audience.organizationId}`.execute(ctx.db)
      : await sql<{ name: string }>`select name from service where id = ${audience.serviceId}`.execute(
          ctx.db,
        );
  return rows[0]?.name;
}
