// Estimates of random quotes, checked for general properties: totals, deductions, and the duration of terms.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { money, percentOf } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import type { Pricing } from '#features/selling/catalogue/contract.ts';
import type { QuoteContent } from './contract-content.ts';
import { planQuote, type QuotedService, type ToEstimate } from './rules-estimate.ts';
import { estimateParts } from './rules-figures.ts';

const zone = 'Asia/Taipei';
const twd = (minor: bigint | number) => money(BigInt(minor), 'TWD');
const name = { zhTW: '名', enUS: 'name' };
const idOf = (place: number) => `svc_${place}` as Id<'svc'>;

function serviceOf(place: number, pricing: Pricing, usage: string, more: Partial<QuotedService> = {}) {
  return {
    item: { serviceId: idOf(place), usage: { usage, traffic: usage } },
    plan: {
      id: idOf(place),
      name: `S${place}`,
      billingCycle: 'monthly',
      proration: 'day',
      prices: [{ id: `prv_${place}`, effectiveFrom: new Date(0), pricing }],
    },
    unit: 'GB',
    unitOf: () => 'GB',
    trialEndsAt: null,
    yearAnchor: null,
    ...more,
  } satisfies QuotedService;
}
const perUnit = (baseFee: string, unitPrice: string): Pricing => ({
  model: 'per_unit',
  currency: 'TWD',
  baseFee,
  unitPrice,
});
const asked = (
  services: readonly QuotedService[],
  content: Partial<QuoteContent> = {},
  more: Partial<ToEstimate> = {},
): ToEstimate => ({
  content: {
    months: 3,
    items: services.map(({ item }) => item),
    oneOffs: [],
    discounts: [],
    grants: [],
    minimumSpend: null,
    ...content,
  },
  services,
  currency: 'TWD',
  order: 'as_listed',
  zone,
  taxRate: '5',
  at: new Date('2026-10-12T04:00:00Z'),
  minimumName: name,
  ...more,
});

const amount = fc.integer({ min: 1, max: 5000 });
const lasts = fc.option(fc.integer({ min: 1, max: 5 }), { nil: null });
const contents = fc.record({
  months: fc.integer({ min: 1, max: 6 }),
  oneOffs: fc.array(fc.record({ name: fc.constant(name), unitPrice: amount.map(String) }), { maxLength: 2 }),
  discounts: fc.array(
    fc.oneof(
      fc.record({
        name: fc.constant(name),
        percent: fc.integer({ min: 1, max: 100 }).map(String),
        months: lasts,
      }),
      fc.record({ name: fc.constant(name), fixed: amount.map(twd), months: lasts }),
    ),
    { maxLength: 3 },
  ),
  grants: fc.array(
    fc.record({
      name: fc.constant(name),
      amount: amount.map(twd),
      months: lasts,
      usageOnly: fc.boolean(),
      monthly: fc.option(fc.record({ rollover: fc.boolean() }), { nil: null }),
    }),
    { maxLength: 3 },
  ),
  minimumSpend: fc.option(fc.record({ amount: amount.map(twd), months: lasts }), { nil: null }),
  commitments: fc.array(
    fc.record({
      name: fc.constant(name),
      months: fc.constantFrom(3, 6),
      period: fc.constantFrom('month' as const, 'quarter' as const, 'contract' as const),
      amounts: amount.map((each) => [twd(each)]),
      committedPercent: fc.constantFrom('100', '80', '33.3'),
      overagePercent: fc.constantFrom('100', '90', '120'),
    }),
    { maxLength: 2 },
  ),
});

