// Which of a role's routes an Admin may revoke, and the effects of doing so.
import * as z from 'zod/mini';
import { contract, noInput, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { id, role } from '#kernel/shape.ts';

/** The permissions that can be revoked from a role and restored. All others are fixed by the contracts. */
export const grantNames = [
  'user_webhooks',
  'user_api_keys',
  'user_invitations',
  'user_members',
  'reader_statement',
  'reader_packs',
] as const;
export type GrantName = (typeof grantNames)[number];
const grantName = z.enum(grantNames);

const GrantRoute = z.strictObject({
  feature: z.string(),
  name: z.string(),
  method: z.string(),
  path: z.string(),
});
export const Grant = z.strictObject({
  name: grantName,
  role,
  isAllowed: z.boolean(),
  routes: z.array(GrantRoute),
});
export type Grant = z.output<typeof Grant>;
const Grants = z.strictObject({ items: z.array(Grant) });

/** The permissions that would change, and how many users currently have the role. */
export const GrantsPreview = z.strictObject({
  changes: z.array(z.extend(Grant, { users: z.int() })),
  lost: z.int(),
  won: z.int(),
});
export type GrantsPreview = z.output<typeof GrantsPreview>;

const difference = z.strictObject({ lost: z.array(z.string()), won: z.array(z.string()) });
/** What a user would lose and gain with another role: pages by path, calls by feature and name. */
export const RolePreview = z.strictObject({
  userId: id('usr'),
  name: z.string(),
  account: z.string(),
  from: role,
  to: role,
  pages: difference,
  calls: difference,
  /** True for the last Admin, whose role cannot change because no one else could administer the console. */
  isLastAdmin: z.boolean(),
  /** True when the new role needs an organization and the user has none. */
  needsOrganization: z.boolean(),
});
export type RolePreview = z.output<typeof RolePreview>;

const admin = { roles: ['Admin'] } as const;
const withdrawn = z.array(grantName).check(z.maxLength(grantNames.length));

export const grantsContract = contract({
  ownGrants: route({
    method: 'GET',
    path: '/user/permissions',
    access: { roles: ['Admin', 'User', 'ReadOnly'] },
    isBatchable: true,
    summary: 'Get your role’s restrictions',
    description: 'What was taken from your role.',
    input: noInput,
    output: z.strictObject({ withdrawn: z.array(grantName) }),
  }),
  listGrants: route({
    method: 'GET',
    path: '/admin/permissions/grants',
    access: admin,
    summary: 'List role restrictions',
    description: 'What can be taken from a role, and whether it was.',
    input: noInput,
    output: Grants,
  }),
  previewGrants: route({
    method: 'POST',
    path: '/admin/permissions/preview',
    access: admin,
    summary: 'Preview role restrictions',
    description: 'What roles would lose and gain. Changes nothing.',
    input: z.strictObject({ withdrawn }),
    output: GrantsPreview,
  }),
  saveGrants: route({
    method: 'PUT',
    path: '/admin/permissions',
    access: admin,
    fresh: true,
    summary: 'Update role restrictions',
    description:
      'What’s taken from roles, from the next call on; by default nothing. Rejected if someone else changed it since `before` was read.',
    input: z.strictObject({ withdrawn, before: withdrawn }),
    output: Grants,
  }),
  previewRole: route({
    method: 'GET',
    path: '/admin/permissions/users/:userId',
    access: admin,
    summary: 'Preview a user’s new role',
    description: 'What the user would lose and gain. Changes nothing.',
    input: z.strictObject({ userId: id('usr'), role }),
    output: RolePreview,
  }),
});

export const grantsErrors = {
  'grants.changed': 409,
  'grants.user_not_found': 404,
} as const satisfies ErrorTable;
