import { describe, expect, test } from 'vitest';
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
  ])('%j is %j', (given, domain) => expect(mailDomain(given)).toBe(domain));
});

describe('T-SAML domainOf', () => {
  test.each<[string, string]>([
    ['mei@Harbour.example', 'harbour.example'],
    ['"a@b"@harbour.example', 'harbour.example'],
    ['mei@sub.harbour.example', 'sub.harbour.example'],
    ['nobody', ''],
    ['@harbour.example', ''],
  ])('%j has %j', (address, domain) => expect(domainOf(address)).toBe(domain));
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
    ['none, with a default', ['other'], 'ReadOnly', 'ReadOnly'],
    ['a default does not lift a group', ['auditors'], 'User', 'ReadOnly'],
    ['another spelling', ['Users'], null, undefined],
  ])('%s', (_name, groups, fallback, role) => expect(roleOfGroups(groups, table, fallback)).toBe(role));
  test('finds a group that stands twice', () => {
    expect(repeatedGroup(table)).toBeUndefined();
    expect(repeatedGroup([...table, { group: 'users', role: 'ReadOnly' }])).toBe('users');
  });
  test('gives Admin for the platform alone', () => {
    expect([rolesOf(null), rolesOf('org_x')]).toEqual([['Admin'], ['User', 'ReadOnly']]);
  });
});
