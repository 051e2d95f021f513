// Contracts on past months: worked numbers, refused terms, and what holds for any months and terms.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { required } from '#kernel/assert.ts';
import { decimal, decimalText } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import { money, moneyText, type Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { monthPeriod } from '#kernel/time.ts';
import { planBills } from '#features/invoicing/billing/rules.ts';
import type { SinglePricing } from '#features/selling/catalogue/contract.ts';
import { usageOfEvents } from '#features/selling/rating/rules.ts';
import {
  monthParts,
  planTimes,
  type BillableSubscription,
  type PlanOf,
  type Timeline,
} from '#features/selling/subscriptions/rules.ts';
import { monthsFrom } from '#tests/support/arbitraries.ts';
import type { ContractToSimulate, ProposedCredit, ProposedTerms } from './contract-terms.ts';
import {
  contractMistakes,
  grown,
  newSimulation,
  outcomeOf,
  simulateMonth,
  type BilledMonth,
} from './rules-contract.ts';

const zone = 'Asia/Taipei';
const months = monthsFrom('2026-01', 6);
const twd = (minor: bigint | number): Money => money(BigInt(minor), 'TWD');
const startedAt = monthPeriod(required(months[0], 'a month'), zone).start;
const machine = 'svc_machine' as Id<'svc'>;
const storage = 'svc_storage' as Id<'svc'>;

/** A subscription that used so much in a month: NT$100 a month and NT$1 a unit unless told otherwise. */
function used(
  month: BillingMonth,
  quantity: string,
  serviceId: string = machine,
  pricing: SinglePricing = { model: 'per_unit', currency: 'TWD', baseFee: '100', unitPrice: '1' },
): BillableSubscription {
  const timeline: Timeline = {
    startedAt,
    endsAt: null,
    trialEndsAt: null,
    phases: [{ from: startedAt, serviceId, quantity: '1', yearAnchor: null }],
    pauses: [],
  };
  const planOf: PlanOf = () => ({
    id: serviceId,
    name: serviceId,
    billingCycle: 'monthly',
    proration: 'day',
    prices: [{ id: 'prv_1', effectiveFrom: new Date(0), pricing }],
  });
  const times = planTimes(monthParts(timeline, planOf, month, zone)).map((time) => ({
    ...time,
    unit: 'GB',
    quantity: decimal(quantity),
    events: 1n,
  }));
  return { subscriptionId: `sub_${serviceId}`, serviceName: serviceId, timeline, planOf, times };
}

type Used = readonly BillableSubscription[];
const nothing: ProposedTerms = { discounts: [], credits: [] };
function simulate(
  each: readonly Used[],
  terms: Partial<ProposedTerms>,
  { taxRate = '5', billed = [] }: { taxRate?: string; billed?: readonly (BilledMonth | undefined)[] } = {},
) {
  const proposed = { ...nothing, ...terms };
  let simulation = newSimulation({
    terms: proposed,
    order: proposed.discountOrder ?? 'as_listed',
    currency: 'TWD',
    zone,
    taxRate,
  });
  for (const [index, subscriptions] of each.entries())
    simulation = simulateMonth(simulation, {
      month: required(months[index], 'a month'),
      subscriptions,
      billed: billed[index],
    });
  return outcomeOf(simulation);
}
/** Months of the machine with so much usage each. */
const machineMonths = (...quantities: string[]): Used[] =>
  quantities.map((quantity, index) => [used(required(months[index], 'a month'), quantity)]);
const shown = ({ months: each }: ReturnType<typeof simulate>): string[] =>
  each.map(({ simulated: { net, tax, prepaid } }) => [net, tax, prepaid].map(moneyText).join(' '));
const credit = (more: Partial<ProposedCredit> = {}): ProposedCredit => ({
  kind: 'promotional',
  amount: twd(500),
  monthly: false,
  ...more,
});
const coursesOf = ({ credits }: ReturnType<typeof simulate>): string[] =>
  credits.map(({ given, used: gone, left, expired }) =>
    [given, gone, left, expired].map(moneyText).join(' '),
  );

describe('worked numbers: NT$100 a month and NT$1 a unit, 5 % tax', () => {
  const three = machineMonths('900', '100', '300');
  test.each<[string, Partial<ProposedTerms>, string[], string[]]>([
    ['nothing agreed', {}, ['1000 50 0', '200 10 0', '400 20 0'], []],
    ['20 % off', { discounts: [{ percent: '20' }] }, ['800 40 0', '160 8 0', '320 16 0'], []],
    [
      '20 % off, at most 100',
      { discounts: [{ percent: '20', maximum: twd(100) }] },
      ['900 45 0', '160 8 0', '320 16 0'],
      [],
    ],
    ['300 off a month', { discounts: [{ fixed: twd(300) }] }, ['700 35 0', '0 0 0', '100 5 0'], []],
    ['at least 500 a month', { minimumSpend: twd(500) }, ['1000 50 0', '500 25 0', '500 25 0'], []],
    [
      // 1,000 of the first month, then 150 of the second.
      'credit given once runs out',
      { credits: [credit({ amount: twd(1150) })] },
      ['0 0 0', '50 3 0', '400 20 0'],
      ['1150 1150 0 0'],
    ],
    [
      'monthly credit, what is left of a month expires',
      { credits: [credit({ amount: twd(300), monthly: true })] },
      ['700 35 0', '0 0 0', '100 5 0'],
      ['900 800 0 100'],
    ],
    [
      'monthly credit that rolls over',
      { credits: [credit({ amount: twd(300), monthly: true, rollover: true })] },
      ['700 35 0', '0 0 0', '0 0 0'],
      ['900 900 0 0'],
    ],
    [
      'prepaid credit pays the total with its tax, and stays with its rest',
      { credits: [credit({ kind: 'paid', amount: twd(2000) })] },
      ['1000 50 1050', '200 10 210', '400 20 420'],
      ['2000 1680 320 0'],
    ],
    [
      'usage alone',
      { credits: [credit({ amount: twd(950), usageOnly: true })] },
      ['100 5 0', '150 8 0', '400 20 0'],
      ['950 950 0 0'],
    ],
    [
      'the first credit before the second',
      { credits: [credit({ amount: twd(1100) }), credit({ amount: twd(200) })] },
      ['0 0 0', '0 0 0', '300 15 0'],
      ['1100 1100 0 0', '200 200 0 0'],
    ],
    ['10 % more usage', { growthPercent: '10' }, ['1090 55 0', '210 11 0', '430 22 0'], []],
    ['a tenth of the usage', { growthPercent: '-90' }, ['190 10 0', '110 6 0', '130 7 0'], []],
  ])('T-CONTRACT: %s', (_name, terms, expected, courses) => {
    const outcome = simulate(three, terms);
    expect(shown(outcome)).toEqual(expected);
    expect(coursesOf(outcome)).toEqual(courses);
  });

  test('T-CONTRACT: a month names what each kind of term made of it', () => {
    const outcome = simulate(three, {
      discounts: [{ percent: '10' }],
      minimumSpend: twd(300),
      credits: [credit({ amount: twd(50) }), credit({ kind: 'paid', amount: twd(10_000) })],
    });
    expect(outcome.months[1]).toEqual({
      month: months[1],
      billed: null,
      onlyBilled: twd(0),
      withoutTerms: { net: twd(200), tax: twd(10), total: twd(210) },
      // 200 − 20, up to 300; the credit of 50 was used up by the month before.
      simulated: {
        net: twd(300),
        discount: twd(20),
        promotional: twd(0),
        minimum: twd(120),
        tax: twd(15),
        total: twd(315),
        prepaid: twd(315),
      },
      difference: twd(315),
    });
    expect(outcome.months[0]?.simulated).toMatchObject({
      discount: twd(100),
      promotional: twd(50),
      net: twd(850),
    });
  });

  test('T-CONTRACT: discounts and credit for services leave the others alone', () => {
    const both = [[used(months[0] as BillingMonth, '900'), used(months[0] as BillingMonth, '400', storage)]];
    expect(shown(simulate(both, { discounts: [{ percent: '50', services: [storage] }] }))).toEqual([
      '1250 63 0',
    ]);
    expect(
      coursesOf(simulate(both, { credits: [credit({ amount: twd(2000), services: [storage] })] })),
    ).toEqual(['2000 500 1500 0']);
  });

  test('T-CONTRACT: the order of discounts is the one that was asked for', () => {
    const terms = { discounts: [{ fixed: twd(100) }, { percent: '10' }] };
    const one = machineMonths('900');
    expect(shown(simulate(one, terms))).toEqual(['810 41 0']);
    expect(shown(simulate(one, { ...terms, discountOrder: 'percent_first' }))).toEqual(['800 40 0']);
  });

  test('T-CONTRACT: a month is compared with its bill, at that bill’s tax rate', () => {
    const bill = (net: bigint, tax: bigint, taxRate: string, other = 0n): BilledMonth => ({
      taxRate,
      net: twd(net),
      tax: twd(tax),
      total: twd(net + tax),
      other: twd(other),
    });
    const outcome = simulate(
      machineMonths('900', '100'),
      { discounts: [{ percent: '10' }] },
      { billed: [bill(1200n, 120n, '10', 200n), undefined] },
    );
    expect(outcome.months.map(({ simulated, difference }) => [simulated.tax, difference])).toEqual([
      [twd(90), twd(990 - 1320)],
      [twd(9), twd(189)],
    ]);
    expect(outcome.sums).toMatchObject({
      billed: { net: twd(1200), tax: twd(120), total: twd(1320) },
      onlyBilled: twd(200),
      difference: twd(990 + 189 - 1320),
    });
    expect(simulate(machineMonths('1'), {}).sums.billed).toBeNull();
  });

  test('T-CONTRACT: what is priced in another currency is left out', () => {
    const dollars: SinglePricing = { model: 'flat', currency: 'USD', baseFee: '99' };
    const both = [
      [used(months[0] as BillingMonth, '900'), used(months[0] as BillingMonth, '0', storage, dollars)],
    ];
    expect(shown(simulate(both, {}))).toEqual(['1000 50 0']);
    const foreign = [[used(months[0] as BillingMonth, '0', storage, dollars)]];
    expect(shown(simulate(foreign, { credits: [credit()] }))).toEqual(['0 0 0']);
    expect(coursesOf(simulate(foreign, { credits: [credit()] }))).toEqual(['500 0 500 0']);
  });
});

describe('growth', () => {
  test('T-CONTRACT: every figure that a charge is priced by grows exactly; fees, events’ number and dimensions stay', () => {
    const subscription = used(months[0] as BillingMonth, '3');
    const usage = usageOfEvents({ aggregation: 'sum' }, [
      { value: decimal('0.1'), dimensions: { region: 'tpe' } },
      { value: decimal('0.2'), dimensions: { region: 'khh' } },
    ]);
    const [after] = grown(
      [
        {
          ...subscription,
          times: subscription.times.map((time) => ({
            ...time,
            charges: new Map([['traffic', { usage, unit: 'GB', events: 2n }]]),
          })),
        },
      ],
      '12.5',
    );
    const time = required(after?.times[0], 'a time');
    const charge = required(time.charges?.get('traffic'), 'the charge');
    expect(decimalText(time.quantity)).toBe('3.375');
    expect(decimalText(charge.usage.quantity)).toBe('0.3375');
    expect(charge.usage.cells.map(({ dimensions, quantity }) => [dimensions, decimalText(quantity)])).toEqual(
      [
        [{ region: 'tpe' }, '0.1125'],
        [{ region: 'khh' }, '0.225'],
      ],
    );
    expect(charge.usage.events.map(({ value }) => decimalText(value))).toEqual(['0.1125', '0.225']);
    expect([charge.events, time.events, after?.timeline]).toEqual([2n, 1n, subscription.timeline]);
  });
});

describe('what cannot be agreed', () => {
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
      'good terms of every kind',
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
      'a percentage of nothing, and more than everything',
      { discounts: [{ percent: '0' }, { percent: '100.01' }, { percent: '-5' }] },
      [0, 1, 2].map((index) => `terms.discounts.${index}.percent percent_out_of_range`),
    ],
    [
      'amounts of nothing',
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
      'more than an amount may be',
      { credits: [credit({ amount: twd(10n ** 12n) })] },
      ['terms.credits.0.amount amount_too_large'],
    ],
    [
      'a maximum of an amount',
      { discounts: [{ fixed: twd(5), maximum: twd(3) }] },
      ['terms.discounts.0.maximum maximum_of_percent'],
    ],
    [
      'prepaid credit every month',
      { credits: [credit({ kind: 'paid', monthly: true })] },
      ['terms.credits.0.monthly paid_recurs'],
    ],
    [
      'rollover of what is given once',
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
      'a charge of a service that the credit does not cover',
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
  ])('T-CONTRACT: %s', (_name, terms, expected) => {
    expect(
      contractMistakes(asked(terms)).map(({ field, code }) => `${field} ${code.replace('planning.', '')}`),
    ).toEqual(expected);
  });
});

