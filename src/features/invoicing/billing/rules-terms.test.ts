// An organization’s terms on its bill: worked examples, and properties for any terms (R-BILL-05).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { required } from '#kernel/assert.ts';
import { decimal } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import { money, moneyText, type Money } from '#kernel/money.ts';
import type { DiscountInForce } from '#features/invoicing/discounts/rules.ts';
import {
  wholeScope,
  type ChargeOfService,
  type GrantInForce,
} from '#features/invoicing/credit-grants/rules.ts';
import type { CommitmentInForce } from '#features/invoicing/commitments/rules.ts';
import type { OneOffInForce } from '#features/invoicing/one-offs/rules.ts';
import type { PlannedBillLine } from './rules-late.ts';
import { billWithTerms, noTerms, oneOffLine, termsAfter, type BillPlan, type Terms } from './rules-terms.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { taxOf } from '#tests/support/model.ts';

const twd = (minor: bigint | number): Money => money(BigInt(minor), 'TWD');
const name = { zhTW: '約定', enUS: 'Agreed' };

type LineOf = { kind?: PlannedBillLine['kind']; service?: string; charge?: string };
const line = (
  amount: number | bigint,
  { kind = 'usage', service = 'vm', charge }: LineOf = {},
): PlannedBillLine => ({
  kind,
  subscriptionId: `sub_${service}`,
  serviceId: `svc_${service}`,
  serviceName: service,
  priceVersionId: 'prv_1',
  ...(charge && { charge: { key: charge, name: { zhTW: charge, enUS: charge } } }),
  quantity: '1',
  unit: 'hours',
  unitPrice: String(amount),
  exact: decimal(String(amount)),
  amount: twd(amount),
  steps: [],
  forMonth: null,
});

const everything: DiscountInForce['scope'] = { subscriptionId: null, services: null };
const discount = (
  reduction: DiscountInForce['reduction'],
  more: Partial<DiscountInForce> = {},
): DiscountInForce => ({
  redemptionId: `rdm_${JSON.stringify(reduction, (_, value: unknown) => String(value))}` as Id<'rdm'>,
  version: 1n,
  name,
  reduction,
  maximum: null,
  scope: everything,
  isOnce: false,
  ...more,
});
const percent = (value: string, more: Partial<DiscountInForce> = {}) =>
  discount({ kind: 'percent', percent: value }, more);
const fixed = (amount: number, more: Partial<DiscountInForce> = {}) =>
  discount({ kind: 'fixed', amount: twd(amount) }, more);
const grant = (
  kind: GrantInForce['kind'],
  available: number | bigint,
  scope: Partial<GrantInForce['scope']> = {},
  id = `cgr_${kind}`,
): GrantInForce => ({
  id: id as Id<'cgr'>,
  version: 1n,
  kind,
  name,
  available: twd(available),
  isOfMonth: false,
  scope: { ...wholeScope, ...scope },
});
const oneOff = (amount: number, subscriptionId: string | null = null): OneOffInForce => ({
  id: `ooc_${amount}` as Id<'ooc'>,
  version: 1n,
  name,
  subscriptionId: subscriptionId as Id<'sub'> | null,
  quantity: '1',
  unitPrice: String(Math.abs(amount)),
  amount: twd(amount),
});
const minimum = (amount: number | bigint) => ({ id: 'msp_1' as Id<'msp'>, name, amount: twd(amount) });

/**
 * 10,000 for a quarter, with the second month’s bill here; at 80 % of the price until then and 90 % beyond.
 */
const commitment = (more: Partial<CommitmentInForce> = {}): CommitmentInForce => ({
  id: 'cmt_1' as Id<'cmt'>,
  version: 1n,
  name,
  scope: { services: null, usageOnly: false },
  currency: 'TWD',
  committedPercent: '80',
  overagePercent: '90',
  period: { index: 0, firstMonth: '2026-01' as BillingMonth, lastMonth: '2026-03' as BillingMonth },
  amount: 10_000n,
  target: 10_000n,
  drawn: 0n,
  trueUp: 0n,
  settles: false,
  ...more,
});
const bill = (base: readonly PlannedBillLine[], terms: Partial<Terms>, taxRate = '5'): BillPlan =>
  billWithTerms('TWD', base, { ...noTerms, ...terms }, taxRate);
