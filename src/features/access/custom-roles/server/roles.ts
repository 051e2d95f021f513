// Creates, changes and deletes custom roles. Every change is audited and applies from the next call of the
// people who have the role.
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { permissionsWithin } from '#kernel/permissions.ts';
import { roles, type Role } from '#kernel/roles.ts';
import { person, tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { lockUntilEnd } from '#platform/server/unit-of-work/unit-of-work.ts';
import { endSessionsOfMany, organizationById } from '#features/access/identity/server/index.ts';
import { memberRoles } from '#features/access/identity/contract.ts';
import { customRolesErrors, mostRoles, type CustomRole, type customRoles } from '../contract.ts';
import {
  countRoles,
  deleteRoleRow,
  insertRole,
  peopleWith,
  roleOf,
  rolesFor,
  updateRoleRow,
  type RoleOwner,
} from './store.ts';

type Calls = typeof customRoles;

export async function listRoles(
  ctx: Ctx,
  { organizationId }: In<Calls['listRoles']>,
): Promise<Out<Calls['listRoles']>> {
  return { items: await rolesFor(ctx, organizationId ?? null, roles) };
}

export async function listOwnRoles(ctx: Ctx): Promise<Out<Calls['listOwnRoles']>> {
  const organizationId = tenant(ctx);
  const items = await rolesFor(ctx, organizationId, memberRoles);
  // An organization must not learn how many people of other organizations have a platform role.
  return {
    items: items.map((one) =>
      one.organizationId === null ? { ...one, people: 0, invitations: 0, groups: 0 } : one,
    ),
  };
}

export async function createRole(ctx: Ctx, input: In<Calls['createRole']>): Promise<CustomRole> {
  const { organizationId = null } = input;
  if (organizationId !== null && !(await organizationById(ctx.db, organizationId)))
    throw domainError(customRolesErrors, 'customroles.not_found', {}, ['organizationId']);
  return create(ctx, 'customroles.createRole', organizationId, input);
}

export const createOwnRole = (ctx: Ctx, input: In<Calls['createOwnRole']>): Promise<CustomRole> =>
  create(ctx, 'customroles.createOwnRole', tenant(ctx), input);

/**
 * Checks the permissions of a role: ReadOnly never writes, permission to create people would allow more than
 * the role itself, and an organization has no Admins.
 */
function assertWithin(baseRole: Role, wanted: CustomRole['permissions']): void {
  const possible = permissionsWithin(baseRole);
  const refused = wanted.find((one) => !possible.includes(one));
  if (refused !== undefined)
    throw domainError(customRolesErrors, 'customroles.permission_of_base', { permission: refused }, [
      'permissions',
    ]);
}

type NewRole = Pick<CustomRole, 'name' | 'description' | 'permissions' | 'baseRole'>;

async function create(
  ctx: Ctx,
  action: string,
  organizationId: Id<'org'> | null,
  { name, description, permissions, baseRole }: NewRole,
): Promise<CustomRole> {
  assertWithin(baseRole, permissions);
  if (organizationId !== null && baseRole === 'Admin')
    throw domainError(customRolesErrors, 'customroles.permission_of_base', { permission: 'Admin' }, [
      'baseRole',
    ]);
  await lockUntilEnd(ctx, `custom roles ${organizationId ?? ''}`);
  if ((await countRoles(ctx, organizationId)) >= mostRoles)
    throw domainError(customRolesErrors, 'customroles.too_many', { most: mostRoles });
  const fields = { name, description, permissions: [...new Set(permissions)] };
  const roleId = await insertRole(ctx, { ...fields, baseRole, organizationId }, person(ctx).userId);
  if (!roleId) throw domainError(customRolesErrors, 'customroles.name_taken', { name }, ['name']);
  ctx.audit(action, roleId, { name, baseRole, permissions: fields.permissions, organizationId });
  return required(await roleOf(ctx, 'anybody', roleId), 'the role that was just made');
}

export const updateRole = (ctx: Ctx, input: In<Calls['updateRole']>): Promise<CustomRole> =>
  update(ctx, 'customroles.updateRole', 'anybody', input);

export const updateOwnRole = (ctx: Ctx, input: In<Calls['updateOwnRole']>): Promise<CustomRole> =>
  update(ctx, 'customroles.updateOwnRole', tenant(ctx), input);

async function update(
  ctx: Ctx,
  action: string,
  owner: RoleOwner,
  { roleId, name, description, permissions }: In<Calls['updateRole']>,
): Promise<CustomRole> {
  const before = await roleOf(ctx, owner, roleId, true);
  if (!before) throw domainError(customRolesErrors, 'customroles.not_found');
  assertWithin(before.baseRole, permissions);
  const fields = { name, description, permissions: [...new Set(permissions)] };
  if (!(await updateRoleRow(ctx, roleId, fields)))
    throw domainError(customRolesErrors, 'customroles.name_taken', { name }, ['name']);
  // Open screens and live connections still show what the role allowed before.
  await endSessionsOfMany(ctx, await peopleWith(ctx, roleId));
  ctx.audit(action, roleId, {
    before: { name: before.name, permissions: before.permissions },
    after: { name, permissions: fields.permissions },
  });
  return required(await roleOf(ctx, owner, roleId), 'the role that was just changed');
}

export const deleteRole = (ctx: Ctx, { roleId }: In<Calls['deleteRole']>): Promise<null> =>
  remove(ctx, 'customroles.deleteRole', 'anybody', roleId);

export const deleteOwnRole = (ctx: Ctx, { roleId }: In<Calls['deleteOwnRole']>): Promise<null> =>
  remove(ctx, 'customroles.deleteOwnRole', tenant(ctx), roleId);

/**
 * Deletes a role that nobody has. People who have it must be given another role first, because otherwise they
 * would get the whole built-in role.
 */
async function remove(ctx: Ctx, action: string, owner: RoleOwner, roleId: string): Promise<null> {
  const before = await roleOf(ctx, owner, roleId, true);
  if (!before) throw domainError(customRolesErrors, 'customroles.not_found');
  const { name, people, invitations, groups } = before;
  if (people + invitations + groups > 0)
    throw domainError(customRolesErrors, 'customroles.in_use', { name, people, invitations, groups });
  await deleteRoleRow(ctx, roleId);
  ctx.audit(action, roleId, { name, permissions: before.permissions });
  return null;
}