describe('T-QUOTE: any estimate', () => {
  it('adds up: net is charges after terms, tax is computed once on it, and parts add up to the total', () => {
    fc.assert(
      fc.property(contents, amount, amount, (content, fee, used) => {
        const planned = planQuote(asked([serviceOf(0, perUnit(String(fee), '1.37'), String(used))], content));
        for (const { figures } of [planned.first, planned.full]) {
          const { before, discount, commitment, minimum, promotional, net, tax, total } = figures;
          expect(net.minor).toBe(
            before.net.minor - discount.minor + commitment.minor + minimum.minor - promotional.minor,
          );
          expect(tax).toEqual(percentOf(net, '5'));
          expect(total.minor).toBe(net.minor + tax.minor);
          expect(net.minor).toBeGreaterThanOrEqual(0n);
          const parts = estimateParts(figures, '5').filter(({ key }) => !['net', 'total'].includes(key));
          const hasTerms = parts.some(({ key }) => key === 'before');
          const sum = parts.reduce((all, { amount: of }) => all + of.minor, 0n);
          expect(hasTerms ? sum : sum + net.minor).toBe(total.minor);
        }
        // Credit granted once is used once, however many months there are.
        const once = content.grants.filter(({ monthly }) => monthly === null);
        if (once.length === content.grants.length)
          expect(planned.contract.promotional.minor).toBeLessThanOrEqual(
            once.reduce((all, { amount: of }) => all + of.minor, 0n),
          );
      }),
      { numRuns: 150 },
    );
  });

  it('of more months is never lower before terms, and without terms is the first month plus whole ones', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 24 }), amount, amount, (months, fee, used) => {
        const services = [serviceOf(0, perUnit(String(fee), '0.731'), String(used))];
        const { first, full, contract } = planQuote(asked(services, { months }));
        expect(contract.total.minor).toBe(
          first.figures.total.minor + BigInt(months - 1) * full.figures.total.minor,
        );
        expect(contract.before).toEqual({ net: contract.net, tax: contract.tax, total: contract.total });
      }),
    );
  });
});

describe('T-QUOTE: the duration of terms in an estimate', () => {
  const services = [serviceOf(0, perUnit('0', '1'), '1000')];
  /** Net of each month: 1000 of usage before terms. */
  const nets = (content: Partial<QuoteContent>): bigint[] => {
    const upTo = (months: number): bigint =>
      planQuote(asked(services, { ...content, months })).contract.net.minor;
    return [1, 2, 3, 4].map((months) => upTo(months) - (months === 1 ? 0n : upTo(months - 1)));
  };
  it.each<[string, Partial<QuoteContent>, bigint[]]>([
    ['nothing', {}, [1000n, 1000n, 1000n, 1000n]],
    [
      'a discount for two months',
      { discounts: [{ name, percent: '10', months: 2 }] },
      [900n, 900n, 1000n, 1000n],
    ],
    [
      'a discount for one bill',
      { discounts: [{ name, fixed: twd(1), months: null }] },
      [999n, 1000n, 1000n, 1000n],
    ],
    ['a one-time charge', { oneOffs: [{ name, unitPrice: '50' }] }, [1050n, 1000n, 1000n, 1000n]],
    ['credit over months', { grants: [{ name, amount: twd(1500), months: null }] }, [0n, 500n, 1000n, 1000n]],
    ['credit of one month', { grants: [{ name, amount: twd(1500), months: 1 }] }, [0n, 1000n, 1000n, 1000n]],
    [
      'monthly credit whose rest expires',
      { grants: [{ name, amount: twd(1200), months: 2, monthly: { rollover: false } }] },
      [0n, 0n, 1000n, 1000n],
    ],
    [
      'monthly credit that rolls over',
      { grants: [{ name, amount: twd(1200), months: 2, monthly: { rollover: true } }] },
      [0n, 0n, 1000n, 1000n],
    ],
    [
      'monthly credit for usage, above the charges, rolling over without an end',
      { grants: [{ name, amount: twd(600), months: null, monthly: { rollover: true } }] },
      [400n, 400n, 400n, 400n],
    ],
    [
      'a minimum for three months',
      { minimumSpend: { amount: twd(1400), months: 3 } },
      [1400n, 1400n, 1400n, 1000n],
    ],
  ])('%s', (_what, content, expected) => {
    expect(nets(content)).toEqual(expected);
  });

  it('a trial makes the time until its end free', () => {
    const trial = serviceOf(0, perUnit('310', '1'), '0', { trialEndsAt: new Date('2026-11-30T16:00:00Z') });
    const { first, full, contract } = planQuote(asked([trial], { months: 3 }));
    expect([first, full].map(({ figures }) => figures.net.minor)).toEqual([0n, 0n]);
    expect(contract.net.minor).toBe(310n);
  });

  it('a yearly plan charges its year in the first month', () => {
    const service = serviceOf(0, { model: 'flat', currency: 'TWD', baseFee: '12000' }, '0', {
      yearAnchor: '2026-10-12' as LocalDay,
    });
    const yearly = { ...service, plan: { ...service.plan, billingCycle: 'yearly' as const } };
    const { first, full, contract } = planQuote(asked([yearly], { months: 13 }));
    expect([first.figures.net.minor, full.figures.net.minor]).toEqual([12_000n, 0n]);
    expect(contract.net.minor).toBe(24_000n);
  });
});
