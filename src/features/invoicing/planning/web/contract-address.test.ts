// The simulator’s form survives a round trip through the address, and any other address is an empty form.
import { describe, expect, test } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import { readAddress, writeAddress, type Names } from './contract-address.ts';
import {
  contractFields,
  contractInput,
  emptyCommitment,
  emptyContract,
  emptyCredit,
  emptyDiscount,
  type ContractFields,
} from './contract-fields.ts';

const organization = { id: `org_${'0'.repeat(26)}` as Id<'org'>, name: '甲公司' };
const storage = { id: `svc_${'0'.repeat(26)}` as Id<'svc'>, name: '物件儲存' };
const disk = { serviceId: storage.id, chargeKey: 'disk' };
const gone = `svc_${'1'.repeat(26)}` as Id<'svc'>;
/** Of a service that is no longer selected. */
const ofGone = { serviceId: gone, chargeKey: 'disk' };
const names: Names = {
  organization: (id) => (id === organization.id ? organization.name : undefined),
  service: (id) => (id === storage.id ? storage.name : undefined),
};
const whole: ContractFields = {
  organization,
  months: '12',
  currency: 'USD',
  discounts: [
    { ...emptyDiscount, percent: '12.5', maximum: '1,000.50', services: [storage] },
    { ...emptyDiscount, kind: 'fixed', amount: '30' },
  ],
  discountOrder: 'best_only',
  commitments: [
    {
      ...emptyCommitment,
      period: 'contract',
      amounts: '9,000.50',
      usageOnly: true,
      services: [storage],
      charges: [disk, ofGone],
    },
    {
      ...emptyCommitment,
      amounts: '100\n\n 200 \n300\n400',
      committedPercent: '80.50',
      overagePercent: '120',
    },
  ],
  credits: [
    {
      ...emptyCredit,
      amount: '500',
      recurring: 'rollover',
      usageOnly: true,
      services: [storage],
      charges: [disk, ofGone],
    },
    { ...emptyCredit, kind: 'paid', amount: '20', recurring: 'monthly' },
  ],
  minimumSpend: '99.99',
  growth: '+20',
};
const read = (params: URLSearchParams) => readAddress(params, 'TWD').fields(names);

describe('the simulator’s address', () => {
  test.each<[string, ContractFields]>([
    ['whole', whole],
    ['empty', emptyContract('TWD')],
    ['incomplete', { ...emptyContract('TWD'), organization, discounts: [emptyDiscount], growth: '-' }],
  ])('T-CONTRACT: keeps a form that is %s', (_name, fields) => {
    expect(read(new URLSearchParams(writeAddress(new URLSearchParams(), fields).toString()))).toEqual(fields);
  });

  test('T-CONTRACT: keeps other parameters, and names nobody', () => {
    const written = writeAddress(new URLSearchParams('bill=1'), whole);
    expect(written.get('bill')).toBe('1');
    expect(written.toString()).not.toContain(encodeURIComponent('甲公司'));
    expect(writeAddress(written, emptyContract('TWD')).toString()).toBe('bill=1&months=6&currency=TWD');
  });

  test('T-CONTRACT: omits a deleted service and organization', () => {
    const params = writeAddress(new URLSearchParams(), {
      ...whole,
      organization: { id: `org_${'1'.repeat(26)}` as Id<'org'>, name: '' },
      credits: [{ ...emptyCredit, services: [{ id: gone, name: '' }, storage] }],
    });
    expect(readAddress(params, 'TWD').serviceIds).toEqual([storage.id, gone]);
    expect(read(params)).toMatchObject({ organization: null, credits: [{ services: [storage] }] });
  });

  test.each([
    'terms=%7B',
    'terms=%5B1%5D',
    'terms=%7B%22discounts%22%3A%5B%7B%22kind%22%3A%22x%22%7D%5D%7D',
    'organization=org_1&months=2&currency=XXX',
  ])('T-CONTRACT: %s is an empty form', (text) => {
    expect(read(new URLSearchParams(text))).toEqual(emptyContract('TWD'));
  });
});

