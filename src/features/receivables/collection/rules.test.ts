// What happens after a declined card, when a bill is first charged, and when a card expires.
import { describe, expect, test } from 'vitest';
import type { LocalDay } from '#kernel/shape.ts';
import {
  afterFailure,
  daysRise,
  expiryOf,
  firstDayOf,
  initialPlan,
  lastDayOf,
  reasonOf,
  stopOf,
} from './rules.ts';

const firstAt = new Date('2026-03-01T02:00:00Z');
const after = (code: string, tries = 1, now = firstAt) =>
  afterFailure(code, { tries, firstAt, now, retryDays: initialPlan.retryDays });

describe('T-DECL: after a decline', () => {
  test.each([
    [1, '2026-03-02T02:00:00Z'],
    [2, '2026-03-04T02:00:00Z'],
    [3, '2026-03-06T02:00:00Z'],
    [4, '2026-03-08T02:00:00Z'],
  ])('attempt %i is followed by one on its day', (tries, next) => {
    expect(after('insufficient_funds', tries)).toEqual({ nextAt: new Date(next) });
  });
  test('the schedule ends, and an empty one has no second attempt', () => {
    expect(after('do_not_honor', 5)).toEqual({ stopped: 'given_up' });
    expect(afterFailure('do_not_honor', { tries: 1, firstAt, now: firstAt, retryDays: [] })).toEqual({
      stopped: 'given_up',
    });
  });
  test('a late response does not bring two attempts close together', () => {
    expect(after('insufficient_funds', 1, new Date('2026-03-05T02:00:00Z'))).toEqual({
      nextAt: new Date('2026-03-05T14:00:00Z'),
    });
  });
  test.each([
    ['lost_card', { stopped: 'declined' }],
    ['10100251', { stopped: 'declined' }],
    ['10100255', { stopped: 'declined' }],
    ['10100256', { stopped: 'declined' }],
    ['10100252', { nextAt: new Date('2026-03-02T02:00:00Z') }],
    ['revocation_of_all_authorizations', { stopped: 'declined' }],
    ['authentication_required', { stopped: 'confirm' }],
    ['refused', { stopped: 'refused' }],
    ['not_needed', { nextAt: firstAt }],
    ['lost', { nextAt: firstAt }],
  ])('%s', (code, expected) => {
    expect(after(code)).toEqual(expected);
  });
  test.each([
    'lost_card',
    '10100255',
    '10100256',
    'stolen_card',
    'fraudulent',
    'pickup_card',
    'merchant_blacklist',
    '__proto__',
  ])('a cardholder is not told about %s', (code) => {
    expect(reasonOf(code)).toBe('other');
  });
});

