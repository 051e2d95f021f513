// Contracts on past months: worked examples, rejected terms, and properties for any months and terms.
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
import type { ProposedCommitment, ProposedCredit, ProposedTerms } from './contract-terms.ts';
import { grown, newSimulation, outcomeOf, simulateMonth, type BilledMonth } from './rules-contract.ts';

const zone = 'Asia/Taipei';
const months = monthsFrom('2026-01', 6);
const twd = (minor: bigint | number): Money => money(BigInt(minor), 'TWD');
const startedAt = monthPeriod(required(months[0], 'a month'), zone).start;
const machine = 'svc_machine' as Id<'svc'>;
const storage = 'svc_storage' as Id<'svc'>;

/** A subscription with this usage in a month: NT$100 a month and NT$1 a unit by default. */
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
    lastMonth: required(months[each.length - 1], 'the last month'),
  });
  for (const [index, subscriptions] of each.entries())
    simulation = simulateMonth(simulation, {
      month: required(months[index], 'a month'),
      subscriptions,
      billed: billed[index],
    });
  return outcomeOf(simulation);
}
/** Months of the machine with this usage each. */
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

describe('worked examples: NT$100 a month and NT$1 a unit, 5 % tax', () => {
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
      'monthly credit whose rest expires',
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
      'prepaid credit pays the total with tax, and keeps its rest',
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

  test('T-CONTRACT: a month shows the effect of each kind of term', () => {
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
      // 200 − 20, up to 300; the credit of 50 was used up by the previous month.
      simulated: {
        net: twd(300),
        discount: twd(20),
        promotional: twd(0),
        commitment: twd(0),
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

  test('T-CONTRACT: discounts and credit for services do not affect the others', () => {
    const both = [[used(months[0] as BillingMonth, '900'), used(months[0] as BillingMonth, '400', storage)]];
    expect(shown(simulate(both, { discounts: [{ percent: '50', services: [storage] }] }))).toEqual([
      '1250 63 0',
    ]);
    expect(
      coursesOf(simulate(both, { credits: [credit({ amount: twd(2000), services: [storage] })] })),
    ).toEqual(['2000 500 1500 0']);
  });

  test('T-CONTRACT: discounts apply in the requested order', () => {
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

  test('T-CONTRACT: prices in another currency are excluded', () => {
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

describe('commitments: NT$100 a month and NT$1 a unit, 5 % tax', () => {
  const three = machineMonths('900', '100', '300');
  const commitment = (more: Partial<ProposedCommitment> = {}): ProposedCommitment => ({
    period: 'month',
    amounts: [twd(500)],
    ...more,
  });
  const periodsOf = ({ commitments }: ReturnType<typeof simulate>): string[] =>
    commitments.flatMap(({ periods }) =>
      periods.map(({ firstMonth, lastMonth, amount, used: drawn, trueUp, isSettled, missing }) =>
        [
          `${firstMonth.slice(5)}-${lastMonth.slice(5)}`,
          ...[amount, drawn, trueUp, missing].map(moneyText),
          isSettled ? 'settled' : 'open',
        ].join(' '),
      ),
    );
  const commit = (...commitments: ProposedCommitment[]): Partial<ProposedTerms> => ({ commitments });
  test.each<[string, Partial<ProposedTerms>, string[], string[], Used[]?]>([
    [
      'a month’s shortfall is charged with it',
      commit(commitment()),
      ['1000 50 0', '500 25 0', '500 25 0'],
      ['01-01 500 500 0 0 settled', '02-02 500 200 300 0 settled', '03-03 500 400 100 0 settled'],
    ],
    [
      'an amount for each month',
      commit(commitment({ amounts: [twd(1200), twd(100), twd(500)] })),
      ['1200 60 0', '200 10 0', '500 25 0'],
      ['01-01 1200 1000 200 0 settled', '02-02 100 100 0 0 settled', '03-03 500 400 100 0 settled'],
    ],
    [
      'months of a quarter use one amount',
      commit(commitment({ period: 'quarter', amounts: [twd(2000)] })),
      ['1000 50 0', '200 10 0', '800 40 0'],
      ['01-03 2000 1600 400 0 settled'],
    ],
    [
      // 800, then 160; of the last 400 a price of 50 is 40 at 80 %, and 350 are 315 at 90 %.
      'rates until the amount of all months is used up, and beyond it',
      commit(
        commitment({
          period: 'contract',
          amounts: [twd(1000)],
          committedPercent: '80',
          overagePercent: '90',
        }),
      ),
      ['800 40 0', '160 8 0', '355 18 0'],
      ['01-03 1000 1000 0 0 settled'],
    ],
    [
      'a year that is not over is not settled',
      commit(commitment({ period: 'year', amounts: [twd(3000)] })),
      ['1000 50 0', '200 10 0', '400 20 0'],
      ['01-12 3000 1600 0 1400 open'],
    ],
    [
      'a used-up open period has no shortfall',
      commit(commitment({ period: 'year', amounts: [twd(1500)] })),
      ['1000 50 0', '200 10 0', '400 20 0'],
      ['01-12 1500 1500 0 0 open'],
    ],
    [
      'a settled quarter, and an open one',
      commit(commitment({ period: 'quarter', amounts: [twd(2000), twd(5000)] })),
      ['1000 50 0', '200 10 0', '800 40 0', '800 40 0'],
      ['01-03 2000 1600 400 0 settled', '04-06 5000 800 0 4200 open'],
      machineMonths('900', '100', '300', '700'),
    ],
    [
      'usage alone',
      commit(commitment({ period: 'quarter', amounts: [twd(1500)], usageOnly: true })),
      ['1000 50 0', '200 10 0', '600 30 0'],
      ['01-03 1500 1300 200 0 settled'],
    ],
    [
      'the one for named services comes first, and leaves nothing to the other',
      commit(commitment({ amounts: [twd(100)] }), commitment({ amounts: [twd(300)], services: [machine] })),
      ['1100 55 0', '400 20 0', '500 25 0'],
      [
        '01-01 100 0 100 0 settled',
        '02-02 100 0 100 0 settled',
        '03-03 100 0 100 0 settled',
        '01-01 300 300 0 0 settled',
        '02-02 300 200 100 0 settled',
        '03-03 300 300 0 0 settled',
      ],
    ],
    [
      'discounts apply before, a minimum and credit after it',
      {
        ...commit(commitment()),
        discounts: [{ percent: '10' }],
        minimumSpend: twd(600),
        credits: [credit({ amount: twd(1000) })],
      },
      // 1,000 − 100 of credit’s 1,000; 200 − 20 + 320 + 100 − 100; 400 − 40 + 140 + 100.
      ['0 0 0', '500 25 0', '600 30 0'],
      ['01-01 500 500 0 0 settled', '02-02 500 180 320 0 settled', '03-03 500 360 140 0 settled'],
    ],
    [
      'the shortfall of a month without usage',
      commit(commitment({ services: [storage] })),
      ['500 25 0', '500 25 0'],
      ['01-01 500 0 500 0 settled', '02-02 500 0 500 0 settled'],
      [[], []],
    ],
  ])('T-CONTRACT: %s', (_name, terms, expected, periods, each = three) => {
    const outcome = simulate(each, terms);
    expect(shown(outcome)).toEqual(expected);
    expect(periodsOf(outcome)).toEqual(periods);
  });

  test('T-CONTRACT: fewer months than requested need fewer of the amounts', () => {
    const terms = commit(commitment({ amounts: [twd(1200), twd(100), twd(500), twd(9)] }));
    expect(shown(simulate(three, terms))).toEqual(['1200 60 0', '200 10 0', '500 25 0']);
  });

  test('T-CONTRACT: without simulated months a commitment has no periods', () => {
    const simulation = newSimulation({
      terms: { ...nothing, ...commit(commitment()) },
      order: 'as_listed',
      currency: 'TWD',
      zone,
      taxRate: '5',
      lastMonth: required(months[0], 'a month'),
    });
    expect(outcomeOf(simulation).commitments).toEqual([{ index: 0, periods: [] }]);
  });
});

describe('growth', () => {
  test('T-CONTRACT: every priced figure grows exactly; fees, numbers of events and dimensions stay', () => {
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
    expect(charge.usage.events.map(({ sum }) => decimalText(sum))).toEqual(['0.1125', '0.225']);
    expect([charge.events, time.events, after?.timeline]).toEqual([2n, 1n, subscription.timeline]);
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
  commitments: fc.array(
    fc.record({
      period: fc.constantFrom('month', 'quarter', 'year', 'contract'),
      amounts: amounts.map((amount) => [amount]),
      committedPercent: fc.constantFrom('100', '80', '33.3333'),
      overagePercent: fc.constantFrom('100', '90', '250'),
      usageOnly: fc.boolean(),
      services,
    }),
    { maxLength: 3 },
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
  test('T-CONTRACT: without terms and growth each month equals the plan of its bill', () => {
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

  test('T-CONTRACT: figures add up: within a month, months to totals, and credits to their use', () => {
    fc.assert(
      fc.property(anyMonths, anyTerms, (each, terms) => {
        const { months: simulated, sums, credits } = simulate(each, terms);
        for (const { withoutTerms, simulated: on, difference } of simulated) {
          expect(on.net.minor).toBe(
            withoutTerms.net.minor -
              on.discount.minor +
              on.commitment.minor +
              on.minimum.minor -
              on.promotional.minor,
          );
          expect(on.total.minor).toBe(on.net.minor + on.tax.minor);
          expect(on.prepaid.minor <= on.total.minor).toBe(true);
          expect(difference).toEqual(on.total);
        }
        for (const key of [
          'net',
          'discount',
          'promotional',
          'commitment',
          'minimum',
          'tax',
          'total',
          'prepaid',
        ] as const)
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

  test('T-CONTRACT: a credit never pays more than it has, and nothing of it is lost', () => {
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

  test('T-CONTRACT: periods of a commitment are adjacent, a settled one equals its amount, an open one shows the shortfall', () => {
    fc.assert(
      fc.property(anyMonths, anyTerms, (each, terms) => {
        const { commitments, sums } = simulate(each, terms);
        const last = required(months[each.length - 1], 'the last month');
        for (const { index, periods } of commitments) {
          const amount = required(terms.commitments?.[index]?.amounts[0], 'the amount');
          expect(periods[0]?.firstMonth).toBe(months[0]);
          expect(required(periods.at(-1), 'a period').lastMonth >= last).toBe(true);
          for (const period of periods) {
            expect(period.amount).toEqual(amount);
            expect(period.isSettled).toBe(period.lastMonth <= last);
            expect(period.used.minor + period.trueUp.minor + period.missing.minor).toBe(amount.minor);
            expect((period.isSettled ? period.missing : period.trueUp).minor).toBe(0n);
          }
        }
        // At the list price, nothing but the shortfall changes.
        const atPrice = (terms.commitments ?? []).every(
          ({ committedPercent, overagePercent }) => committedPercent === '100' && overagePercent === '100',
        );
        if (atPrice)
          expect(sums.simulated.commitment.minor).toBe(
            commitments.flatMap(({ periods }) => periods).reduce((sum, { trueUp }) => sum + trueUp.minor, 0n),
          );
      }),
    );
  });

  test('T-CONTRACT: a commitment of almost zero at the list price changes nothing', () => {
    fc.assert(
      fc.property(
        anyMonths,
        anyTerms,
        fc.constantFrom('month', 'quarter', 'year', 'contract'),
        (each, terms, period) => {
          // Lines with a full discount would use nothing.
          const others = { ...terms, discounts: [], commitments: [] };
          const { commitments, ...outcome } = simulate(each, {
            ...others,
            commitments: [{ period, amounts: [twd(1)] }],
          });
          const { commitments: none, ...without } = simulate(each, others);
          expect(outcome).toEqual(without);
          expect(none).toEqual([]);
          for (const { used: drawn } of commitments.flatMap(({ periods }) => periods))
            expect(drawn).toEqual(twd(1));
        },
      ),
    );
  });
});
