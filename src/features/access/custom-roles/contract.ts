// Custom roles: a built-in role limited to some permissions, created by an Admin for the platform or by a
// User for their organization.
import * as z from 'zod/mini';
import { contract, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { permissions as everyPermission } from '#kernel/permissions.ts';
import { id, instant, optionalText, role, text } from '#kernel/shape.ts';
import { memberRoles } from '#features/access/identity/contract.ts';

/** The largest number of custom roles of the platform, and of each organization. */
export const mostRoles = 100;

const permissions = z.array(z.enum(everyPermission));

export const CustomRole = z.strictObject({
  id: id('rol'),
  /** Null: the platform's, available to anybody who has the built-in role. */
  organizationId: z.nullable(id('org')),
  organization: z.nullable(z.string()),
  /** The built-in role that it limits. */
  baseRole: role,
  name: z.string(),
  description: z.string(),
  permissions,
  /** The number of people who have it, including deleted people who can be restored. */
  people: z.int(),
  /** The number of open invitations that assign it. */
  invitations: z.int(),
  /** The number of identity providers' groups that assign it. */
  groups: z.int(),
  createdAt: instant,
});
export type CustomRole = z.output<typeof CustomRole>;

const admin = { roles: ['Admin'] } as const;
const owner = { roles: ['User'] } as const;
const one = { roleId: id('rol') };
/**
 * Fields that can be changed later. The built-in role cannot, because people already have the custom role.
 */
export const roleFields = {
  name: text(60),
  description: optionalText(300),
  permissions: permissions.check(z.minLength(1), z.maxLength(everyPermission.length)),
};
const list = z.strictObject({ items: z.array(CustomRole) });

export const customRoles = contract({
  listRoles: route({
    method: 'GET',
    path: '/admin/roles',
    access: admin,
    summary: 'List custom roles',
    description: 'The platform’s roles, plus those of an organization if you name one.',
    input: z.strictObject({ organizationId: z.optional(id('org')) }),
    output: list,
  }),
  createRole: route({
    method: 'POST',
    path: '/admin/roles',
    access: admin,
    fresh: true,
    status: 201,
    summary: 'Create a custom role',
    description: 'For the platform or for one organization.',
    input: z.strictObject({ ...roleFields, baseRole: role, organizationId: z.optional(id('org')) }),
    output: CustomRole,
  }),
  updateRole: route({
    method: 'PUT',
    path: '/admin/roles/:roleId',
    access: admin,
    fresh: true,
    summary: 'Update a custom role',
    description: 'Applies from the next call. Sessions of people with the role end.',
    input: z.strictObject({ ...one, ...roleFields }),
    output: CustomRole,
  }),
  deleteRole: route({
    method: 'DELETE',
    path: '/admin/roles/:roleId',
    access: admin,
    fresh: true,
    summary: 'Delete a custom role',
    description: 'Only if nobody has it.',
    input: z.strictObject(one),
    output: nothing,
  }),
  listOwnRoles: route({
    method: 'GET',
    path: '/organization/roles',
    access: owner,
    summary: 'List your custom roles',
    description: 'The roles that people in your organization can have: its own and the platform’s.',
    input: z.strictObject({}),
    output: list,
  }),
  createOwnRole: route({
    method: 'POST',
    path: '/organization/roles',
    access: owner,
    fresh: true,
    status: 201,
    summary: 'Create a custom role for your organization',
    input: z.strictObject({ ...roleFields, baseRole: z.enum(memberRoles) }),
    output: CustomRole,
  }),
  updateOwnRole: route({
    method: 'PUT',
    path: '/organization/roles/:roleId',
    access: owner,
    fresh: true,
    summary: 'Update one of your custom roles',
    description: 'Sessions of people with the role end.',
    input: z.strictObject({ ...one, ...roleFields }),
    output: CustomRole,
  }),
  deleteOwnRole: route({
    method: 'DELETE',
    path: '/organization/roles/:roleId',
    access: owner,
    fresh: true,
    summary: 'Delete one of your custom roles',
    description: 'Only if nobody has it.',
    input: z.strictObject(one),
    output: nothing,
  }),
});

export const customRolesErrors = {
  'customroles.not_found': 404,
  'customroles.name_taken': 409,
  'customroles.in_use': 409,
  'customroles.too_many': 409,
  'customroles.permission_of_base': 422,
} as const satisfies ErrorTable;
