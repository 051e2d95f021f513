// A month with several payers: however it is split, each line is on one bill, all bills together equal the
// bill of a single payer, and terms apply only to the organization’s own part (T-PAYER, R-BILL-05).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal, decimalText } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import { money, moneyText, type Currency } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import {
  monthParts,
  planTimes,
  type BillableSubscription,
  type PlanOf,
  type Timeline,
} from '#features/selling/subscriptions/rules.ts';
import type { PlannedBillLine } from './rules-late.ts';
import { planByPayer } from './rules-payers.ts';
import { noTerms, planBills, type BillPlan, type Terms } from './rules.ts';

const month = '2026-10' as BillingMonth;
const zone = 'Asia/Taipei';
type Payer = { readonly id: string };
const [own, north, south] = [{ id: 'org_own' }, { id: 'org_north' }, { id: 'org_south' }];

/** A monthly fee, and usage at 1 each. */
type Simple = {
  readonly currency: Currency;
  readonly fee: number;
  readonly used: number;
  readonly payer: Payer;
  /** The change by late usage of the previous month; null without any. */
  readonly late: number | null;
};

function billable({ currency, fee, used }: Simple, index: number): BillableSubscription {
  const startedAt = new Date('2020-01-01T00:00:00Z');
  const timeline: Timeline = {
    startedAt,
    endsAt: null,
    trialEndsAt: null,
    phases: [{ from: startedAt, serviceId: 'svc_1', quantity: '1', yearAnchor: null }],
    pauses: [],
  };
  const planOf: PlanOf = () => ({
    id: 'svc_1',
    name: `S${index % 3}`,
    billingCycle: 'monthly',
    proration: 'day',
    prices: [
      {
        id: 'prv_1',
        effectiveFrom: startedAt,
        pricing: {
          model: 'graduated',
          currency,
          baseFee: String(fee),
          tiers: [{ upTo: null, unitPrice: '1' }],
        },
      },
    ],
  });
  return {
    subscriptionId: `sub_${index}`,
    serviceName: `S${index % 3}`,
    timeline,
    planOf,
    times: planTimes(monthParts(timeline, planOf, month, zone)).map((time) => ({
      ...time,
      unit: 'calls',
      quantity: decimal(String(used)),
      events: used > 0 ? 1n : 0n,
    })),
  };
}

const lateLine = ({ currency, late }: Simple, index: number): PlannedBillLine[] =>
  late === null
    ? []
    : [
        {
          kind: 'adjustment',
          forMonth: '2026-09' as BillingMonth,
          subscriptionId: `sub_${index}`,
          serviceId: 'svc_1',
          serviceName: `S${index % 3}`,
          priceVersionId: 'prv_1',
          quantity: String(late),
          unit: 'calls',
          unitPrice: null,
          exact: decimal(String(late)),
          amount: money(BigInt(late), currency),
          steps: [],
        },
      ];

function planned(all: readonly Simple[], terms: Terms, rates: Readonly<Record<string, string>> = {}) {
  const payers = new Map(all.map(({ payer }, index) => [`sub_${index}`, payer]));
  return planByPayer({
    subscriptions: all.map(billable),
    late: all.flatMap(lateLine),
    month,
    zone,
    terms,
    payerOf: (subscriptionId) => payers.get(subscriptionId ?? '') ?? own,
    taxationOf: ({ id }) => rates[id] ?? '5',
  });
}
const whole = (all: readonly Simple[], terms: Terms): BillPlan[] =>
  planBills(all.map(billable), month, zone, '5', all.flatMap(lateLine), terms);
const shownLine = ({ kind, subscriptionId, forMonth, exact, amount }: PlannedBillLine): string =>
  [kind, subscriptionId, forMonth, decimalText(exact), amount.currency, moneyText(amount)].join(' ');
const shown = (plans: readonly BillPlan[]): string[] =>
  plans.flatMap(({ lines }) => lines.map(shownLine)).toSorted();

