// Retail prices: the cost of each month increases by exactly the markup for any model; versions start with
// their month and never change the past.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal, decimalText } from '#kernel/decimal.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import { blockOf, chargePrice } from '#features/selling/rating/rules.ts';
import type { MarkUps } from '#features/selling/resale/contract.ts';
import { factorOf, markUpMonthMistake } from '#features/selling/resale/rules.ts';
import { decimalTexts } from '../../../../tests/support/arbitraries.ts';
import type { Pricing } from './contract.ts';
import { monthPrice } from './rules.ts';
import { retailPricing, splicedPrices } from './rules-retail.ts';

// Prices with few digits, so that a price with the markup has at most twelve and is exact.
const price = decimalTexts(0n, 1000n, 4);
const percent = decimalTexts(0n, 300n, 2);
const quantity = decimalTexts(0n, 100_000n, 3);
const tiers = fc.tuple(price, price, price).map(([first, second, flatFee]) => [
  { upTo: '100', unitPrice: first },
  { upTo: null, unitPrice: second, flatFee },
]);
const named = { key: 'c', name: { zhTW: '費', enUS: 'Charge' }, kind: 'usage', meter: 'm' } as const;
const limits = fc.record(
  { minimum: decimalTexts(0n, 10n, 2), maximum: fc.integer({ min: 500, max: 9000 }).map(String) },
  { requiredKeys: [] },
);
const charge: fc.Arbitrary<Charge> = fc
  .tuple(
    fc.oneof(
      price.map((amount): Charge => ({
        ...named,
        kind: 'recurring',
        meter: undefined,
        model: 'flat',
        amount,
      })),
      price.map((unitPrice): Charge => ({ ...named, model: 'per_unit', unitPrice, included: '7' })),
      tiers.map((each): Charge => ({ ...named, model: 'graduated', tiers: each })),
      tiers.map((each): Charge => ({ ...named, model: 'volume', tiers: each })),
      price.map((packagePrice): Charge => ({ ...named, model: 'package', packageSize: '10', packagePrice })),
      fc.tuple(price, price, price).map(([ratePercent, fixedPerEvent, minPerEvent]): Charge => ({
        ...named,
        model: 'percentage',
        ratePercent,
        fixedPerEvent,
        minPerEvent,
        freeAmount: '5',
      })),
      price.map((ratePercent): Charge => ({
        ...named,
        model: 'graduated_percentage',
        tiers: [{ upTo: null, ratePercent }],
      })),
      fc.constant<Charge>({ ...named, model: 'dynamic' }),
      price.map((unitPrice): Charge => ({ ...named, model: 'matrix', rates: [{ when: {}, unitPrice }] })),
    ),
    limits,
  )
  .map(([priced, limited]): Charge => ({ ...priced, ...limited }));

const markedUp = (added: string, services: MarkUps['services'] = []): MarkUps => ({
  percent: added,
  services,
});
const serviceId = 'svc_01hzzzzzzzzzzzzzzzzzzzzzzz' as MarkUps['services'][number]['serviceId'];

describe('T-RESELL retail prices', () => {
  it('cost exactly the markup more in every model, and never less', () => {
    fc.assert(
      fc.property(charge, percent, quantity, (each, added, used) => {
        const of = decimal(used);
        const usage = {
          quantity: of,
          cells: [{ dimensions: {}, quantity: of }],
          events: [blockOf(of)],
        };
        const sold = retailPricing(
          { model: 'rate_card', currency: 'TWD', charges: [each] },
          serviceId,
          markedUp(added),
        );
        const [marked] = sold.model === 'rate_card' ? sold.charges : [];
        if (!marked) throw new Error('a card stays a card');
        const [wholesale, retail] = [chargePrice(each, usage), chargePrice(marked, usage)];
        expect(decimalText(retail.exact)).toBe(decimalText(wholesale.exact.times(factorOf(added))));
        expect(retail.exact.gte(wholesale.exact)).toBe(true);
      }),
    );
  });

  it('of a service with one price cost exactly the markup more', () => {
    fc.assert(
      fc.property(price, price, tiers, percent, quantity, (baseFee, minimum, steps, added, used) => {
        const single: Pricing = { model: 'graduated', currency: 'TWD', baseFee, minimum, tiers: steps };
        const sold = retailPricing(single, serviceId, markedUp(added));
        if (sold.model === 'rate_card') throw new Error('a single price stays one');
        expect(decimalText(monthPrice(sold, decimal(used)).exact)).toBe(
          decimalText(monthPrice(single, decimal(used)).exact.times(factorOf(added))),
        );
      }),
    );
  });

  it.each([
    // price, percent, retail: half up at the twelfth digit.
    ['0.000000000001', '50', '0.000000000002'],
    ['0.000000000001', '49', '0.000000000001'],
    ['100', '20', '120'],
    ['33.33', '12.5', '37.49625'],
    ['0', '1000', '0'],
  ])('%s with %s percent is %s', (unitPrice, added, retail) => {
    expect(
      retailPricing({ model: 'per_unit', currency: 'TWD', unitPrice }, serviceId, markedUp(added)),
    ).toMatchObject({ unitPrice: retail });
  });

  it('apply a service’s own percentage and a charge’s own amount before the general percentage', () => {
    const card: Pricing = {
      model: 'rate_card',
      currency: 'TWD',
      charges: [
        { ...named, model: 'per_unit', unitPrice: '2' },
        { ...named, key: 'd', model: 'per_unit', unitPrice: '2', maximum: '10' },
      ],
    };
    const sold = retailPricing(
      card,
      serviceId,
      markedUp('10', [{ serviceId, percent: '50', charges: [{ key: 'd', amount: '2.2' }] }]),
    );
    expect(sold).toMatchObject({ charges: [{ unitPrice: '3' }, { unitPrice: '2.2', maximum: '15' }] });
  });
});

