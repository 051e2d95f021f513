// A bill that charges a period twice, or has too many lines, is never issued (R-BILL-05).
import { describe, expect, test } from 'vitest';
import { zero } from '#kernel/decimal.ts';
import { money } from '#kernel/money.ts';
import type { PlannedBillLine } from './rules-late.ts';
import { maxLinesOfSubscription, assertSane } from './rules-sanity.ts';

const fee = (part: number, whole: number, more: Partial<PlannedBillLine> = {}): PlannedBillLine => ({
  kind: 'base_fee',
  subscriptionId: 'sub_1',
  serviceId: 'svc_1',
  serviceName: '專線',
  priceVersionId: 'prv_1',
  quantity: '1',
  unit: 'month',
  unitPrice: '100',
  exact: zero,
  amount: money(100n, 'TWD'),
  forMonth: null,
  steps: [
    {
      kind: 'base',
      from: null,
      upTo: null,
      quantity: '1',
      unitPrice: '100',
      amount: '100',
      share: { part, whole, unit: 'day', units: '1' },
    },
  ],
  ...more,
});

describe('duplicate fees', () => {
  test.each<[string, PlannedBillLine[], boolean]>([
    ['a whole month', [fee(30, 30)], true],
    ['a month twice', [fee(30, 30), fee(30, 30)], false],
    ['a month and one of its days again', [fee(30, 30), fee(1, 30)], false],
    ['the same for two subscriptions', [fee(30, 30), fee(30, 30, { subscriptionId: 'sub_2' })], true],
    [
      'a plan changed in mid-month: refund and rest',
      [fee(30, 30), fee(15, 30, { kind: 'credit' }), fee(15, 30)],
      true,
    ],
    ['the same without the refund', [fee(30, 30), fee(15, 30)], false],
    [
      'a plan charged by whole months, changed to in mid-month',
      [fee(15, 30), fee(30, 30, { serviceId: 'svc_2', isUndivided: true })],
      true,
    ],
    [
      'such a plan twice',
      [
        fee(30, 30, { serviceId: 'svc_2', isUndivided: true }),
        fee(30, 30, { serviceId: 'svc_2', isUndivided: true }),
      ],
      false,
    ],
    ['a month changed to a year', [fee(15, 30), fee(365, 365, { unit: 'year' })], true],
    ['a year twice', [fee(365, 365, { unit: 'year' }), fee(1, 365, { unit: 'year' })], false],
  ])('%s', (_what, lines, isSane) => {
    if (isSane) assertSane(lines);
    else expect(() => assertSane(lines)).toThrow('charged no part of its period twice');
  });
  test('more lines than possible', () => {
    const lines = Array.from({ length: maxLinesOfSubscription + 1 }, () => fee(0, 30));
    assertSane(lines.slice(1));
    expect(() => assertSane(lines)).toThrow('no more than 500 lines');
  });
});
