import { describe, expect, it } from 'vitest';
import { filtered, pagesGroup, permissionGroups } from './permission-groups.ts';

const call = (feature: string, name: string, change: object = {}) => ({
  feature,
  name,
  method: 'GET',
  path: `/api/${name}`,
  summary: `Says ${name}.`,
  access: 'roles' as const,
  roles: ['Admin' as const],
  keyScopes: [],
  ...change,
});
const calls = [
  call('identity', 'users'),
  call('identity', 'login', { access: 'public', roles: [] }),
  call('usage', 'report', { method: 'POST', roles: [], keyScopes: ['metering' as const] }),
];
const groups = permissionGroups(calls);

describe('R-ADM-03 the permission table', () => {
  it('has every page with the roles whose menu lists it', () => {
    const pages = groups.find((group) => group.name === pagesGroup)?.rows ?? [];
    expect(pages.find((row) => row.path === '/usage/statistics')?.allowed).toEqual(['User', 'ReadOnly']);
    expect(pages.find((row) => row.path === '/admin/billing')?.allowed).toEqual(['Admin']);
    expect(new Set(pages.map((row) => row.path)).size).toBe(pages.length);
  });
  it('has every call with the roles that may make it; public calls are open to all, calls that need a key to no role', () => {
    expect(
      groups
        .flatMap((group) => group.rows)
        .filter((row) => row.call)
        .map((row) => [row.key, row.allowed]),
    ).toEqual([
      ['identity.users', ['Admin']],
      ['identity.login', ['Admin', 'User', 'ReadOnly']],
      ['usage.report', []],
    ]);
  });
  it.each([
    ['post', ['usage.report']],
    ['says USERS', ['identity.users']],
    ['nothing similar', []],
  ])('finds %j', (text, keys) => {
    expect(
      filtered(groups, text, (row) => row.call?.summary ?? '').flatMap((group) =>
        group.rows.map((row) => row.key),
      ),
    ).toEqual(keys);
  });
});
