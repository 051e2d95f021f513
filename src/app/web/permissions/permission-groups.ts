// The permission table: pages from the menus, then the server's calls by feature.
import type { Out } from '#kernel/contract.ts';
import { roles, type Role } from '#kernel/roles.ts';
import type { consoleContract } from '../../console/contract.ts';
import { linksOf, menuOf, rolesFor, type NavItem } from '../../menu.ts';

type CallRow = Out<typeof consoleContract.permissions>['routes'][number];

export type PermissionRow = {
  readonly key: string;
  /** A page's menu entry, or a call. */
  readonly page?: NavItem;
  readonly call?: CallRow;
  readonly path: string;
  readonly allowed: readonly Role[];
};
export type PermissionGroup = { readonly name: string; readonly rows: readonly PermissionRow[] };

/** The id of the group of pages; the others have their feature's name. */
export const pagesGroup = 'pages';

/** Every page of every menu and every call; one that needs no sign-in is allowed to all roles. */
export function permissionGroups(calls: readonly CallRow[]): readonly PermissionGroup[] {
  const links = new Map(roles.flatMap((role) => linksOf(menuOf(role))).map((item) => [item.path, item]));
  const pages = [...links.values()].map((page): PermissionRow => ({
    key: page.path,
    page,
    path: page.path,
    allowed: rolesFor(page.path),
  }));
  const features = [...new Set(calls.map((call) => call.feature))];
  return [
    { name: pagesGroup, rows: pages },
    ...features.map((name) => ({ name, rows: calls.filter((call) => call.feature === name).map(rowOf) })),
  ];
}

const rowOf = (call: CallRow): PermissionRow => ({
  key: `${call.feature}.${call.name}`,
  call,
  path: call.path,
  allowed: call.access === 'roles' ? call.roles : roles,
});

/**
 * The groups with the rows that match a text, without empty groups. `nameOf` is a row's text besides its
 * path.
 */
export function filtered(
  groups: readonly PermissionGroup[],
  text: string,
  nameOf: (row: PermissionRow) => string,
): readonly PermissionGroup[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const isFound = (row: PermissionRow): boolean => {
    const read = `${row.path} ${row.call?.method ?? ''} ${nameOf(row)}`.toLowerCase();
    return words.every((word) => read.includes(word));
  };
  return groups
    .map((group) => ({ ...group, rows: group.rows.filter(isFound) }))
    .filter((group) => group.rows.length > 0);
}
