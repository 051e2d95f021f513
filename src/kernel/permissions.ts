// What an API key that acts for a person may do: areas of the console, each to read and to write.

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
  'operations',
] as const;
export type KeyArea = (typeof keyAreas)[number];
export const permissionVerbs = ['read', 'write'] as const;
/** `billing:write`. Writing does not include reading. */
export type Permission = `${KeyArea}:${(typeof permissionVerbs)[number]}`;

export const permissions: readonly Permission[] = keyAreas.flatMap((area) =>
  permissionVerbs.map((verb): Permission => `${area}:${verb}`),
);

/** Whether a text is a permission. */
export const isPermission = (text: string): text is Permission => permissions.some((one) => one === text);
