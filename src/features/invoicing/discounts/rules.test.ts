// When and to what a discount applies, and who gets it, case by case.
import { describe, expect, test } from 'vitest';
import { required } from '#kernel/assert.ts';
import { moneyText, readMoney, type Money } from '#kernel/money.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import type { Estimate } from '#features/selling/catalogue/contract.ts';
import type { Duration, Terms } from './contract.ts';
import { enUS } from './locales/enUS.ts';
import { zhTW } from './locales/zhTW.ts';
import {
  appliesIn,
  covers,
  discountState,
  estimatedLines,
  isCode,
  isPercent,
  lastMonthOf,
  normalizedCode,
  redemptionState,
  refusalOf,
  termsInWords,
  termsMistakes,
  type Availability,
  type Claim,
  type DiscountScope,
  type LineSubject,
} from './rules.ts';

const month = (text: string): BillingMonth => text as BillingMonth;
const day = (text: string): LocalDay => text as LocalDay;
const twd = (text: string): Money => required(readMoney(text, 'TWD'), text);
const [once, forever, three, june]: Duration[] = [
  { kind: 'once' },
  { kind: 'forever' },
  { kind: 'months', months: 3 },
  { kind: 'until', until: day('2026-06-10') },
];

describe('T-DISC: a redemption applies to a month’s bill', () => {
  test.each<[string, Duration, string[], boolean, string, boolean]>([
    ['not before its first month', forever!, [], false, '2026-01', false],
    ['from its first month on', forever!, [], false, '2026-02', true],
    ['for ever', forever!, ['2026-02', '2026-03'], false, '2099-12', true],
    ['not after its removal', forever!, [], true, '2026-03', false],
    ['in the third of three months', three!, ['2026-02', '2026-03'], false, '2026-04', true],
    ['not in the fourth', three!, [], false, '2026-05', false],
    ['across the turn of the year', { kind: 'months', months: 12 }, [], false, '2027-01', true],
    ['and not beyond', { kind: 'months', months: 12 }, [], false, '2027-02', false],
    ['in the whole month of the last day', june!, [], false, '2026-06', true],
    ['not in the month after it', june!, [], false, '2026-07', false],
    ['once, while no bill has it', once!, [], false, '2027-05', true],
    ['not once another month has it', once!, ['2026-03'], false, '2026-04', false],
    ['not even in an earlier month', once!, ['2026-04'], false, '2026-03', false],
    ['but in that month, on its bill in another currency', once!, ['2026-03'], false, '2026-03', true],
  ])('%s', (_name, duration, applied, isEnded, asked, applies) => {
    const standing = {
      duration,
      firstMonth: month('2026-02'),
      isEnded,
      appliedMonths: applied.map(month),
    };
    expect(appliesIn(standing, month(asked))).toBe(applies);
  });

  test.each<[Duration, string | null]>([
    [once!, null],
    [forever!, null],
    [{ kind: 'months', months: 1 }, '2026-11'],
    [three!, '2027-01'],
    [june!, '2026-06'],
  ])('%j from November 2026 ends with %s', (duration, last) => {
    expect(lastMonthOf({ duration, firstMonth: month('2026-11') })).toBe(last);
  });

  test.each<[string, Duration, string[], boolean, string, string]>([
    ['active', three!, [], false, '2026-04', 'active'],
    ['over after its last month', three!, [], false, '2026-05', 'over'],
    ['used', once!, ['2026-03'], false, '2026-03', 'used'],
    ['taken away', once!, ['2026-03'], true, '2026-03', 'ended'],
  ])('is %s', (_name, duration, applied, isEnded, now, state) => {
    expect(
      redemptionState(
        { duration, firstMonth: month('2026-02'), isEnded, appliedMonths: applied.map(month) },
        month(now),
      ),
    ).toBe(state);
  });
});