const shown = (plan: BillPlan): string =>
  `${plan.lines.map((each) => moneyText(each.amount)).join(' ')} = ${moneyText(plan.net)} + ${moneyText(plan.tax)}`;
const sum = (amounts: readonly Money[]): bigint => amounts.reduce((all, { minor }) => all + minor, 0n);
const prepaid = (plan: BillPlan): bigint => sum(plan.applied.prepaid.map(({ amount }) => amount));

describe('worked examples at 5 % tax', () => {
  test.each<[string, PlannedBillLine[], Partial<Terms>, string]>([
    ['nothing agreed', [line(1000)], {}, '1000 = 1000 + 50'],
    // Stripe: a coupon lowers the subtotal before tax.
    ['20 % off', [line(1000)], { discounts: [percent('20')] }, '1000 -200 = 800 + 40'],
    ['300 off', [line(1000)], { discounts: [fixed(300)] }, '1000 -300 = 700 + 35'],
    ['more than the total', [line(100)], { discounts: [fixed(300)] }, '100 -100 = 0 + 0'],
    [
      '50 % off, at most 200',
      [line(1000)],
      { discounts: [percent('50', { maximum: twd(200) })] },
      '1000 -200 = 800 + 40',
    ],
    [
      '100 off, then 10 % of the rest',
      [line(1000)],
      { discounts: [fixed(100), percent('10')] },
      '1000 -100 -90 = 810 + 41',
    ],
    // Half of a charge and half of its refund cancel out, so the other discount applies to the full charge.
    [
      'a percentage that rounds to zero',
      [line(100), line(-100)],
      { discounts: [percent('50'), fixed(80)] },
      '100 -100 -80 = -80 + -4',
    ],
    [
      'percentages first',
      [line(1000)],
      { discounts: [fixed(100), percent('10')], order: 'percent_first' },
      '1000 -100 -100 = 800 + 40',
    ],
    [
      'the best one only',
      [line(1000)],
      { discounts: [fixed(90), percent('10')], order: 'best_only' },
      '1000 -100 = 900 + 45',
    ],
    [
      'off one service only',
      [line(1000), line(500, { service: 'db' })],
      {
        discounts: [
          percent('10', {
            scope: { subscriptionId: null, services: [{ serviceId: 'svc_db', chargeKeys: null }] },
          }),
        ],
      },
      '1000 500 -50 = 1450 + 73',
    ],
    [
      'off one charge only',
      [line(1000, { charge: 'cpu' }), line(500, { charge: 'disk' })],
      {
        discounts: [
          percent('10', {
            scope: { subscriptionId: null, services: [{ serviceId: 'svc_vm', chargeKeys: ['disk'] }] },
          }),
        ],
      },
      '1000 500 -50 = 1450 + 73',
    ],
    // A refund of unused days returns what was charged after the same discount.
    [
      'a percentage of a charge and of its refund',
      [line(300, { kind: 'base_fee' }), line(-200, { kind: 'credit' })],
      { discounts: [percent('10')] },
      '300 -200 -10 = 90 + 5',
    ],
    [
      'promotional credit, before tax',
      [line(1000)],
      { grants: [grant('promotional', 400)] },
      '1000 -400 = 600 + 30',
    ],
    [
      'promotional credit for usage only',
      [line(1000, { kind: 'base_fee' }), line(300)],
      { grants: [grant('promotional', 400, { usageOnly: true })] },
      '1000 300 -300 = 1000 + 50',
    ],
    [
      'promotional credit for one charge: not for others, or the rest of its service',
      [line(1000, { charge: 'hours' }), line(300, { charge: 'disk' }), line(200)],
      {
        grants: [
          grant('promotional', 5000, {
            services: ['svc_vm'],
            charges: [{ serviceId: 'svc_vm', chargeKey: 'disk' }],
          }),
        ],
      },
      '1000 300 200 -300 = 1200 + 60',
    ],
    [
      'promotional credit is at most the total after refunds',
      [line(100, { kind: 'base_fee' }), line(-40, { kind: 'credit' })],
      { grants: [grant('promotional', 400)] },
      '100 -40 -60 = 0 + 0',
    ],
    [
      'a discount first, then credit',
      [line(1000)],
      { discounts: [percent('20')], grants: [grant('promotional', 500)] },
      '1000 -200 -500 = 300 + 15',
    ],
    [
      'a minimum spend above the total',
      [line(1000)],
      { minimumSpends: [minimum(1500)] },
      '1000 500 = 1500 + 75',
    ],
    ['a minimum spend below the total', [line(1000)], { minimumSpends: [minimum(900)] }, '1000 = 1000 + 50'],
    [
      'a minimum spend applies after discounts and without one-off charges',
      [line(1000), oneOffLine(oneOff(400), new Map())],
      { oneOffs: [oneOff(400)], discounts: [percent('10')], minimumSpends: [minimum(1000)] },
      '1000 400 -140 100 = 1360 + 68',
    ],
    [
      'a minimum spend of a month without charges',
      [],
      { minimumSpends: [minimum(1500)] },
      '1500 = 1500 + 75',
    ],
    [
      'credit pays for the minimum spend, too',
      [line(1000)],
      { minimumSpends: [minimum(1500)], grants: [grant('promotional', 2000)] },
      '1000 500 -1500 = 0 + 0',
    ],
    [
      'a discount does not reduce a one-off credit',
      [line(1000), oneOffLine(oneOff(-300), new Map())],
      { oneOffs: [oneOff(-300)], discounts: [percent('10')] },
      '1000 -300 -100 = 600 + 30',
    ],
    // Metronome: spend uses the commitment at the committed rate.
    ['a commitment’s rate', [line(1000)], { commitments: [commitment()] }, '1000 -200 = 800 + 40'],
    [
      'a commitment with 400 left: half at its rate, half beyond',
      [line(1000)],
      { commitments: [commitment({ drawn: 9_600n })] },
      '1000 -100 -50 = 850 + 43',
    ],
    [
      'a commitment that is used up',
      [line(1000)],
      { commitments: [commitment({ drawn: 10_000n })] },
      '1000 -100 = 900 + 45',
    ],
    [
      'a commitment at list prices, before its last month',
      [line(1000)],
      { commitments: [commitment({ committedPercent: '100', overagePercent: '100' })] },
      '1000 = 1000 + 50',
    ],
    // Metronome, Lago: at the end of the period the rest is charged as true-up.
    [
      'the shortfall of a commitment in its last month',
      [line(1000)],
      { commitments: [commitment({ drawn: 6_000n, settles: true })] },
      '1000 -200 3200 = 4000 + 200',
    ],
    [
      'the shortfall of a commitment in a month without charges',
      [],
      { commitments: [commitment({ drawn: 6_000n, settles: true })] },
      '4000 = 4000 + 200',
    ],
    [
      'a reissued bill of a settled period with more usage lowers the true-up',
      [line(3000)],
      { commitments: [commitment({ drawn: 6_000n, trueUp: 3_200n, settles: true })] },
      '3000 -600 -1600 = 800 + 40',
    ],
    [
      'a commitment counts the amount after discounts',
      [line(1000)],
      { discounts: [percent('50')], commitments: [commitment({ drawn: 9_000n, settles: true })] },
      '1000 -500 -100 600 = 1000 + 50',
    ],
    [
      'one-off charges neither get its rate nor count',
      [line(1000), oneOffLine(oneOff(400), new Map())],
      { oneOffs: [oneOff(400)], commitments: [commitment()] },
      '1000 400 -200 = 1200 + 60',
    ],
    [
      'a line uses only the first commitment that covers it',
      [line(1000), line(500, { service: 'db' })],
      {
        commitments: [
          commitment({ scope: { services: ['svc_db'], usageOnly: false }, committedPercent: '50' }),
          commitment({ id: 'cmt_2' as Id<'cmt'> }),
        ],
      },
      '1000 500 -250 -200 = 1050 + 53',
    ],
    [
      'the shortfall of a commitment counts towards a minimum spend, and credit pays it',
      [line(1000)],
      {
        commitments: [commitment({ drawn: 8_000n, settles: true })],
        minimumSpends: [minimum(2500)],
        grants: [grant('promotional', 2100)],
      },
      '1000 -200 1200 500 -2100 = 400 + 20',
    ],
    [
      'a refund is at the commitment’s rate, and returns its use',
      [line(300, { kind: 'base_fee' }), line(-200, { kind: 'credit' })],
      { commitments: [commitment()] },
      '300 -200 -20 = 80 + 4',
    ],
  ])('%s', (_name, base, terms, figures) => {
    expect(shown(bill(base, terms))).toBe(figures);
  });

  test('prepaid credit pays the total with tax, and no more than is due', () => {
    expect(prepaid(bill([line(1000)], { grants: [grant('paid', 400)] }))).toBe(400n);
    expect(prepaid(bill([line(1000)], { grants: [grant('paid', 5000)] }))).toBe(1050n);
    // Of the usage of 300 with its tax of 15.
    const usageOnly = grant('paid', 5000, { usageOnly: true });
    expect(prepaid(bill([line(1000, { kind: 'base_fee' }), line(300)], { grants: [usageOnly] }))).toBe(315n);
    // Only of the charge of 300, with its tax; the other charge of the service remains due.
    const ofDisk = grant('paid', 5000, {
      services: ['svc_vm'],
      charges: [{ serviceId: 'svc_vm', chargeKey: 'disk' }],
    });
    const card = [line(1000, { charge: 'hours' }), line(300, { charge: 'disk' })];
    expect(prepaid(bill(card, { grants: [ofDisk] }))).toBe(315n);
    expect(prepaid(bill([line(100), line(-140, { kind: 'credit' })], { grants: [grant('paid', 50)] }))).toBe(
      0n,
    );
  });

  test('grants are used in their order, and only once', () => {
    const plan = bill([line(1000)], {
      grants: [
        grant('promotional', 300, {}, 'cgr_a'),
        grant('paid', 200, {}, 'cgr_b'),
        grant('promotional', 100, {}, 'cgr_c'),
        grant('paid', 900, {}, 'cgr_d'),
      ],
    });
    const { promotional, prepaid: paid } = plan.applied;
    expect(promotional.map(({ id, amount }) => [id, amount.minor])).toEqual([
      ['cgr_a', 300n],
      ['cgr_c', 100n],
    ]);
    // 600 and its tax of 30.
    expect(paid.map(({ id, amount }) => [id, amount.minor])).toEqual([
      ['cgr_b', 200n],
      ['cgr_d', 430n],
    ]);
  });

  test('a bill lists its use of a commitment, and the steps of a shortfall', () => {
    const plan = bill([line(1000)], { commitments: [commitment({ drawn: 6_000n, settles: true })] });
    expect(plan.applied.commitments).toEqual([
      {
        id: 'cmt_1',
        version: 1n,
        period: 0,
        drawn: twd(800),
        trueUp: twd(3200),
        isSettlement: true,
        draws: [{ position: 1, minor: 800n }],
      },
    ]);
    expect(plan.lines.map(({ kind }) => kind)).toEqual(['usage', 'committed_rate', 'true_up']);
    expect(plan.lines[2]?.steps.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['committed', '10000'],
      ['drawn', '-6800'],
    ]);
    expect(plan.lines[2]?.term).toMatchObject({ id: 'cmt_1', period: { from: '2026-01', to: '2026-03' } });
    // A month without usage counts as billed, too.
    expect(bill([], { commitments: [commitment()] }).applied.commitments).toMatchObject([
      { drawn: twd(0), trueUp: twd(0), isSettlement: false },
    ]);
  });

  test('a line partly beyond a commitment shows that part', () => {
    // 400 left at 80 % are 500 of the 900 after the discount.
    const plan = bill([line(1000)], {
      discounts: [percent('10')],
      commitments: [commitment({ drawn: 9_600n })],
    });
    expect(plan.applied.commitments[0]?.draws).toEqual([
      { position: 1, minor: 400n, split: { within: 500n, beyond: 400n } },
    ]);
  });

  test('a share of a commitment’s shortfall is placed after the rates', () => {
    const plan = bill([line(1000)], {
      discounts: [percent('50')],
      commitments: [commitment({ drawn: 9_500n, settles: true })],
      grants: [grant('promotional', 250)],
    });
    expect(shown(plan)).toBe('1000 -500 -100 100 -250 = 250 + 13');
    expect(plan.lines[4]?.term?.shares?.map(({ lineId, amount }) => [lineId, amount.minor])).toEqual([
      ['1', 200n],
      ['4', 50n],
    ]);
  });

  test('usage by earlier bills leaves less to later ones of the same period only', () => {
    const terms = { ...noTerms, commitments: [commitment(), commitment({ id: 'cmt_2' as Id<'cmt'> })] };
    const drawn = {
      id: 'cmt_1' as Id<'cmt'>,
      version: 1n,
      drawn: twd(700),
      trueUp: twd(50),
      isSettlement: false,
      draws: [],
    };
    const applied = bill([], {}).applied;
    const after = termsAfter(terms, [
      { ...applied, commitments: [{ ...drawn, period: 0 }] },
      { ...applied, commitments: [{ ...drawn, period: 1 }] },
    ]);
    expect(after.commitments.map((each) => [each.id, each.drawn, each.trueUp])).toEqual([
      ['cmt_1', 700n, 50n],
      ['cmt_2', 0n, 0n],
    ]);
  });

  test('a term’s line lists its deductions by line', () => {
    const plan = bill([line(100), line(100), line(100)], {
      discounts: [fixed(100)],
      grants: [grant('promotional', 50)],
    });
    const [, , , off, credit] = plan.lines.map((each) => each.term?.shares);
    expect(off?.map(({ lineId, amount }) => [lineId, amount.minor])).toEqual([
      ['1', 34n],
      ['2', 33n],
      ['3', 33n],
    ]);
    expect(credit?.map(({ lineId, amount }) => [lineId, amount.minor])).toEqual([
      ['1', 16n],
      ['2', 17n],
      ['3', 17n],
    ]);
  });

  test('a share of the minimum spend is placed after the discounts', () => {
    const plan = bill([line(100)], {
      discounts: [percent('50')],
      minimumSpends: [minimum(80)],
      grants: [grant('promotional', 20)],
    });
    expect(shown(plan)).toBe('100 -50 30 -20 = 60 + 3');
    expect(plan.lines[3]?.term?.shares?.map(({ lineId, amount }) => [lineId, amount.minor])).toEqual([
      ['1', 13n],
      ['3', 7n],
    ]);
  });

  test('a discount of one subscription is listed with its service, one of all subscriptions separately', () => {
    const narrowed = percent('10', { scope: { subscriptionId: 'sub_db', services: null } });
    const plan = bill([line(1000), line(500, { service: 'db' })], { discounts: [narrowed, percent('5')] });
    expect(
      plan.lines.slice(2).map(({ subscriptionId, serviceName }) => [subscriptionId, serviceName]),
    ).toEqual([
      ['sub_db', 'db'],
      [null, ''],
    ]);
  });
});

