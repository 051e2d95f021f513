// Permissions of custom roles and of API keys that act for a person: areas of the console, each with read and
// write.
import type { Role } from './roles.ts';

/** The areas; `src/app/key-areas.ts` assigns each call to one. */
export const keyAreas = [
  'catalogue',
  'customers',
  'subscriptions',
  'usage',
  'billing',
  'payments',
  'reports',
  'people',
  'portal',
  'operations',
  'approvals',
] as const;
export type KeyArea = (typeof keyAreas)[number];
export const permissionVerbs = ['read', 'write'] as const;
/** Such as `billing:write`. Write does not include read. */
export type Permission = `${KeyArea}:${(typeof permissionVerbs)[number]}`;

export const permissions: readonly Permission[] = keyAreas.flatMap((area) =>
  permissionVerbs.map((verb): Permission => `${area}:${verb}`),
);

/**
 * Permissions that no custom role may include: whoever can change people, roles or sign-in could bypass every
 * other permission, so these stay with the built-in roles.
 */
export const neverInCustomRoles: readonly Permission[] = ['people:write'];

/** The permissions that a custom role may have, given the built-in role that it narrows. ReadOnly never writes. */
export const permissionsWithin = (baseRole: Role): readonly Permission[] =>
  permissions.filter(
    (one) =>
      !neverInCustomRoles.includes(one) &&
      (baseRole !== 'ReadOnly' || one.endsWith(':read')) &&
      // Only Admins approve.
      (baseRole === 'Admin' || !one.startsWith('approvals:')),
  );

/**
 * Whether a person may read an area, given their custom role (null: none, so their built-in role decides). The area
 * null is open to everybody; an unknown one to no custom role.
 */
export const mayReadArea = (
  customRole: { readonly permissions: readonly Permission[] } | null | undefined,
  area: KeyArea | null | undefined,
): boolean =>
  !customRole || area === null || (area !== undefined && customRole.permissions.includes(`${area}:read`));

/** Whether a text is a permission. */
export const isPermission = (text: string): text is Permission => permissions.some((one) => one === text);
