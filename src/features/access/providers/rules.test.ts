import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { id } from '#kernel/shape.ts';
import { domainOf, mailDomain, repeatedGroup, roleOfGroups, rolesOf } from './rules.ts';

describe('T-SAML mailDomain', () => {
  test.each<[string, string | undefined]>([
    ['Example.COM', 'example.com'],
    [' @mail.example.com. ', 'mail.example.com'],
    ['xn--fiq228c.tw', 'xn--fiq228c.tw'],
    ['example', undefined],
    ['example.1', undefined],
    ['-a.example', undefined],
    ['a..example', undefined],
    ['a_b.example', undefined],
    ['me@example.com', undefined],
    [`${'a'.repeat(64)}.example`, undefined],
  ])('of %j is %j', (given, domain) => expect(mailDomain(given)).toBe(domain));
});

describe('T-SAML domainOf', () => {
  test.each<[string, string]>([
    ['mei@Harbour.example', 'harbour.example'],
    ['"a@b"@harbour.example', 'harbour.example'],
    ['mei@sub.harbour.example', 'sub.harbour.example'],
    ['nobody', ''],
    ['@harbour.example', ''],
  ])('of %j is %j', (address, domain) => expect(domainOf(address)).toBe(domain));
});

describe('T-SAML roleOfGroups', () => {
  const table = [
    { group: 'auditors', role: 'ReadOnly' },
    { group: 'users', role: 'User' },
  ] as const;
  test.each<[string, string[], 'User' | 'ReadOnly' | null, string | undefined]>([
    ['one group', ['auditors'], null, 'ReadOnly'],
    ['the strongest of two', ['auditors', 'users'], null, 'User'],
    ['none', [], null, undefined],
    ['none, with a default role', ['other'], 'ReadOnly', 'ReadOnly'],
    ['a default role does not override a group', ['auditors'], 'User', 'ReadOnly'],
    ['another spelling', ['Users'], null, undefined],
  ])('%s', (_name, groups, fallback, role) => expect(roleOfGroups(groups, table, fallback)?.role).toBe(role));
  test('prefers the full role to a custom role based on it, and the first of two custom roles', () => {
    const narrowed = (group: string, customRoleId: string) =>
      ({ group, role: 'User', customRoleId: z.parse(id('rol'), customRoleId) }) as const;
    const [first, second] = ['rol_01hzzzzzzzzzzzzzzzzzzzzzzz', 'rol_01hzzzzzzzzzzzzzzzzzzzzzzy'];
    const custom = [narrowed('clerks', first), narrowed('technicians', second), ...table];
    const given = (...groups: string[]) => roleOfGroups(groups, custom, null);
    expect(given('technicians', 'clerks')).toEqual({ role: 'User', customRoleId: first });
    expect(given('auditors', 'technicians')).toEqual({ role: 'User', customRoleId: second });
    expect(given('clerks', 'users')).toEqual({ role: 'User', customRoleId: null });
  });
  test('finds a group that is listed twice', () => {
    expect(repeatedGroup(table)).toBeUndefined();
    expect(repeatedGroup([...table, { group: 'users', role: 'ReadOnly' }])).toBe('users');
  });
  test('assigns Admin for the platform only', () => {
    expect([rolesOf(null), rolesOf('org_x')]).toEqual([['Admin'], ['User', 'ReadOnly']]);
  });
});