const anyLine = fc
  .record({
    minor: fc.bigInt(-5_000n, 50_000n),
    service: fc.constantFrom('vm', 'db', 'cdn'),
    kind: fc.constantFrom<PlannedBillLine['kind']>('usage', 'base_fee', 'adjustment'),
    charge: fc.constantFrom('hours', 'disk', ''),
  })
  .map(({ minor, ...of }) => line(minor, of));
const anyScope = fc.constantFrom<DiscountInForce['scope']>(
  everything,
  { subscriptionId: 'sub_db', services: null },
  { subscriptionId: null, services: [{ serviceId: 'svc_cdn', chargeKeys: null }] },
);
const anyDiscount = fc.oneof(
  fc
    .tuple(fc.constantFrom('0.5', '10', '33.3333', '100'), anyScope, fc.option(fc.nat(3_000), { nil: null }))
    .map(([value, scope, maximum]) =>
      percent(value, { scope, maximum: maximum === null ? null : twd(maximum) }),
    ),
  fc.tuple(fc.nat(30_000), anyScope).map(([amount, scope]) => fixed(amount, { scope })),
);
const anyGrants = fc
  .array(
    fc.tuple(
      fc.constantFrom<GrantInForce['kind']>('paid', 'promotional'),
      fc.integer({ min: 1, max: 40_000 }),
      fc.record({
        services: fc.constantFrom<string[] | null>(null, ['svc_vm'], ['svc_db', 'svc_cdn']),
        charges: fc.constantFrom<ChargeOfService[] | null>(null, [
          { serviceId: 'svc_vm', chargeKey: 'hours' },
          { serviceId: 'svc_db', chargeKey: 'disk' },
        ]),
        usageOnly: fc.boolean(),
      }),
    ),
    { maxLength: 5 },
  )
  .map((list) =>
    list.map(([kind, available, scope], index) => grant(kind, available, scope, `cgr_${index}`)),
  );