const amounts = fc.bigInt(1n, 3000n).map(twd);
const services = fc.option(fc.constantFrom<Id<'svc'>[]>([machine], [storage], [machine, storage]), {
  nil: undefined,
});
const anyTerms: fc.Arbitrary<ProposedTerms> = fc.record({
  discounts: fc.array(
    fc.oneof(
      fc.record({ fixed: amounts, services }),
      fc.record({
        percent: fc.integer({ min: 1, max: 100 }).map(String),
        maximum: fc.option(amounts, { nil: undefined }),
        services,
      }),
    ),
    { maxLength: 3 },
  ),
  discountOrder: fc.constantFrom('as_listed', 'percent_first', 'best_only'),
  credits: fc.array(
    fc.record({
      kind: fc.constantFrom('paid', 'promotional'),
      amount: amounts,
      monthly: fc.boolean(),
      rollover: fc.boolean(),
      usageOnly: fc.boolean(),
      services,
    }),
    { maxLength: 4 },
  ),
  minimumSpend: fc.option(amounts, { nil: undefined }),
  growthPercent: fc.constantFrom('0', '-90', '12.5', '1000'),
});
const anyMonths: fc.Arbitrary<Used[]> = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 2000 }), fc.integer({ min: 0, max: 2000 })), {
    minLength: 1,
    maxLength: 6,
  })
  .map((each) =>
    each.map(([one, two], index) => {
      const month = required(months[index], 'a month');
      return [used(month, `${one}.5`), used(month, String(two), storage)];
    }),
  );

