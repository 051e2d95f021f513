// The form of a one-off: its validation, and what it sends.
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { money } from '#kernel/money.ts';
import { amountOf, oneOffFields, requestOf, type OneOffFields } from './one-off-form.ts';

const organization = {
  id: `org_${'0'.repeat(26)}` as NonNullable<OneOffFields['organization']>['id'],
  name: 'A',
};
const fields: OneOffFields = {
  organization,
  subscriptionId: '',
  kind: 'charge',
  name: { zhTW: '設定費', enUS: 'Set-up' },
  quantity: '1',
  unitPrice: '1000',
  currency: 'TWD',
  chargeOn: '',
  billing: 'next_bill',
  note: '',
};
const problems = (more: Partial<OneOffFields>) => {
  const read = z.safeParse(oneOffFields, { ...fields, ...more });
  return read.success
    ? []
    : read.error.issues.map((each) => `${each.path.join('.')}: ${each.message.split('?')[0]}`);
};

describe('T-ONEOFF: the form', () => {
  it.each<[Partial<OneOffFields>, string[]]>([
    [{}, []],
    [{ quantity: '1,000.5', unitPrice: ' 2,000 ' }, []],
    [{ quantity: '0' }, ['quantity: oneoffs.quantity_wrong']],
    [{ unitPrice: '-1' }, ['unitPrice: oneoffs.price_wrong']],
    [{ unitPrice: '0.4' }, ['unitPrice: oneoffs.amount_zero']],
    [{ quantity: '999999', unitPrice: '999999999999' }, ['unitPrice: oneoffs.amount_too_large']],
    [{ chargeOn: '2026-02-30' }, ['chargeOn: form.invalid']],
    [{ organization: null }, ['organization: form.required']],
  ])('%j: %j', (more, expected) => {
    expect(problems(more)).toEqual(expected);
  });

  it('shows the billed amount, and none while there is none', () => {
    expect(amountOf({ ...fields, quantity: '2.5', unitPrice: '2,499.8' })).toEqual(money(6250n, 'TWD'));
    expect(amountOf({ ...fields, kind: 'credit' })).toEqual(money(-1000n, 'TWD'));
    expect(amountOf({ ...fields, unitPrice: '' })).toBeUndefined();
  });

  it('sends input without separators, and no day for today', () => {
    expect(requestOf({ ...fields, organization, quantity: '1,000', unitPrice: ' 2.50 ' })).toEqual({
      organizationId: organization.id,
      subscriptionId: null,
      kind: 'charge',
      name: fields.name,
      quantity: '1000',
      unitPrice: '2.50',
      currency: 'TWD',
      billing: 'next_bill',
      note: '',
    });
    expect(requestOf({ ...fields, organization, chargeOn: '2026-11-30' }).chargeOn).toBe('2026-11-30');
  });
});