describe('T-DISC: the lines that a discount covers', () => {
  const everything: DiscountScope = { subscriptionId: null, services: null };
  const machine: DiscountScope = { ...everything, services: [{ serviceId: 'vm', chargeKeys: null }] };
  const hours: DiscountScope = {
    ...everything,
    services: [
      { serviceId: 'disk', chargeKeys: null },
      { serviceId: 'vm', chargeKeys: ['hours', 'ip'] },
    ],
  };
  const line = (
    serviceId: string | null,
    chargeKey: string | null = null,
    subscriptionId: string | null = 'one',
  ): LineSubject => ({ subscriptionId, serviceId, chargeKey });
  test.each<[string, DiscountScope, LineSubject, boolean]>([
    ['everything: a service', everything, line('vm'), true],
    ['everything: a one-off charge', everything, line(null, null, null), true],
    ['a service: its lines', machine, line('vm', 'hours'), true],
    ['a service: not another one', machine, line('disk'), false],
    ['a service: not a one-off charge', machine, line(null), false],
    ['charges: one of them', hours, line('vm', 'ip'), true],
    ['charges: not another one', hours, line('vm', 'setup'), false],
    ['charges: not lines without a charge', hours, line('vm'), false],
    ['charges: not the same key of another service', hours, line('net', 'hours'), false],
    ['charges: all lines of a service without keys', hours, line('disk', 'hours'), true],
    ['a subscription: its lines', { ...everything, subscriptionId: 'one' }, line('vm'), true],
    ['a subscription: not another one', { ...machine, subscriptionId: 'two' }, line('vm'), false],
    [
      'a subscription: not lines without one',
      { ...everything, subscriptionId: 'one' },
      line(null, null, null),
      false,
    ],
    [
      'a subscription that has changed to another service',
      { ...machine, subscriptionId: 'one' },
      line('disk'),
      false,
    ],
  ])('%s', (_name, scope, subject, isCovered) => {
    expect(covers(scope, subject)).toBe(isCovered);
  });
});

describe('T-DISC: who gets a discount', () => {
  const open: Parameters<typeof refusalOf>[0] = {
    isArchived: false,
    duration: forever!,
    redeemableUntil: day('2026-06-30'),
    maxRedemptions: 10,
    redemptions: 9,
    maxPerOrganization: 1,
    audience: 'anyone',
    organizationIds: [],
  };
  const claim: Claim = {
    organizationId: 'a',
    today: day('2026-06-30'),
    redeemedBefore: 0,
    hasSubscribed: true,
  };
  type Case = [string, Partial<typeof open>, Partial<Claim>, string | undefined, string | undefined];
  test.each<Case>([
    ['on the last day', {}, {}, undefined, undefined],
    ['the day after', {}, { today: day('2026-07-01') }, 'discounts.expired', undefined],
    [
      'past the last month that it reduces',
      { duration: june!, redeemableUntil: null },
      { today: day('2026-07-01') },
      'discounts.expired',
      'discounts.expired',
    ],
    ['when all are used', { redemptions: 10 }, {}, 'discounts.used_up', 'discounts.used_up'],
    ['a second time', {}, { redeemedBefore: 1 }, 'discounts.already_redeemed', 'discounts.already_redeemed'],
    [
      'up to an organization’s maximum',
      { maxPerOrganization: 2 },
      { redeemedBefore: 1 },
      undefined,
      undefined,
    ],
    ['new customers', { audience: 'new' }, { hasSubscribed: false }, undefined, undefined],
    [
      'existing customers get the message for unknown codes',
      { audience: 'new' },
      {},
      'discounts.code_unknown',
      undefined,
    ],
    ['a named organization', { audience: 'named', organizationIds: ['b', 'a'] }, {}, undefined, undefined],
    [
      'others get the message for unknown codes',
      { audience: 'named', organizationIds: ['b'] },
      {},
      'discounts.code_unknown',
      undefined,
    ],
    [
      'even when it has expired',
      { audience: 'named', organizationIds: ['b'] },
      { today: day('2026-07-01') },
      'discounts.code_unknown',
      undefined,
    ],
    ['archived', { isArchived: true }, {}, 'discounts.code_unknown', 'discounts.archived'],
  ])('%s', (_name, discount, claimed, byCode, byAdmin) => {
    const asked = [
      { ...open, ...discount },
      { ...claim, ...claimed },
    ] as const;
    expect([refusalOf(...asked, 'code'), refusalOf(...asked, 'admin')]).toEqual([byCode, byAdmin]);
  });

  test.each<[Partial<Availability>, string, string]>([
    [{}, '2026-06-30', 'active'],
    [{}, '2026-07-01', 'expired'],
    [{ redemptions: 10 }, '2026-06-30', 'used_up'],
    [{ redemptions: 10 }, '2026-07-01', 'expired'],
    [{ isArchived: true }, '2026-07-01', 'archived'],
    [{ redeemableUntil: null, maxRedemptions: null, redemptions: 99 }, '2099-01-01', 'active'],
    [{ redeemableUntil: null, duration: june! }, '2026-06-30', 'active'],
    [{ redeemableUntil: null, duration: june! }, '2026-07-01', 'expired'],
  ])('%j on %s is %s', (discount, today, state) => {
    expect(discountState({ ...open, ...discount }, day(today))).toBe(state);
  });
});