describe('T-RESELL prices over time', () => {
  const at = (text: string): Date => new Date(`${text}T00:00:00Z`);
  const version = (id: string, from: string, unitPrice: string) => ({
    id,
    effectiveFrom: at(from),
    pricing: { model: 'per_unit', currency: 'TWD', unitPrice } satisfies Pricing,
  });
  type Version = Omit<ReturnType<typeof version>, 'pricing'> & { readonly pricing: Pricing };
  const sold = (each: Version, markUps: MarkUps, began: Date | null): Version => ({
    ...each,
    id: `${each.id} ${began?.toISOString().slice(0, 7) ?? 'none'}`,
    pricing: retailPricing(each.pricing, serviceId, markUps),
  });
  const shown = (prices: readonly Version[]): string[] =>
    prices.map(
      ({ effectiveFrom, pricing }) =>
        `${effectiveFrom.toISOString().slice(0, 10)} ${pricing.model === 'per_unit' ? pricing.unitPrice : ''}`,
    );
  const own: Version[] = [version('own', '2024-01-01', '10')];
  const bought: Version[] = [version('list', '2024-01-01', '4'), version('later', '2024-04-15', '6')];
  const span = (until: Date | null, terms: { from: Date; markUps: MarkUps }[]) => [
    { from: at('2024-03-01'), until, prices: bought, terms },
  ];

  it('are the organization’s own until the month in which a reseller takes over', () => {
    const terms = [
      { from: at('2024-03-01'), markUps: markedUp('50') },
      { from: at('2024-05-01'), markUps: markedUp('100') },
    ];
    expect(shown(splicedPrices(own, span(null, terms), sold))).toEqual([
      '2024-01-01 10',
      '2024-03-01 6',
      '2024-04-15 9',
      '2024-05-01 12',
    ]);
  });

  it('are its own again from the month in which that ends', () => {
    expect(shown(splicedPrices(own, span(at('2024-04-01'), []), sold))).toEqual([
      '2024-01-01 10',
      '2024-03-01 4',
      '2024-04-01 10',
      // Nothing of the reseller’s remains.
    ]);
  });

  it('do not change before the month of a new version, whatever it adds', () => {
    const before = [{ from: at('2024-03-01'), markUps: markedUp('50') }];
    fc.assert(
      fc.property(percent, fc.integer({ min: 4, max: 12 }), (added, month) => {
        const from = new Date(Date.UTC(2024, month - 1, 1));
        const after = [...before, { from, markUps: markedUp(added) }];
        const past = (terms: typeof before) =>
          splicedPrices(own, span(null, terms), sold).filter(({ effectiveFrom }) => effectiveFrom < from);
        expect(past(after)).toEqual(past(before));
      }),
    );
  });

  it('begin with a future month, the first ones with the running one', () => {
    const known = (isFirst: boolean) => ({ running: '2024-05' as never, isFirst });
    expect(markUpMonthMistake('2024-06' as never, known(false))).toBeUndefined();
    expect(markUpMonthMistake('2024-05' as never, known(false))).toBe('resellers.month_begun');
    expect(markUpMonthMistake('2024-05' as never, known(true))).toBeUndefined();
    expect(markUpMonthMistake('2024-04' as never, known(true))).toBe('resellers.month_begun');
  });
});
