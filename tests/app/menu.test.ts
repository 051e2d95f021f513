import { describe, expect, it } from 'vitest';
import { destinationAfterSignIn, landingPathOf, linksOf, mayOpen, menuOf, rolesFor } from '#app/menu.ts';
import { pageAreas } from '#app/page-areas.ts';
import { breadcrumbTo, pagesOf } from '#app/menu-pages.ts';

const paths = (role: string | null | undefined) => linksOf(menuOf(role)).map((item) => item.path);
const adminOfTheSpecification = [
  '/admin/dashboard',
  '/admin/service-management',
  '/admin/user-management',
  '/admin/system-settings',
  '/admin/permissions',
];
const usageData = [
  '/admin/meters',
  '/admin/connectors',
  '/admin/cost-imports',
  '/admin/event-streams',
  '/admin/reconciliation',
  '/admin/quotas',
  '/admin/rejected-events',
  '/admin/imports',
];
const finance = [
  '/admin/billing',
  '/admin/payments',
  '/admin/bank-statements',
  '/admin/einvoices',
  '/admin/taxes',
  '/admin/dunning',
  '/admin/finance',
  '/admin/ledger',
  '/admin/exchange-rates',
  '/admin/accounting',
];
const terms = [
  '/admin/quotes',
  '/admin/discounts',
  '/admin/credit-grants',
  '/admin/commitments',
  '/admin/one-off-charges',
  '/admin/contract-simulator',
];
const operations = [
  '/admin/organizations',
  '/admin/announcements',
  '/admin/api-keys',
  '/admin/sandboxes',
  '/admin/notifications',
  '/admin/account',
];
const system = [
  '/admin/approvals',
  '/admin/security',
  '/admin/identity-providers',
  '/admin/monitoring',
  '/admin/audit-log',
  '/admin/audit-exports',
  '/admin/licenses',
  '/admin/backups',
  '/admin/data-exports',
  '/admin/personal-data',
];
const admin = [...adminOfTheSpecification, ...usageData, ...finance, ...terms, ...operations, ...system];
const user = [
  '/user/dashboard',
  '/service/overview',
  '/cloud-service/management',
  '/billing/dashboard',
  '/usage/statistics',
  '/billing/management',
  '/user/profile',
  '/user/notifications',
];
const readOnly = ['/dashboard', '/usage/statistics', '/billing/management'];

describe('menus by role', () => {
  it('R-SHELL-09 Admin: the five of the specification first, then the groups of further pages', () => {
    expect(
      menuOf('Admin')
        .slice(0, 5)
        .map((item) => item.path),
    ).toEqual(adminOfTheSpecification);
    expect(
      menuOf('Admin')
        .slice(5)
        .map((item) => [item.type, item.children?.map((child) => child.path)]),
    ).toEqual([
      ['group', usageData],
      ['group', finance],
      ['group', terms],
      ['group', operations],
      ['group', system],
    ]);
    expect(paths('Admin')).toEqual(admin);
  });
  it('R-SHELL-10 User, with a billing and a personal group', () => {
    expect(paths('User')).toEqual(user);
    expect(
      menuOf('User')
        .filter((item) => item.type === 'group')
        .map((item) => [item.path, item.children?.length]),
    ).toEqual([
      ['/billing', 3],
      ['/user', 2],
    ]);
  });
  it('R-SHELL-11 ReadOnly: the billing group only', () => {
    expect(menuOf('ReadOnly')).toHaveLength(1);
    expect(paths('ReadOnly')).toEqual(readOnly);
  });
});

describe('R-ADM-02 the effect of a role change', () => {
  it('is described by the names of pages, and the number of those without a menu entry', () => {
    expect(pagesOf('User').filter((page) => !pagesOf('ReadOnly').includes(page))).toEqual([
      'menu.user_dashboard',
      'menu.service_overview',
      'menu.cloud_services',
      'menu.profile',
      'menu.notifications',
    ]);
    expect(pagesOf('ReadOnly').filter((page) => !pagesOf('User').includes(page))).toEqual([]);
  });
});

