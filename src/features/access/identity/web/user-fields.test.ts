import { describe, expect, it } from 'vitest';
import { problemsOf } from '#platform/web/form/test-problems.ts';
import { changedUserFields, newUserFields } from './user-fields.ts';

const organization = { id: 'org_01m7w07hp93dt0q1m11wh7h773', name: 'Atlas' };
const good = {
  name: 'Billing contact',
  account: 'Yi@Example.com',
  phone: '',
  role: 'User',
  organization,
  passwordWay: 'generated',
  password: '',
};
const problems = (change: object) => {
  return problemsOf(newUserFields, { ...good, ...change }) ?? 'fine';
};

describe('R-ADM-02 the form of a new user', () => {
  it.each<[string, object, unknown]>([
    ['everything there', {}, 'fine'],
    [
      'a User without an organization',
      { organization: null },
      { organization: 'identity.organization_required' },
    ],
    ['an Admin without an organization', { role: 'Admin', organization: null }, 'fine'],
    [
      'no name and no account',
      { name: ' ', account: '' },
      { name: 'form.required', account: 'form.required' },
    ],
    [
      'a short password',
      { passwordWay: 'own', password: 'short' },
      { password: 'identity.password_too_short?minimum=12' },
    ],
    ['a short but unused password', { password: 'short' }, 'fine'],
  ])('%s', (_what, change, expected) => expect(problems(change)).toEqual(expected));
});

it('R-AUTH-20 a changed User keeps an organization', () => {
  const { name, phone, role } = good;
  expect(problemsOf(changedUserFields, { name, phone, role, organization: null, status: 'active' })).toEqual({
    organization: 'identity.organization_required',
  });
});
