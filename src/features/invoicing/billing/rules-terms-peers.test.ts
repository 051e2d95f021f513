// Examples from other products' documentation, calculated with the functions of bills: discounts, credit,
// commitments, minimums and interim bills (R-BILL-05). Each table names the page its numbers are from.
// Amounts are US cents.
import { describe, expect, test } from 'vitest';
import { decimal } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import { money, type Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { CommitmentInForce } from '#features/invoicing/commitments/rules.ts';
import { byBurnOrder, wholeScope, type GrantInForce } from '#features/invoicing/credit-grants/rules.ts';
import type { DiscountInForce } from '#features/invoicing/discounts/rules.ts';
import { interimLines, type InterimBill } from './rules-interim.ts';
import type { PlannedBillLine } from './rules-late.ts';
import { billWithTerms, noTerms, takenOf, type BillPlan, type Terms } from './rules-terms.ts';

const usd = (minor: number | bigint): Money => money(BigInt(minor), 'USD');
const name = { zhTW: '約定', enUS: 'Agreed' };

const line = (amount: number, kind: PlannedBillLine['kind'] = 'usage', service = 'api'): PlannedBillLine => ({
  kind,
  subscriptionId: `sub_${service}`,
  serviceId: `svc_${service}`,
  serviceName: service,
  priceVersionId: 'prv_1',
  quantity: '1',
  unit: 'calls',
  unitPrice: null,
  exact: decimal(String(amount)).times(decimal('0.01')),
  amount: usd(amount),
  steps: [],
  forMonth: null,
});
const discount = (
  id: string,
  reduction: DiscountInForce['reduction'],
  services: DiscountInForce['scope']['services'] = null,
): DiscountInForce => ({
  redemptionId: `rdm_${id}` as Id<'rdm'>,
  version: 1n,
  name,
  reduction,
  maximum: null,
  scope: { subscriptionId: null, services },
  isOnce: false,
});
const percent = (id: string, of: string, services?: DiscountInForce['scope']['services']) =>
  discount(id, { kind: 'percent', percent: of }, services);
const grant = (kind: GrantInForce['kind'], available: number, id: string = kind): GrantInForce => ({
  id: `cgr_${id}` as Id<'cgr'>,
  version: 1n,
  kind,
  name,
  available: usd(available),
  isOfMonth: false,
  scope: wholeScope,
});
/** Of one month, at current prices unless `overagePercent` is another. */
const commitment = (amount: number, overagePercent = '100'): CommitmentInForce => ({
  id: 'cmt_1' as Id<'cmt'>,
  version: 1n,
  name,
  scope: { services: null, usageOnly: true },
  currency: 'USD',
  committedPercent: '100',
  overagePercent,
  period: { index: 0, firstMonth: '2026-01' as BillingMonth, lastMonth: '2026-01' as BillingMonth },
  amount: BigInt(amount),
  target: BigInt(amount),
  drawn: 0n,
  trueUp: 0n,
  settles: true,
});
const minimum = (amount: number) => ({ id: 'msp_1' as Id<'msp'>, name, amount: usd(amount) });
const interim = (number: string, amount: number): InterimBill => ({
  id: `bil_${number}` as Id<'bil'>,
  number,
  currency: 'USD',
  lines: [{ subscriptionId: 'sub_api', serviceId: 'svc_api', serviceName: 'api', minor: BigInt(amount) }],
});

const plan = (base: readonly PlannedBillLine[], terms: Partial<Terms>, taxRate = '0'): BillPlan =>
  billWithTerms('USD', base, { ...noTerms, ...terms }, taxRate);
/** The lines, then net, tax, and the amount due after prepaid credit. */
const shown = ({ lines, net, tax, total, applied }: BillPlan): string =>
  `${lines.map(({ amount }) => amount.minor).join(' ')} = ${net.minor} + ${tax.minor}; ${total.minor - takenOf('USD', applied.prepaid).minor}`;

type Row = [what: string, base: PlannedBillLine[], terms: Partial<Terms>, taxRate: string, figures: string];
const fee = (amount: number) => line(amount, 'base_fee', 'plan');
const apiOnly = [{ serviceId: 'svc_api', chargeKeys: null }];

describe('T-DISC: discounts and prepaid credit as in other products', () => {
  test.each<Row>([
    // https://docs.flexprice.io/docs/invoices/calculation
    [
      'Flexprice: 25 % off the calls, then $10 off, tax on what that leaves, and the wallet pays $5 of it',
      [line(8000), fee(2000)],
      {
        discounts: [percent('1', '25', apiOnly), discount('2', { kind: 'fixed', amount: usd(1000) })],
        grants: [grant('paid', 500)],
      },
      '8.25',
      '8000 2000 -2000 -1000 = 7000 + 578; 7078',
    ],
    // https://docs.flexprice.io/docs/invoices/billing-calculation-order
    [
      'Flexprice: two coupons of 10 % are 19 %',
      [line(10000)],
      { discounts: [percent('1', '10'), percent('2', '10')] },
      '0',
      '10000 -1000 -900 = 8100 + 0; 8100',
    ],
    [
      'Flexprice: coupons never leave a negative amount to tax',
      [line(8000)],
      { discounts: [discount('1', { kind: 'fixed', amount: usd(9000) })] },
      '8.25',
      '8000 -8000 = 0 + 0; 0',
    ],
    // https://getlago.com/changelog/nvoice-calculation-method has $50 + $20, a coupon of $10, 10 % tax and $30 of prepaid credit;
    // since https://getlago.com/changelog/coupons-before-tax the coupon is before tax.
    [
      'Lago: a coupon before tax, prepaid credit after it',
      [fee(5000), line(2000)],
      { discounts: [discount('1', { kind: 'fixed', amount: usd(1000) })], grants: [grant('paid', 3000)] },
      '10',
      '5000 2000 -1000 = 6000 + 600; 3600',
    ],
  ])('%s', (_what, base, terms, taxRate, figures) => {
    expect(shown(plan(base, terms, taxRate))).toBe(figures);
  });
});

describe('T-GRANT: credit as in other products', () => {
  test.each<Row>([
    // https://developer.konghq.com/metering-and-billing/credits/consumption-and-expiration/ (OpenMeter), credit_then_invoice
    [
      'OpenMeter: $40 of credit for a charge of $100, $60 are invoiced',
      [line(10000)],
      { grants: [grant('paid', 4000)] },
      '0',
      '10000 = 10000 + 0; 6000',
    ],
    [
      'OpenMeter: $100 of credit for a charge of $100',
      [line(10000)],
      { grants: [grant('paid', 10000)] },
      '0',
      '10000 = 10000 + 0; 0',
    ],
    [
      'OpenMeter: the same of promotional credit, before tax',
      [line(10000)],
      { grants: [grant('promotional', 4000)] },
      '0',
      '10000 -4000 = 6000 + 0; 6000',
    ],
  ])('%s', (_what, base, terms, taxRate, figures) => {
    expect(shown(plan(base, terms, taxRate))).toBe(figures);
  });

  // The order of the same page: priority, then what expires first, then the order in which they were given. What is without an end is last
  // (https://docs.stigg.io/documentation/modeling-your-pricing-in-stigg/credits/credit-consumption-logic).
  test('OpenMeter, Stigg: by priority, then expiry, then age, the next one after the first is used up', () => {
    const ranked = [
      { id: 'endless', priority: 1, lastMonth: null, createdAt: new Date(1), available: 5000 },
      { id: 'younger', priority: 1, lastMonth: '2026-09', createdAt: new Date(3), available: 2000 },
      { id: 'older', priority: 1, lastMonth: '2026-09', createdAt: new Date(2), available: 5000 },
      { id: 'second', priority: 2, lastMonth: '2026-08', createdAt: new Date(1), available: 10000 },
    ].map((each) => ({ ...each, lastMonth: each.lastMonth as BillingMonth | null }));
    const grants = ranked.toSorted(byBurnOrder).map(({ id, available }) => grant('paid', available, id));
    const taken = plan([line(15000)], { grants }).applied.prepaid;
    expect(taken.map(({ id, amount }) => `${id} ${amount.minor}`)).toEqual([
      'cgr_older 5000',
      'cgr_younger 2000',
      'cgr_endless 5000',
      'cgr_second 3000',
    ]);
  });
});

describe('T-CMT: commitments and minimums as in other products', () => {
  test.each<Row>([
    // https://getlago.com/docs/guide/lago-cloud/contract-billing.md
    [
      'Lago: $800 of usage with a commitment of $1,000',
      [line(80000)],
      { commitments: [commitment(100000)] },
      '0',
      '80000 20000 = 100000 + 0; 100000',
    ],
    [
      'Lago: $1,300 of usage with a commitment of $1,000',
      [line(130000)],
      { commitments: [commitment(100000)] },
      '0',
      '130000 = 130000 + 0; 130000',
    ],
    // https://developer.zuora.com/docs/get-started/tutorials/ai-monetization/prepay-with-drawdown: $0.01 a token until $1,000 are used, then $0.02.
    [
      'Zuora: 120,000 tokens at $0.01, of which those beyond $1,000 cost twice as much',
      [line(120000)],
      { commitments: [commitment(100000, '200')] },
      '0',
      '120000 20000 = 140000 + 0; 140000',
    ],
    [
      'Zuora: exactly the 100,000 tokens covered by $1,000',
      [line(100000)],
      { commitments: [commitment(100000, '200')] },
      '0',
      '100000 = 100000 + 0; 100000',
    ],
    // https://getlago.com/docs/guide/plans/charges/spending-minimum
    [
      'Lago: $50 of usage, a spending minimum of $100',
      [line(5000)],
      { minimumSpends: [minimum(10000)] },
      '0',
      '5000 5000 = 10000 + 0; 10000',
    ],
    // https://github.com/getlago/lago-api/pull/1787
    [
      'Lago: a fee of $50 and three units at $10, a minimum of $100',
      [fee(5000), line(3000)],
      { minimumSpends: [minimum(10000)] },
      '0',
      '5000 3000 2000 = 10000 + 0; 10000',
    ],
  ])('%s', (_what, base, terms, taxRate, figures) => {
    expect(shown(plan(base, terms, taxRate))).toBe(figures);
  });
});

describe('T-INTERIM: interim bills as in other products', () => {
  test.each<[what: string, used: number, threshold: number, before: readonly number[], due: number | null]>([
    // https://getlago.com/docs/guide/plans/progressive-billing.md: all usage, including that beyond the
    // threshold, less what was billed before.
    ['Lago: $12 of usage when the threshold of $10 is checked', 1200, 1000, [], 1200],
    ['Lago: billed usage is excluded, and a threshold counts newer usage', 2100, 1000, [1200], null],
    ['Lago: the next one bills newer usage', 2200, 1000, [1200], 1000],
    // https://docs.flexprice.io/docs/subscriptions/progressive-billing: a threshold of $500 applies again
    // after a bill was issued.
    ['Flexprice: $500 reach a threshold of $500', 50000, 50000, [], 50000],
    ['Flexprice: $499.99 do not', 49999, 50000, [], null],
    ['Flexprice: another $499.99 do not', 99999, 50000, [50000], null],
  ])('%s', (_what, used, threshold, before, due) => {
    const interims = before.map((amount, index) => interim(`B-${index}`, amount));
    const lines = interimLines(
      plan([line(used)], { interims }),
      interims,
      usd(0),
      { id: 'itt_1', amount: usd(threshold) },
      name,
    );
    expect(lines.map(({ amount }) => Number(amount.minor))).toEqual(due === null ? [] : [due]);
  });

  // https://raw.githubusercontent.com/openmeterio/openmeter/main/KNOWN-ISSUES.md: 40 and 20 units at 1 were
  // billed before, the minimum of the period is 100; its last bill must add the rest.
  test('OpenMeter: a minimum is filled up on the last bill, whatever was billed before', () => {
    expect(
      shown(
        plan([line(6000)], {
          minimumSpends: [minimum(10000)],
          interims: [interim('B-1', 4000), interim('B-2', 2000)],
        }),
      ),
    ).toBe('6000 4000 -4000 -2000 = 4000 + 0; 4000');
  });
});
