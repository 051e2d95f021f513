// Rules of amounts for all organizations or for one.
import { describe, expect, it } from 'vitest';
import { money } from '#kernel/money.ts';
import { amountMistake } from './rules-amounts.ts';

describe('R-BILL-05 an amount for all organizations or for one', () => {
  it.each([
    ['for all', null, money(100n, 'TWD'), undefined],
    ['for one', 'org_1', money(1n, 'TWD'), undefined],
    ['none for one organization', 'org_1', null, undefined],
    ['none for all organizations', null, null, 'needs_amount'],
    ['in another currency', null, money(100n, 'USD'), 'other_currency'],
    ['in another currency, for one organization', 'org_1', money(100n, 'USD'), 'other_currency'],
    ['of zero', null, money(0n, 'TWD'), 'not_positive'],
    ['below zero', 'org_1', money(-1n, 'TWD'), 'not_positive'],
  ] as const)('%s', (_, organizationId, amount, mistake) => {
    expect(amountMistake({ organizationId, currency: 'TWD', amount })).toBe(mistake);
  });
});
