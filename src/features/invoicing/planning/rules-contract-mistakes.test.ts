// Which terms of a contract cannot be simulated, and at which fields this is reported.
import { describe, expect, test } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { money, type Money } from '#kernel/money.ts';
import type { ContractToSimulate, ProposedCredit, ProposedTerms } from './contract-terms.ts';
import { contractMistakes } from './rules-contract-mistakes.ts';

const twd = (minor: bigint | number): Money => money(BigInt(minor), 'TWD');
const machine = 'svc_machine' as Id<'svc'>;
const nothing: ProposedTerms = { discounts: [], credits: [] };
const credit = (more: Partial<ProposedCredit> = {}): ProposedCredit => ({
  kind: 'promotional',
  amount: twd(500),
  monthly: false,
  ...more,
});

describe('impossible contracts', () => {
  const asked = (terms: Partial<ProposedTerms>): ContractToSimulate => ({
    organizationId: 'org_1' as Id<'org'>,
    months: 3,
    currency: 'TWD',
    terms: { ...nothing, ...terms },
  });
  const usd = money(100n, 'USD');
  test.each<[string, Partial<ProposedTerms>, string[]]>([
    ['nothing', {}, []],
    [
      'valid terms of every kind',
      {
        discounts: [
          { percent: '12.3456', maximum: twd(1) },
          { fixed: twd(1), services: [machine] },
        ],
        credits: [
          credit({ monthly: true, rollover: true, services: [machine] }),
          credit({ kind: 'paid', rollover: false }),
        ],
        minimumSpend: twd(1),
        growthPercent: '1000',
      },
      [],
    ],
    ['no reduction', { discounts: [{}] }, ['terms.discounts.0 discount_unclear']],
    [
      'two reductions in one',
      { discounts: [{ percent: '5' }, { percent: '5', fixed: twd(1) }] },
      ['terms.discounts.1 discount_unclear'],
    ],
    [
      'a percentage of zero, and above 100',
      { discounts: [{ percent: '0' }, { percent: '100.01' }, { percent: '-5' }] },
      [0, 1, 2].map((index) => `terms.discounts.${index}.percent percent_out_of_range`),
    ],
    [
      'amounts of zero',
      {
        discounts: [{ fixed: twd(0) }, { percent: '5', maximum: twd(-1) }],
        credits: [credit({ amount: twd(0) })],
        minimumSpend: twd(0),
      },
      [
        'terms.discounts.0.fixed amount_not_positive',
        'terms.discounts.1.maximum amount_not_positive',
        'terms.credits.0.amount amount_not_positive',
        'terms.minimumSpend amount_not_positive',
      ],
    ],
    [
      'amounts in another currency',
      {
        discounts: [{ fixed: usd }, { percent: '5', maximum: usd }],
        credits: [credit({ amount: usd })],
        minimumSpend: usd,
      },
      [
        'terms.discounts.0.fixed currency_differs',
        'terms.discounts.1.maximum currency_differs',
        'terms.credits.0.amount currency_differs',
        'terms.minimumSpend currency_differs',
      ],
    ],
    [
      'amounts above the maximum',
      { credits: [credit({ amount: twd(10n ** 12n) })] },
      ['terms.credits.0.amount amount_too_large'],
    ],
    [
      'a maximum for a fixed amount',
      { discounts: [{ fixed: twd(5), maximum: twd(3) }] },
      ['terms.discounts.0.maximum maximum_of_percent'],
    ],
    [
      'monthly prepaid credit',
      { credits: [credit({ kind: 'paid', monthly: true })] },
      ['terms.credits.0.monthly paid_recurs'],
    ],
    [
      'rollover of one-time credit',
      { credits: [credit({ rollover: true })] },
      ['terms.credits.0.rollover rollover_of_monthly'],
    ],
    [
      'no services at all',
      { discounts: [{ percent: '5', services: [] }], credits: [credit({ services: [] })] },
      ['terms.discounts.0.services services_missing', 'terms.credits.0.services services_missing'],
    ],
    [
      'too many of anything',
      { discounts: Array.from({ length: 21 }, () => ({ percent: '0' })) },
      ['terms.discounts too_many_entries'],
    ],
    [
      'too many services',
      { credits: [credit({ services: Array.from({ length: 51 }, () => machine) })] },
      ['terms.credits.0.services too_many_entries'],
    ],
    [
      'no charges at all',
      { credits: [credit({ charges: [] })] },
      ['terms.credits.0.charges charges_missing'],
    ],
    [
      'too many charges',
      {
        credits: [
          credit({
            charges: Array.from({ length: 101 }, (_, index) => ({
              serviceId: machine,
              chargeKey: `c${index}`,
            })),
          }),
        ],
      },
      ['terms.credits.0.charges too_many_entries'],
    ],
    [
      'a charge of a service outside the commitment',
      {
        commitments: [
          {
            period: 'month',
            amounts: [twd(100)],
            services: [machine],
            charges: [{ serviceId: `svc_${'9'.repeat(26)}` as typeof machine, chargeKey: 'hours' }],
          },
        ],
      },
      ['terms.commitments.0.charges charge_of_other_service'],
    ],
    [
      'a charge of a service outside the credit',
      {
        credits: [
          credit({
            services: [machine],
            charges: [{ serviceId: `svc_${'9'.repeat(26)}` as typeof machine, chargeKey: 'hours' }],
          }),
        ],
      },
      ['terms.credits.0.charges charge_of_other_service'],
    ],
    [
      'less than a tenth of the usage',
      { growthPercent: '-90.0001' },
      ['terms.growthPercent growth_out_of_range'],
    ],
    [
      'more than eleven times the usage',
      { growthPercent: '1000.1' },
      ['terms.growthPercent growth_out_of_range'],
    ],
    [
      'good commitments',
      {
        commitments: [
          {
            period: 'month',
            amounts: [twd(1), twd(2), twd(3)],
            committedPercent: '80.5',
            overagePercent: '1000',
          },
          { period: 'year', amounts: [twd(1)], usageOnly: true, services: [machine] },
        ],
      },
      [],
    ],
    [
      'commitments to zero, at impossible rates',
      {
        commitments: [
          { period: 'quarter', amounts: [twd(0)], committedPercent: '100.1', overagePercent: '0' },
          {
            period: 'contract',
            amounts: [twd(10n ** 12n)],
            committedPercent: '-5',
            overagePercent: '1000.1',
          },
        ],
      },
      [
        'terms.commitments.0.amounts.0 commitments.amount_not_positive',
        'terms.commitments.0.committedPercent commitments.percent_out_of_range',
        'terms.commitments.0.overagePercent commitments.percent_out_of_range',
        'terms.commitments.1.amounts.0 commitments.amount_too_large',
        'terms.commitments.1.committedPercent commitments.percent_out_of_range',
        'terms.commitments.1.overagePercent commitments.percent_out_of_range',
      ],
    ],
    [
      'another number of amounts than periods',
      {
        commitments: [
          { period: 'month', amounts: [twd(1), twd(2)] },
          { period: 'quarter', amounts: [twd(1), twd(2)] },
          { period: 'contract', amounts: [] },
        ],
      },
      [0, 1, 2].map((index) => `terms.commitments.${index}.amounts commitments.amounts_wrong_number`),
    ],
    [
      'a commitment in another currency, or with an amount in one',
      {
        commitments: [
          { period: 'year', amounts: [usd] },
          { period: 'month', amounts: [twd(1), usd, twd(1)] },
        ],
      },
      ['terms.commitments.0.amounts.0 currency_differs', 'terms.commitments.1.amounts.1 currency_differs'],
    ],
    [
      'a commitment for no services',
      { commitments: [{ period: 'year', amounts: [twd(1)], services: [] }] },
      ['terms.commitments.0.services services_missing'],
    ],
    [
      'too many commitments',
      { commitments: Array.from({ length: 6 }, () => ({ period: 'year' as const, amounts: [twd(1)] })) },
      ['terms.commitments too_many_entries'],
    ],
  ])('T-CONTRACT: %s', (_name, terms, expected) => {
    expect(
      contractMistakes(asked(terms)).map(({ field, code }) => `${field} ${code.replace('planning.', '')}`),
    ).toEqual(expected);
  });
});