const simple: fc.Arbitrary<Simple> = fc.record({
  currency: fc.constantFrom<Currency>('TWD', 'USD'),
  fee: fc.nat(500),
  used: fc.nat(50),
  payer: fc.constantFrom<Payer>(own, north, south),
  late: fc.option(fc.integer({ min: -30, max: 30 })),
});
const agreed: Terms = {
  ...noTerms,
  discounts: [
    {
      redemptionId: 'rdm_1' as Id<'rdm'>,
      version: 1n,
      name: { zhTW: '折扣', enUS: 'Discount' },
      reduction: { kind: 'percent', percent: '10' },
      maximum: null,
      scope: { subscriptionId: null, services: null },
      isOnce: false,
    },
  ],
  minimumSpends: [
    {
      id: 'msp_1' as Id<'msp'>,
      name: { zhTW: '最低消費', enUS: 'Minimum' },
      amount: money(1000n, 'TWD'),
    },
  ],
};

describe('T-PAYER: a month with several payers', () => {
  it('has each line on its payer’s bill, and on no other', () => {
    fc.assert(
      fc.property(fc.array(simple, { maxLength: 8 }), (all) => {
        const { own: first, others } = planned(all, noTerms);
        expect(first.payer).toBe(own);
        const parts = [first, ...others];
        for (const { payer, plans } of parts)
          for (const { lines } of plans)
            for (const { subscriptionId } of lines)
              expect(all[Number(subscriptionId?.slice(4))]?.payer.id).toBe(payer.id);
        expect(shown(parts.flatMap(({ plans }) => plans))).toEqual(shown(whole(all, noTerms)));
        for (const { currency, net } of whole(all, noTerms))
          expect(
            parts
              .flatMap(({ plans }) => plans)
              .reduce((sum, plan) => (plan.currency === currency ? sum + plan.net.minor : sum), 0n),
          ).toBe(net.minor);
      }),
    );
  });

  it('without payers of subscriptions is planned as usual, with any terms', () => {
    fc.assert(
      fc.property(fc.array(simple, { maxLength: 8 }), (all) => {
        const alone = all.map((each) => ({ ...each, payer: own }));
        expect(planned(alone, agreed)).toEqual({
          own: { payer: own, plans: whole(alone, agreed) },
          others: [],
        });
      }),
    );
  });

  it('applies terms to the own part as if it were the only one', () => {
    fc.assert(
      fc.property(fc.array(simple, { maxLength: 8 }), (all) => {
        const { own: first, others } = planned(all, agreed);
        const alone = <T>(of: (each: Simple, index: number) => readonly T[]): T[] =>
          all.flatMap((each, index) => (each.payer === own ? of(each, index) : []));
        expect(first.plans).toEqual(
          planBills(
            alone((each, index) => [billable(each, index)]),
            month,
            zone,
            '5',
            alone(lateLine),
            agreed,
          ),
        );
        expect(
          others.flatMap(({ plans }) => plans).flatMap(({ lines }) => lines.filter(({ term }) => term)),
        ).toEqual([]);
      }),
    );
  });

  it('applies the taxes of each payer', () => {
    const one: Simple = { currency: 'TWD', fee: 100, used: 0, payer: own, late: null };
    const { own: first, others } = planned(
      [one, { ...one, payer: south }, { ...one, payer: north }],
      noTerms,
      { [south.id]: '0', [north.id]: '20' },
    );
    expect(
      [first, ...others].map(({ payer, plans }) => [payer.id, ...plans.map(({ tax }) => tax.minor)]),
    ).toEqual([
      [own.id, 5n],
      [north.id, 20n],
      [south.id, 0n],
    ]);
  });

  it('charges minimums and true-ups even if others pay for every subscription', () => {
    const all: Simple[] = [{ currency: 'TWD', fee: 100, used: 0, payer: north, late: null }];
    const { own: first, others } = planned(all, agreed);
    expect(first.plans.map(({ net }) => moneyText(net))).toEqual(['1000']);
    expect(others.map(({ plans }) => plans.map(({ net }) => moneyText(net)))).toEqual([['100']]);
  });
});
