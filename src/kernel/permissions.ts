// What an API key that acts for a person, or a person with a custom role, may do: areas of the console, each to read and to write.
import type { Role } from './roles.ts';

/** The areas; which call belongs to which is said in `src/app/key-areas.ts`. */
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
/** `billing:write`. Writing does not include reading. */
export type Permission = `${KeyArea}:${(typeof permissionVerbs)[number]}`;

export const permissions: readonly Permission[] = keyAreas.flatMap((area) =>
  permissionVerbs.map((verb): Permission => `${area}:${verb}`),
);

/**
 * What no custom role includes: whoever changes people, roles or sign-in gets past every other permission, so that stays with the
 * built-in roles.
 */
export const neverInCustomRoles: readonly Permission[] = ['people:write'];

/** What a custom role can include that narrows a built-in one. ReadOnly never writes. */
export const permissionsWithin = (baseRole: Role): readonly Permission[] =>
  permissions.filter(
    (one) =>
      !neverInCustomRoles.includes(one) &&
      (baseRole !== 'ReadOnly' || one.endsWith(':read')) &&
      // Only Admins approve.
      (baseRole === 'Admin' || !one.startsWith('approvals:')),
  );

/** Whether a text is a permission. */
export const isPermission = (text: string): text is Permission => permissions.some((one) => one === text);