const anyCommitments = fc
  .array(
    fc
      .record({
        scope: fc.record({
          services: fc.constantFrom<string[] | null>(null, ['svc_vm'], ['svc_db', 'svc_cdn']),
          usageOnly: fc.boolean(),
        }),
        committedPercent: fc.constantFrom('100', '80', '33.3333'),
        overagePercent: fc.constantFrom('100', '90', '120.5'),
        amount: fc.bigInt(1n, 80_000n),
        drawn: fc.bigInt(0n, 80_000n),
        trueUp: fc.constantFrom(0n, 500n),
        settles: fc.boolean(),
      })
      .map((of) =>
        commitment({ ...of, target: of.amount, drawn: of.drawn < of.amount ? of.drawn : of.amount }),
      ),
    { maxLength: 2 },
  )
  .map((list) => list.map((each, index) => ({ ...each, id: `cmt_${index}` as Id<'cmt'> })));
const anyTerms = fc.record({
  commitments: anyCommitments,
  discounts: fc.array(anyDiscount, { maxLength: 4 }),
  order: fc.constantFrom<Terms['order']>('as_listed', 'percent_first', 'best_only'),
  minimumSpends: fc.array(fc.nat(60_000).map(minimum), { maxLength: 1 }),
  grants: anyGrants,
});

