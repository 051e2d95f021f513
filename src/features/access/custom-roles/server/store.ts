// SQL of custom roles.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Role } from '#kernel/roles.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { CustomRole } from '../contract.ts';

/** The roles that a caller can change: one organization's, or any. */
export type RoleOwner = Id<'org'> | 'anybody';

const columns = sql<CustomRole>`r.id, r.organization_id as "organizationId", o.name as organization, r.base_role as "baseRole", r.name, r.description, r.permissions,
  (select count(*)::int from app_user u where u.custom_role_id = r.id) as people,
  (select count(*)::int from invitation i where i.custom_role_id = r.id and i.accepted_at is null and i.revoked_at is null) as invitations,
  (select count(*)::int from identity_provider_group g where g.custom_role_id = r.id) as groups, r.created_at as "createdAt"`;
const tables = sql`custom_role r left join organization o on o.id = r.organization_id`;

/** Returns the platform's roles on the given built-in roles, then an organization's, each sorted by name. */
export async function rolesFor(
  ctx: Ctx,
  organizationId: string | null,
  baseRoles: readonly Role[],
): Promise<CustomRole[]> {
  const { rows } =
    await sql<CustomRole>`select ${columns} from ${tables} where (r.organization_id is null or r.organization_id = ${organizationId}) and r.base_role = any(${[...baseRoles]}::text[])
    order by r.organization_id nulls first, r.name, r.id`.execute(ctx.db);
  return rows;
}

/** Returns one role of an owner, locked if it is about to be changed. */
export async function roleOf(
  ctx: Ctx,
  owner: RoleOwner,
  roleId: string,
  lock = false,
): Promise<CustomRole | undefined> {
  // Read after it is locked: who has it would be from before whatever this has waited for.
  if (lock) await sql`select 1 from custom_role where id = ${roleId} for update`.execute(ctx.db);
  const { rows } =
    await sql<CustomRole>`select ${columns} from ${tables} where r.id = ${roleId} and ${owner === 'anybody' ? sql`true` : sql`r.organization_id = ${owner}`}`.execute(
      ctx.db,
    );
  return rows[0];
}

/** Counts the roles of the platform (null) or of an organization. */
export async function countRoles(ctx: Ctx, organizationId: Id<'org'> | null): Promise<number> {
  const { rows } = await sql<{
    total: number;
  }>`select count(*)::int as total from custom_role where organization_id is not distinct from ${organizationId}`.execute(
    ctx.db,
  );
  return rows[0]?.total ?? 0;
}

type Fields = Pick<CustomRole, 'name' | 'description' | 'permissions'>;

/** Adds a role; undefined when the owner already has one of that name. */
export async function insertRole(
  ctx: Ctx,
  role: Fields & Pick<CustomRole, 'baseRole' | 'organizationId'>,
  createdBy: Id<'usr'>,
): Promise<Id<'rol'> | undefined> {
  const { rows } = await sql<{
    id: Id<'rol'>;
  }>`insert into custom_role (id, organization_id, base_role, name, description, permissions, created_at, created_by)
    values (${ctx.newId('rol')}, ${role.organizationId}, ${role.baseRole}, ${role.name}, ${role.description}, ${[...role.permissions]}::text[], ${ctx.now}, ${createdBy})
    on conflict (coalesce(organization_id, ''), lower(name)) do nothing returning id`.execute(ctx.db);
  return rows[0]?.id;
}

/** Changes a role; false when the owner has another role of that name. */
export async function updateRoleRow(ctx: Ctx, roleId: string, role: Fields): Promise<boolean> {
  const { rows } =
    await sql`update custom_role r set name = ${role.name}, description = ${role.description}, permissions = ${[...role.permissions]}::text[] where r.id = ${roleId}
    and not exists (select from custom_role other where other.organization_id is not distinct from r.organization_id and lower(other.name) = lower(${role.name}) and other.id <> r.id) returning r.id`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Deletes a role that nobody has, and removes it from invitations that have ended. */
export async function deleteRoleRow(ctx: Ctx, roleId: string): Promise<void> {
  await sql`update invitation set custom_role_id = null where custom_role_id = ${roleId} and (accepted_at is not null or revoked_at is not null)`.execute(
    ctx.db,
  );
  await sql`delete from custom_role where id = ${roleId}`.execute(ctx.db);
}

/** Returns the users who have a role. */
export async function peopleWith(ctx: Ctx, roleId: string): Promise<Id<'usr'>[]> {
  const { rows } = await sql<{
    id: Id<'usr'>;
  }>`select id from app_user where custom_role_id = ${roleId} order by id`.execute(ctx.db);
  return rows.map(({ id }) => id);
}