describe('typed input', () => {
  test.each([
    [' spring-26 ', 'SPRING-26', true],
    ['a_b', 'A_B', true],
    ['ab', 'AB', false],
    ['春天優惠', '春天優惠', false],
    ['WITH SPACE', 'WITH SPACE', false],
    ['x'.repeat(40), 'X'.repeat(40), true],
    ['x'.repeat(41), 'X'.repeat(41), false],
  ])('the code %j', (typed, stored, isRight) => {
    expect([normalizedCode(typed), isCode(normalizedCode(typed))]).toEqual([stored, isRight]);
  });
  test.each([
    ['0', false],
    ['0.0001', true],
    ['0.00001', false],
    ['33.3333', true],
    ['100', true],
    ['100.0001', false],
  ])('%s per cent', (typed, isRight) => {
    expect(isPercent(typed)).toBe(isRight);
  });
  test('each invalid field of the terms is named', () => {
    const today = day('2026-07-01');
    const fixed = { kind: 'fixed', amount: twd('0') } as const;
    expect(
      termsMistakes({ reduction: fixed, maximum: twd('5'), duration: june!, code: 'a' }, today).map(
        ({ field, code }) => `${field} ${code}`,
      ),
    ).toEqual([
      'reduction.amount discounts.amount_not_positive',
      'maximum discounts.maximum_of_percent',
      'duration.until discounts.until_passed',
      'code discounts.code_wrong',
    ]);
    const tenth = { kind: 'percent', percent: '10' } as const;
    expect(
      termsMistakes(
        { reduction: tenth, maximum: twd('5'), duration: { kind: 'until', until: today }, code: null },
        today,
      ),
    ).toEqual([]);
  });
});

describe('T-DISC: an estimate with a code', () => {
  const charge = (key: string, amount: string, kind: 'recurring' | 'usage' | 'one_time' = 'usage') => ({
    key,
    name: { zhTW: key, enUS: key },
    kind,
    amount: twd(amount),
    exact: amount,
    lines: [],
  });
  const card: Estimate = {
    amount: twd('900'),
    exact: '900',
    lines: [],
    // A maximum reduces it by 100.
    charges: [charge('fee', '300', 'recurring'), charge('hours', '700'), charge('setup', '5000', 'one_time')],
    once: twd('5000'),
  };
  test('has a line per charge, and one for the effect of a minimum or maximum; one-time charges have none', () => {
    expect(estimatedLines(card).map(({ chargeKey, amount }) => `${chargeKey} ${moneyText(amount)}`)).toEqual([
      'fee 300',
      'hours 700',
      'null -100',
    ]);
    expect(estimatedLines({ amount: twd('900'), exact: '900', lines: [] })).toEqual([
      { chargeKey: null, amount: twd('900') },
    ]);
  });
});

describe('terms as text', () => {
  const words = (terms: Partial<Terms>) => {
    const whole = {
      reduction: { kind: 'percent', percent: '12.50' },
      maximum: null,
      duration: forever!,
      scope: null,
      ...terms,
    } as const;
    const say =
      (texts: Readonly<Record<string, string>>) =>
      (key: string, params: Readonly<Record<string, unknown>> = {}): string =>
        required((params['count'] === 1 && texts[`${key}_one`]) || texts[key], key).replaceAll(
          /\{\{(\w+)\}\}/g,
          (_place, name: string) => String(params[name]),
        );
    return [termsInWords(whole, 'zhTW', say(zhTW)).full, termsInWords(whole, 'enUS', say(enUS)).full];
  };
  test.each<[Partial<Terms>, string, string]>([
    [{}, '折抵 12.5%，沒有期限', '12.5% off, with no end date'],
    [
      { maximum: twd('1500'), duration: three! },
      '折抵 12.5%（每月最多 NT$1,500），為期 3 個月',
      '12.5% off (up to NT$1,500 a month) for 3 months',
    ],
    [{ duration: { kind: 'months', months: 1 } }, '折抵 12.5%，為期 1 個月', '12.5% off for 1 month'],
    [
      { reduction: { kind: 'fixed', amount: twd('300') }, duration: june! },
      '每月折抵 NT$300，至 2026年6月止',
      'NT$300 off a month through Jun 2026',
    ],
    [
      { reduction: { kind: 'fixed', amount: twd('300') }, duration: once! },
      '折抵 NT$300，限一期帳單',
      'NT$300 off, on one bill',
    ],
    [
      {
        scope: [
          { serviceId: 'svc_a' as never, chargeKeys: null, serviceName: 'Disk', charges: null },
          {
            serviceId: 'svc_b' as never,
            chargeKeys: ['h', 'i'],
            serviceName: 'VM',
            charges: [
              { key: 'h', name: { zhTW: '時數', enUS: 'Hours' } },
              { key: 'i', name: { zhTW: '位址', enUS: 'IP' } },
            ],
          },
        ],
      },
      '折抵 12.5%，沒有期限；限Disk、VM（時數、位址）',
      '12.5% off, with no end date; only on Disk, VM (Hours, IP)',
    ],
  ])('%#', (terms, zh, en) => {
    expect(words(terms)).toEqual([zh, en]);
  });
});