describe('any months and terms', () => {
  test('T-CONTRACT: on no terms and without growth, each month is the plan of its bill', () => {
    fc.assert(
      fc.property(anyMonths, (each) => {
        const outcome = simulate(each, {});
        for (const [index, { simulated, withoutTerms, month }] of outcome.months.entries()) {
          const [plan] = planBills(each[index] ?? [], month, zone, '5');
          const { net, tax, total } = simulated;
          expect({ net, tax, total }).toEqual({ net: plan?.net, tax: plan?.tax, total: plan?.total });
          expect(withoutTerms).toEqual({ net, tax, total });
        }
      }),
    );
  });

  test('T-CONTRACT: figures add up: within a month, months to sums, and credits to what the months used', () => {
    fc.assert(
      fc.property(anyMonths, anyTerms, (each, terms) => {
        const { months: simulated, sums, credits } = simulate(each, terms);
        for (const { withoutTerms, simulated: on, difference } of simulated) {
          expect(on.net.minor).toBe(
            withoutTerms.net.minor - on.discount.minor + on.minimum.minor - on.promotional.minor,
          );
          expect(on.total.minor).toBe(on.net.minor + on.tax.minor);
          expect(on.prepaid.minor <= on.total.minor).toBe(true);
          expect(difference).toEqual(on.total);
        }
        for (const key of ['net', 'discount', 'promotional', 'minimum', 'tax', 'total', 'prepaid'] as const)
          expect(sums.simulated[key].minor).toBe(
            simulated.reduce((sum, month) => sum + month.simulated[key].minor, 0n),
          );
        for (const key of ['net', 'tax', 'total'] as const)
          expect(sums.withoutTerms[key].minor).toBe(
            simulated.reduce((sum, month) => sum + month.withoutTerms[key].minor, 0n),
          );
        expect(credits.reduce((sum, { used: gone }) => sum + gone.minor, 0n)).toBe(
          sums.simulated.promotional.minor + sums.simulated.prepaid.minor,
        );
      }),
    );
  });

  test('T-CONTRACT: a credit never gives more than it has, and nothing of it is lost', () => {
    fc.assert(
      fc.property(anyMonths, anyTerms, (each, terms) => {
        const { credits } = simulate(each, terms);
        for (const [index, { given, used: gone, left, expired }] of credits.entries()) {
          const { amount, monthly, rollover } = required(terms.credits[index], 'the credit');
          expect(given.minor).toBe(monthly ? amount.minor * BigInt(each.length) : amount.minor);
          expect(given.minor).toBe(gone.minor + left.minor + expired.minor);
          for (const part of [gone, left, expired]) expect(part.minor >= 0n).toBe(true);
          expect(monthly && rollover !== true ? left.minor : expired.minor).toBe(0n);
        }
      }),
    );
  });
});