describe('T-DECL: each of Stripe’s decline codes for cards (docs.stripe.com/declines/codes)', () => {
  test.each([
    ['approve_with_id', 'given_up', 'other'],
    ['authentication_required', 'confirm', 'confirm'],
    ['call_issuer', 'given_up', 'other'],
    ['card_not_supported', 'given_up', 'unsupported'],
    ['card_velocity_exceeded', 'given_up', 'limit'],
    ['currency_not_supported', 'given_up', 'unsupported'],
    ['do_not_honor', 'given_up', 'other'],
    ['do_not_try_again', 'declined', 'other'],
    ['duplicate_transaction', 'given_up', 'other'],
    ['expired_card', 'declined', 'expired'],
    ['fraudulent', 'given_up', 'other'],
    ['generic_decline', 'given_up', 'other'],
    ['highest_risk_level', 'declined', 'other'],
    ['incorrect_address', 'given_up', 'invalid'],
    ['incorrect_cvc', 'given_up', 'invalid'],
    ['incorrect_number', 'declined', 'invalid'],
    ['incorrect_pin', 'given_up', 'other'],
    ['incorrect_zip', 'given_up', 'invalid'],
    ['insufficient_funds', 'given_up', 'insufficient_funds'],
    ['invalid_account', 'declined', 'other'],
    ['invalid_amount', 'given_up', 'limit'],
    ['invalid_cvc', 'given_up', 'invalid'],
    ['invalid_expiry_month', 'given_up', 'invalid'],
    ['invalid_expiry_year', 'given_up', 'invalid'],
    ['invalid_number', 'declined', 'invalid'],
    ['invalid_pin', 'given_up', 'other'],
    ['issuer_not_available', 'given_up', 'unavailable'],
    ['lost_card', 'declined', 'other'],
    ['merchant_blacklist', 'declined', 'other'],
    ['new_account_information_available', 'given_up', 'other'],
    ['no_action_taken', 'given_up', 'other'],
    ['not_permitted', 'given_up', 'unsupported'],
    ['offline_pin_required', 'given_up', 'other'],
    ['online_or_offline_pin_required', 'given_up', 'other'],
    ['pickup_card', 'declined', 'other'],
    ['pin_try_exceeded', 'given_up', 'other'],
    ['processing_error', 'given_up', 'unavailable'],
    ['reenter_transaction', 'given_up', 'unavailable'],
    ['restricted_card', 'given_up', 'other'],
    ['revocation_of_all_authorizations', 'declined', 'revoked'],
    ['revocation_of_authorization', 'declined', 'revoked'],
    ['security_violation', 'given_up', 'other'],
    ['service_not_allowed', 'given_up', 'other'],
    ['stolen_card', 'declined', 'other'],
    ['stop_payment_order', 'declined', 'revoked'],
    ['testmode_decline', 'declined', 'other'],
    ['transaction_not_allowed', 'declined', 'other'],
    ['try_again_later', 'given_up', 'unavailable'],
    ['withdrawal_count_limit_exceeded', 'given_up', 'limit'],
    // A code that Stripe adds in the future counts as a soft decline.
    ['a_code_of_tomorrow', 'given_up', 'other'],
    ['', 'given_up', 'other'],
    ['toString', 'given_up', 'other'],
  ] as const)('%s: %s, shown as %s', (code, stop, reason) => {
    expect([stopOf(code), reasonOf(code)]).toEqual([stop, reason]);
  });
});

describe('T-DAY: the first day of collection', () => {
  const bill = { issuedOn: '2026-03-01' as LocalDay, dueOn: '2026-03-31' as LocalDay };
  test.each([
    ['issue', 3, '2026-03-01'],
    ['due', 3, '2026-03-31'],
    ['before', 3, '2026-03-28'],
    ['before', 30, '2026-03-01'],
  ] as const)('%s, %i days', (firstDay, daysBefore, expected) => {
    expect(firstDayOf({ firstDay, daysBefore, retryDays: [] }, bill)).toBe(expected);
  });
  test('is never before the bill is issued', () => {
    expect(
      firstDayOf(
        { firstDay: 'before', daysBefore: 30, retryDays: [] },
        { ...bill, dueOn: '2026-03-10' as LocalDay },
      ),
    ).toBe('2026-03-01');
  });
});

describe('T-EXP: a card', () => {
  test.each([
    [2, 2028, '2028-02-29'],
    [12, 2026, '2026-12-31'],
  ])('%i/%i can be charged until %s', (expMonth, expYear, last) => {
    expect(lastDayOf({ expMonth, expYear })).toBe(last);
  });
  test.each([
    ['2026-11-30', 'fine'],
    ['2026-12-01', 'soon'],
    ['2026-12-31', 'soon'],
    ['2027-01-01', 'over'],
  ] as const)('seen on %s', (today, expected) => {
    expect(expiryOf({ expMonth: 12, expYear: 2026 }, today as LocalDay)).toBe(expected);
  });
});

test.each([
  [[], true],
  [[1, 3], true],
  [[1, 1], false],
  [[3, 1], false],
])('the days %j rise: %s', (days, expected) => {
  expect(daysRise(days)).toBe(expected);
});
