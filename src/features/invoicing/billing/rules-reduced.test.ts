// The effect of a promo code on a service's month beside everything else on the bill, with numbers calculated
// by hand.
import { describe, expect, test } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { money, type Money } from '#kernel/money.ts';
import type { DiscountOrder } from '#features/invoicing/discounts/contract.ts';
import type { DiscountInForce } from '#features/invoicing/discounts/rules.ts';
import { lineAhead, reducedBy, type LineAhead } from './rules-reduced.ts';

const twd = (minor: number): Money => money(BigInt(minor), 'TWD');
const own = { subscriptionId: 'sub_new', serviceId: 'vm', serviceName: 'VM' };
const lines: readonly LineAhead[] = [
  { chargeKey: 'fee', amount: twd(300) },
  { chargeKey: 'hours', amount: twd(700) },
  // A maximum reduces it by 100.
  { chargeKey: null, amount: twd(-100) },
];
let count = 0;
const discount = (more: Partial<DiscountInForce> = {}): DiscountInForce => ({
  redemptionId: `rdm_${++count}` as Id<'rdm'>,
  version: 0n,
  name: { zhTW: 'd', enUS: 'd' },
  reduction: { kind: 'percent', percent: '10' },
  maximum: null,
  scope: { subscriptionId: null, services: null },
  isOnce: false,
  ...more,
});
const percent = (of: string): DiscountInForce => discount({ reduction: { kind: 'percent', percent: of } });
const fixed = (minor: number): DiscountInForce =>
  discount({ reduction: { kind: 'fixed', amount: twd(minor) } });
const ofVm = (chargeKeys: string[] | null): Partial<DiscountInForce> => ({
  scope: { subscriptionId: 'sub_new', services: [{ serviceId: 'vm', chargeKeys }] },
});
/** Another service of the organization on the same bill. */
const other = (minor: number) =>
  lineAhead(
    { subscriptionId: 'sub_old', serviceId: 'disk', serviceName: 'Disk' },
    { chargeKey: null, amount: twd(minor) },
  );
const amountsText = (amounts: readonly Money[]): string => amounts.map(({ minor }) => minor).join(' ');

describe('T-DISC: an estimate with a code alone', () => {
  test.each<[string, DiscountInForce, string, number]>([
    ['for all charges', discount(ofVm(null)), '270 630 -90', 90],
    ['for one charge', discount(ofVm(['hours'])), '300 630 -100', 70],
    [
      'an amount',
      discount({ ...ofVm(null), reduction: { kind: 'fixed', amount: twd(100) } }),
      '270 630 -100',
      100,
    ],
    ['up to its maximum', discount({ ...ofVm(['fee', 'hours']), maximum: twd(50) }), '285 665 -100', 50],
    [
      'for other services',
      discount({ scope: { subscriptionId: null, services: [{ serviceId: 'disk', chargeKeys: null }] } }),
      '300 700 -100',
      0,
    ],
  ])('%s', (_name, code, after, saved) => {
    const reduced = reducedBy(
      code,
      [],
      lines.map((line) => lineAhead(own, line)),
      { discounts: [], order: 'as_listed' },
    );
    expect([amountsText(reduced.before), amountsText(reduced.after), reduced.saved]).toEqual([
      '300 700 -100',
      after,
      twd(saved),
    ]);
  });
});

describe('T-DISC: an estimate with a code stacks discounts like bills', () => {
  const service = [lineAhead(own, { chargeKey: null, amount: twd(1000) })];
  test.each<[string, DiscountInForce[], DiscountOrder, DiscountInForce, number, number, number, number]>([
    // 1,000 − 20 % = 800, then 10 % of that.
    ['after another discount', [percent('20')], 'as_listed', percent('10'), 0, 800, 720, 80],
    // The amount was redeemed first and applies first: (1,000 − 300) × 90 %.
    ['in the order of redemption', [fixed(300)], 'as_listed', percent('10'), 0, 700, 630, 70],
    // 1,000 × 90 % − 300.
    ['percentages first', [fixed(300)], 'percent_first', percent('10'), 0, 700, 600, 100],
    ['best only: the code is worse', [percent('20')], 'best_only', percent('10'), 0, 800, 800, 0],
    ['best only: the code is better', [percent('20')], 'best_only', percent('50'), 0, 800, 500, 300],
    // The remaining minor unit goes to the first of equal lines, and Disk precedes VM: 501 and 500.
    ['a remaining unit goes where the bill has it', [], 'as_listed', fixed(1001), 1000, 1000, 500, 1001],
    // 400 over 1,000 and 3,000: a quarter belongs to the new service, and the bill falls by all of it.
    ['an amount is shared with other services', [], 'as_listed', fixed(400), 3000, 1000, 900, 400],
    // A discount for another subscription does not apply.
    [
      'for another subscription',
      [discount({ scope: { subscriptionId: 'sub_old', services: null } })],
      'as_listed',
      percent('10'),
      3000,
      1000,
      900,
      370,
    ],
  ])('%s', (_name, discounts, order, code, others, before, after, saved) => {
    const reduced = reducedBy(code, others === 0 ? [] : [other(others)], service, { discounts, order });
    expect(reduced).toEqual({ before: [twd(before)], after: [twd(after)], saved: twd(saved) });
  });
});
