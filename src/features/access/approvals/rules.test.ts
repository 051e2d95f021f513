import { describe, expect, it } from 'vitest';
import type { Permission } from '#kernel/permissions.ts';
import {
  isSecret,
  longestValue,
  mayDecide,
  mostFields,
  mostNames,
  readableFields,
  secretFields,
} from './rules.ts';

describe('T-APPROVALS: a readable input', () => {
  it.each([
    [{ billId: 'bil_1', reason: 'Twice' }, ['billId=bil_1', 'reason=Twice']],
    [{ amount: { amount: '12.50', currency: 'USD' } }, ['amount=USD 12.50']],
    [
      { pricing: { model: 'flat', tiers: [{ upTo: null, unitPrice: '1' }] } },
      ['pricing.model=flat', 'pricing.tiers.1.unitPrice=1'],
    ],
    [{ chosen: ['refund', 'prices'], note: '', left: null }, ['chosen=refund, prices']],
    [{ isOn: false, days: 0 }, ['isOn=false', 'days=0']],
    [
      { oidc: { clientId: 'a', clientSecret: 'b' }, password: 'c' },
      ['oidc.clientId=a', 'oidc.clientSecret=null', 'password=null'],
    ],
  ])('%j', (input, shown) => {
    expect(readableFields(input).map(({ path, value }) => `${path}=${value}`)).toEqual(shown);
  });

  it('truncates long values, and counts many', () => {
    const [long] = readableFields({ text: 'x'.repeat(longestValue + 1) });
    expect(long?.value).toBe(`${'x'.repeat(longestValue)}…`);
    const many = readableFields(
      Object.fromEntries(Array.from({ length: mostFields + 5 }, (_, at) => [`f${at}`, at])),
    );
    expect([many.length, many.at(-1)]).toEqual([mostFields + 1, { path: '…', value: '+5' }]);
  });

  it('names ids whose names are known, alone and in lists, and counts the rest of a long list', () => {
    const names = new Map([
      ['usr_1', 'Ann'],
      ['org_1', 'Acme'],
    ]);
    expect(
      readableFields({ ids: ['usr_1', 'usr_2'], to: { organizationId: 'org_1' }, role: 'User' }, [], names),
    ).toEqual([
      { path: 'ids', value: 'usr_1, usr_2', names: ['Ann', 'usr_2'] },
      { path: 'to.organizationId', value: 'org_1', names: ['Acme'] },
      { path: 'role', value: 'User' },
    ]);
    const [long] = readableFields({ ids: Array.from({ length: mostNames + 7 }, () => 'usr_1') }, [], names);
    expect([long?.names?.length, long?.names?.at(-1)]).toEqual([mostNames + 1, '+7']);
    // A secret stays hidden, whatever it is.
    expect(readableFields({ apiKey: 'usr_1' }, [], names)).toEqual([{ path: 'apiKey', value: null }]);
  });

  it.each([
    'password',
    'newPassword',
    'secret',
    'clientSecret',
    'accessToken',
    'key',
    'privateKey',
    'signingCertificate',
  ])('hides the value of %s', (name) => expect(isSecret(name)).toBe(true));
  it.each(['keyId', 'name', 'monkeys', 'billId'])('shows the value of %s', (name) =>
    expect(isSecret(name)).toBe(false),
  );

  it('shows the secrets of a response to the requester', () => {
    expect(secretFields({ key: { id: 'k' }, secret: 's', link: null }, ['secret', 'link'])).toEqual([
      { path: 'secret', value: 's' },
    ]);
  });
});

describe('T-APPROVALS: who may decide', () => {
  const role = (...permissions: Permission[]) => ({ permissions });
  const waiting = { requestedBy: 'a', state: 'waiting' } as const;
  it.each([
    ['another Admin', { userId: 'b', customRole: null }, waiting, true],
    ['the requester', { userId: 'a', customRole: null }, waiting, false],
    ['a key of another person', { userId: 'b', customRole: null, key: {} }, waiting, false],
    ['a key of the requester', { userId: 'a', customRole: null, key: {} }, waiting, false],
    ['an Admin who views as another', { userId: 'b', customRole: null, viewing: {} }, waiting, false],
    ['a role that may approve', { userId: 'b', customRole: role('approvals:write') }, waiting, true],
    [
      'a role that may only read',
      { userId: 'b', customRole: role('approvals:read', 'billing:write') },
      waiting,
      false,
    ],
    [
      'another Admin, too late',
      { userId: 'b', customRole: null },
      { ...waiting, state: 'expired' as const },
      false,
    ],
  ])('%s', (_who, who, request, may) => expect(mayDecide(who, request)).toBe(may));
});