describe('the simulator’s request', () => {
  test('T-CONTRACT: has each term as typed', () => {
    const usd = (minor: bigint) => money(minor, 'USD');
    expect(contractInput(whole)).toEqual({
      organizationId: organization.id,
      months: 12,
      currency: 'USD',
      terms: {
        discounts: [
          { percent: '12.5', maximum: usd(100_050n), services: [storage.id] },
          { fixed: usd(3000n) },
        ],
        discountOrder: 'best_only',
        commitments: [
          {
            period: 'contract',
            amounts: [usd(900_050n)],
            usageOnly: true,
            services: [storage.id],
            charges: [disk],
          },
          {
            period: 'quarter',
            amounts: [usd(10_000n), usd(20_000n), usd(30_000n), usd(40_000n)],
            committedPercent: '80.5',
            overagePercent: '120',
          },
        ],
        credits: [
          {
            kind: 'promotional',
            amount: usd(50_000n),
            monthly: true,
            rollover: true,
            usageOnly: true,
            services: [storage.id],
            charges: [disk],
          },
          // Prepaid credit is bought once, whatever was selected while it was promotional.
          { kind: 'paid', amount: usd(2000n), monthly: false },
        ],
        minimumSpend: usd(9999n),
        growthPercent: '20',
      },
    });
    expect(contractInput({ ...emptyContract('TWD'), organization }).terms).toEqual({
      discounts: [],
      credits: [],
    });
  });

  test.each<[Partial<ContractFields>, string[]]>([
    [{}, []],
    [{ organization: null }, ['organization planning.organization_missing']],
    [
      {
        discounts: [emptyDiscount, { ...emptyDiscount, percent: '101' }, { ...emptyDiscount, percent: 'x' }],
      },
      [
        'discounts.0.percent form.required',
        'discounts.1.percent planning.percent_out_of_range?digits=4',
        'discounts.2.percent planning.percent_out_of_range?digits=4',
      ],
    ],
    [
      {
        currency: 'TWD',
        discounts: [
          { ...emptyDiscount, percent: '5', maximum: '1.5' },
          { ...emptyDiscount, kind: 'fixed' },
        ],
      },
      ['discounts.0.maximum planning.amount_wrong', 'discounts.1.amount form.required'],
    ],
    [{ credits: [{ ...emptyCredit, amount: '0' }] }, ['credits.0.amount planning.amount_wrong']],
    [
      {
        months: '4',
        commitments: [
          emptyCommitment,
          { ...emptyCommitment, amounts: '5\nx' },
          { ...emptyCommitment, amounts: '5\n6\n7' },
          { ...emptyCommitment, amounts: '5\n6' },
          { ...emptyCommitment, amounts: '5', committedPercent: '100.1', overagePercent: '' },
          { ...emptyCommitment, period: 'month', amounts: '5', overagePercent: '1000.00001' },
        ],
      },
      [
        'commitments.0.amounts form.required',
        'commitments.1.amounts planning.amount_wrong',
        'commitments.2.amounts commitments.amounts_wrong_number?count=2',
        'commitments.4.committedPercent commitments.percent_out_of_range?max=100&digits=4',
        'commitments.4.overagePercent commitments.percent_out_of_range?max=1000&digits=4',
        'commitments.5.overagePercent commitments.percent_out_of_range?max=1000&digits=4',
      ],
    ],
    [{ minimumSpend: '-5' }, ['minimumSpend planning.amount_wrong']],
    [{ growth: '1001' }, ['growth planning.growth_out_of_range?least=-90&most=1000']],
    [{ growth: '-90.0001' }, ['growth planning.growth_out_of_range?least=-90&most=1000']],
  ])('T-CONTRACT: reports errors of %j', (more, expected) => {
    const { success, error } = contractFields.safeParse({ ...emptyContract('TWD'), organization, ...more });
    expect(success).toBe(expected.length === 0);
    expect(error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? []).toEqual(expected);
  });
});
