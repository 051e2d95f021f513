// The form of a discount: the request it makes, and its validation.
import { describe, expect, it } from 'vitest';
import { money } from '#kernel/money.ts';
import {
  emptyFields,
  limitsFields,
  newDiscountFields,
  newDiscountInput,
  typedTerms,
  type NewDiscountFields,
} from './discount-fields.ts';

const machine = {
  id: 'svc_1' as never,
  name: 'Machine',
  charges: [
    { key: 'hours', name: { zhTW: '時數', enUS: 'Hours' } },
    { key: 'ip', name: { zhTW: '位址', enUS: 'IP' } },
  ],
};
const filled = (more: Partial<NewDiscountFields> = {}): NewDiscountFields => ({
  ...emptyFields('TWD'),
  nameZh: '春季優惠',
  nameEn: 'Spring sale',
  ...more,
});
const faults = (more: Partial<NewDiscountFields>): string[] => {
  const read = newDiscountFields.safeParse(filled(more));
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
};

describe('T-DISC: the form of a new discount', () => {
  it('becomes a request, empty as it starts and with everything filled in', () => {
    expect(newDiscountInput(filled())).toEqual({
      name: { zhTW: '春季優惠', enUS: 'Spring sale' },
      reduction: { kind: 'percent', percent: '10' },
      maximum: null,
      duration: { kind: 'months', months: 3 },
      scope: null,
      code: null,
      redeemableUntil: null,
      maxRedemptions: null,
      maxPerOrganization: 1,
      audience: 'anyone',
      organizationIds: [],
    });
    expect(
      newDiscountInput(
        filled({
          percent: '12.5％',
          currency: 'USD',
          maximum: '1,500.50',
          duration: 'until',
          until: '2026-12-31',
          scope: [{ ...machine, keys: ['ip'] }],
          code: ' spring-26 ',
          redeemableUntil: '2026-11-30',
          maxRedemptions: '100',
          maxPerOrganization: '2',
          audience: 'named',
          organizations: [{ id: 'org_1' as never, name: 'One' }],
        }),
      ),
    ).toMatchObject({
      reduction: { kind: 'percent', percent: '12.5' },
      maximum: money(150_050n, 'USD'),
      duration: { kind: 'until', until: '2026-12-31' },
      scope: [{ serviceId: 'svc_1', chargeKeys: ['ip'] }],
      code: 'SPRING-26',
      redeemableUntil: '2026-11-30',
      maxRedemptions: 100,
      maxPerOrganization: 2,
      audience: 'named',
      organizationIds: ['org_1'],
    });
  });

  it('omits fields of another kind, audience or duration', () => {
    expect(
      newDiscountInput(
        filled({
          kind: 'fixed',
          amount: '300',
          maximum: '50',
          duration: 'once',
          until: '2026-12-31',
          audience: 'new',
          organizations: [{ id: 'org_1' as never, name: 'One' }],
        }),
      ),
    ).toMatchObject({
      reduction: { kind: 'fixed', amount: money(300n, 'TWD') },
      maximum: null,
      duration: { kind: 'once' },
      organizationIds: [],
    });
  });

  it.each<[string, Partial<NewDiscountFields>, string[]]>([
    ['nothing', {}, []],
    ['a percentage of zero', { percent: '0' }, ['percent discounts.percent_out_of_range?digits=4']],
    ['no percentage', { percent: 'ten' }, ['percent discounts.percent_out_of_range?digits=4']],
    ['an invalid percentage in an unused field', { kind: 'fixed', amount: '5', percent: '0' }, []],
    ['half a Taiwan dollar', { kind: 'fixed', amount: '0.5' }, ['amount discounts.amount_not_positive']],
    ['a maximum of zero', { maximum: '0' }, ['maximum discounts.amount_not_positive']],
    ['too many months', { months: '121' }, ['months discounts.whole_number?most=120']],
    ['no last day', { duration: 'until' }, ['until form.required']],
    ['a code with a space', { code: 'two words' }, ['code discounts.code_wrong']],
    [
      'a fractional number of uses',
      { maxRedemptions: '1.5' },
      ['maxRedemptions discounts.whole_number?most=1000000'],
    ],
    ['nobody named', { audience: 'named' }, ['organizations discounts.organizations_needed']],
  ])('%s is reported at its field', (_name, more, expected) => {
    expect(faults(more)).toEqual(expected);
  });

  it('shows the terms as soon as they are complete', () => {
    expect(typedTerms(filled({ percent: '' }))).toBeUndefined();
    expect(typedTerms(filled({ duration: 'until' }))).toBeUndefined();
    expect(typedTerms(filled({ scope: [{ ...machine, keys: ['ip'] }] }))?.scope).toEqual([
      {
        serviceId: 'svc_1',
        serviceName: 'Machine',
        chargeKeys: ['ip'],
        charges: [{ key: 'ip', name: { zhTW: '位址', enUS: 'IP' } }],
      },
    ]);
  });

  it('validates later changes in the same way', () => {
    const { nameZh, nameEn, redeemableUntil, maxRedemptions, maxPerOrganization, audience, organizations } =
      filled({ maxPerOrganization: '0' });
    const read = limitsFields.safeParse({
      nameZh,
      nameEn,
      redeemableUntil,
      maxRedemptions,
      maxPerOrganization,
      audience,
      organizations,
    });
    expect(read.success || read.error.issues.map(({ path }) => path.join('.'))).toEqual([
      'maxPerOrganization',
    ]);
  });
});