describe('for any lines and terms', () => {
  const holds = (check: (base: PlannedBillLine[], terms: Partial<Terms>, plan: BillPlan) => void): void =>
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 10 }), anyTerms, (base, terms) =>
        check(base, terms, bill(base, terms)),
      ),
      { numRuns: 500 },
    );

  test('the lines add up to net, tax is computed once on it, and the given lines are unchanged', () => {
    holds((base, _terms, plan) => {
      expect(sum(plan.lines.map(({ amount }) => amount))).toBe(plan.net.minor);
      expect(plan.tax.minor).toBe(taxOf(plan.net.minor));
      expect(plan.total.minor).toBe(plan.net.minor + plan.tax.minor);
      expect(plan.lines.slice(0, base.length)).toEqual(base);
    });
  });

  test('the shares of a term’s line add up to its amount, and together never exceed the line that they reduce', () => {
    holds((_base, _terms, plan) => {
      const taken = new Map<string, bigint>();
      for (const { term, amount } of plan.lines)
        if (term?.shares) {
          expect(sum(term.shares.map((share) => share.amount))).toBe(-amount.minor);
          for (const share of term.shares)
            taken.set(share.lineId, (taken.get(share.lineId) ?? 0n) + share.amount.minor);
        }
      for (const [id, minor] of taken) {
        const of = required(plan.lines[Number(id) - 1], 'the line of a share').amount.minor;
        // A rate above the price increases a line’s charge.
        const isRaised = plan.lines.some(
          ({ kind, term }) => kind === 'overage_rate' && term?.shares?.some((share) => share.lineId === id),
        );
        expect(
          of >= 0n ? (isRaised || minor >= 0n) && minor <= of : (isRaised || minor <= 0n) && minor >= of,
        ).toBe(true);
      }
    });
  });

  test('no grant gives more than it has, and credit never makes a bill negative', () => {
    holds((_base, { grants = [] }, plan) => {
      const { promotional, prepaid: paid } = plan.applied;
      for (const { id, amount } of [...promotional, ...paid]) {
        expect(amount.minor > 0n).toBe(true);
        expect(
          amount.minor <=
            required(
              grants.find((each) => each.id === id),
              'a grant',
            ).available.minor,
        ).toBe(true);
      }
      if (promotional.length > 0) expect(plan.net.minor >= 0n).toBe(true);
      expect(paid.length === 0 || prepaid(plan) <= plan.total.minor).toBe(true);
    });
  });

  test('credit for single charges reduces no line of another charge of the service', () => {
    holds((_base, { grants = [] }, plan) => {
      const outside = plan.lines.flatMap(({ term }) =>
        (term?.shares ?? []).filter(({ lineId }) => {
          const { serviceId, charge } = required(plan.lines[Number(lineId) - 1], 'the line of a share');
          const named = grants
            .find(({ id }) => id === term?.id)
            ?.scope.charges?.filter((each) => each.serviceId === serviceId);
          return named && named.length > 0 && !named.some(({ chargeKey }) => chargeKey === charge?.key);
        }),
      );
      expect(outside).toEqual([]);
    });
  });

  test('a minimum spend is reached, and never exceeded by the added amount', () => {
    holds((_base, { minimumSpends = [] }, plan) => {
      const [agreed] = minimumSpends;
      const added = plan.lines.find(({ kind }) => kind === 'minimum_spend');
      const before = sum(
        plan.lines
          .filter(({ kind }) => kind !== 'minimum_spend' && kind !== 'promotional_credit')
          .map(({ amount }) => amount),
      );
      if (!agreed || before >= agreed.amount.minor) expect(added).toBeUndefined();
      else expect(added?.amount.minor).toBe(agreed.amount.minor - before);
    });
  });

  test('a commitment is never overdrawn; when it is settled, use and true-up equal its amount', () => {
    holds((_base, { commitments = [] }, plan) => {
      for (const { id, drawn, trueUp, isSettlement, draws } of plan.applied.commitments) {
        expect(draws.reduce((sum, { minor }) => sum + minor, 0n)).toBe(drawn.minor);
        const of = required(
          commitments.find((each) => each.id === id),
          'a commitment',
        );
        const inAll = of.drawn + drawn.minor;
        expect(inAll >= 0n && inAll <= of.amount).toBe(true);
        if (isSettlement) expect(inAll + of.trueUp + trueUp.minor).toBe(of.target);
        else expect(trueUp.minor).toBe(0n);
      }
    });
  });

  test('with grants that cover everything, the amount due is what they lack', () => {
    fc.assert(
      fc.property(
        fc.array(anyLine, { maxLength: 6 }),
        fc.integer({ min: 1, max: 200_000 }),
        (base, available) => {
          const plan = bill(base, { grants: [grant('paid', available)] });
          const due = plan.total.minor > 0n ? plan.total.minor : 0n;
          expect(prepaid(plan)).toBe(BigInt(available) < due ? BigInt(available) : due);
        },
      ),
    );
  });
});