/** Every page that checks its reader. */
const all = [
  ...new Set([
    ...admin,
    ...user,
    ...readOnly,
    '/billing/card-entry',
    '/billing/credits',
    '/billing/customers',
    '/device',
  ]),
];
describe('R-AUTH-15 access to pages', () => {
  it.each([
    ['Admin', [...admin, '/device']],
    ['User', [...user, '/billing/card-entry', '/billing/credits', '/billing/customers', '/device']],
    ['ReadOnly', [...readOnly, '/billing/credits', '/billing/customers', '/device']],
  ] as const)(
    '%s opens its menu, customers also their credits, everyone device sign-in, and nothing else',
    (role, own) => {
      expect(all.filter((path) => mayOpen(role, path)).sort()).toEqual([...own].sort());
    },
  );
  it.each([
    [' Admin ', '/admin/dashboard', true],
    ['Admin\n', '/user/dashboard', false],
    [undefined, '/user/dashboard', true],
    [null, '/admin/dashboard', false],
    ['', '/service/overview', true],
    ['Root', '/user/profile', true],
    ['admin', '/admin/dashboard', false],
    ['User', '/user/profile/', true],
    ['User', '/user', false],
    ['User', '/user/profile/else', false],
    ['User', '/', false],
  ])('%j opens %s: %s', (role, path, expected) => {
    expect(mayOpen(role, path)).toBe(expected);
  });
  it('returns the roles of a path', () => {
    expect(rolesFor('/usage/statistics')).toEqual(['User', 'ReadOnly']);
    expect(rolesFor('/nowhere')).toEqual([]);
  });
});

describe('T-ROLES: access with a custom role', () => {
  const clerk = { role: 'User', customRole: { permissions: ['billing:read', 'usage:read'] } } as const;
  it('covers the pages of the areas that it may read, and personal pages', () => {
    expect(linksOf(menuOf(clerk)).map((item) => item.path)).toEqual([
      '/usage/statistics',
      '/billing/management',
      '/user/profile',
      '/user/notifications',
    ]);
    expect(landingPathOf(clerk)).toBe('/usage/statistics');
    expect(mayOpen(clerk, '/user/dashboard')).toBe(false);
    expect(mayOpen(clerk, '/billing/credits')).toBe(true);
    expect(mayOpen(clerk, '/device')).toBe(true);
    expect(destinationAfterSignIn(clerk, '/service/overview')).toBe('/usage/statistics');
    // Write permission does not include read permission.
    expect(mayOpen({ role: 'User', customRole: { permissions: ['usage:write'] } }, '/usage/statistics')).toBe(
      false,
    );
  });
  it('is defined for every page', () => {
    expect(Object.keys(pageAreas).toSorted()).toEqual(all.toSorted());
  });
});

describe('R-AUTH-14 the first page', () => {
  it.each([
    ['Admin', '/admin/dashboard'],
    ['User', '/user/dashboard'],
    ['ReadOnly', '/dashboard'],
    [undefined, '/user/dashboard'],
  ])('%s starts at %s', (role, path) => {
    expect(landingPathOf(role)).toBe(path);
  });
  it.each([
    ['/usage/statistics?month=2026-10', '/usage/statistics?month=2026-10'],
    ['/admin/dashboard', '/user/dashboard'],
    ['https://evil.example', '/user/dashboard'],
    ['//evil.example', '/user/dashboard'],
    ['/\\evil.example', '/user/dashboard'],
    [null, '/user/dashboard'],
  ])('R-AUTH-13 returning to %s leads to %s', (returnTo, expected) => {
    expect(destinationAfterSignIn('User', returnTo)).toBe(expected);
  });
});

it('has a path to an entry for the breadcrumb', () => {
  expect(breadcrumbTo(menuOf('User'), '/usage/statistics').map((item) => item.name)).toEqual([
    'billing',
    'usage',
  ]);
  expect(breadcrumbTo(menuOf('User'), '/404')).toEqual([]);
});
