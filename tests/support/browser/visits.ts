// Every address of the console and who visits it, taken from the menus themselves, so that new menu entries
// are included.
import { linksOf, menuOf } from '#app/menu.ts';
import { roles, type Role } from '#kernel/roles.ts';

export type Visitor = Role | 'nobody';
/** `name` is short, for files and tables: `admin-user-management`. */
export type Visit = { readonly name: string; readonly visitor: Visitor; readonly path: string };

const outside = [
  '/',
  '/login',
  '/register',
  '/callback',
  '/company-sign-in',
  '/invitation',
  '/password-reset',
  '/verify-email',
  '/payments/returned',
  '/payments/card-returned',
  '/404',
  '/session/404',
  '/no/such/page',
];
/** Addresses that a role may open without a menu entry, and one that it may not open. */
const besides: Readonly<Record<Role, readonly string[]>> = {
  Admin: ['/device', '/user/dashboard'],
  User: ['/device', '/admin/dashboard'],
  ReadOnly: ['/device', '/user/notifications'],
};

const nameOf = (visitor: Visitor, path: string): string =>
  `${visitor}${path === '/' ? '-home' : path.replace(/[^a-z0-9]+/gi, '-')}`;

/** All visits: those without sign-in first, then each role's menu and what the role is denied. */
export function everyVisit(): readonly Visit[] {
  const inside = roles.flatMap((role) =>
    [...linksOf(menuOf(role)).map((link) => link.path), ...besides[role]].map(
      (path) => [role, path] as const,
    ),
  );
  return [...outside.map((path) => ['nobody', path] as const), ...inside].map(([visitor, path]) => ({
    name: nameOf(visitor, path),
    visitor,
    path,
  }));
}
