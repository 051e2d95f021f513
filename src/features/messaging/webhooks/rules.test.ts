// Event types and data of notices, and retry times of deliveries.
import { describe, expect, it } from 'vitest';
import { eventTypes } from './contract.ts';
import { eventData, eventTypeOf, gapAfter, longestMs, nextAttempt, pauseSecondsAfter } from './rules.ts';

const textKey = 'x.notice';

describe('webhook event types', () => {
  it.each([
    ['bill.issued', textKey, 'bill.issued'],
    ['bill.void', textKey, 'bill.voided'],
    ['bill.credited', textKey, 'bill.credited'],
    ['dunning.suspend', textKey, 'dunning.suspended'],
    ['dunning.past_due', textKey, 'dunning.past_due'],
    ['quota.Warning', textKey, 'quota.warning'],
    ['quota.Critical', textKey, 'quota.critical'],
    ['quota.recovered', textKey, 'quota.recovered'],
    ['quota.raise_granted', textKey, 'quota.raise_granted'],
    ['creditlimit.near', textKey, 'creditlimit.near'],
    ['creditlimit.reached', textKey, 'creditlimit.reached'],
    ['creditlimit.kept_paused', textKey, 'creditlimit.kept_paused'],
    ['budget.actual', textKey, 'budget.actual'],
    ['payment.settled', 'payments.notice_arrived', 'payment.succeeded'],
    ['payment.settled', 'payments.notice_payment_arrived', 'payment.succeeded'],
    ['payment.settled', 'payments.notice_payment_failed', 'payment.failed'],
    ['payment.settled', 'payments.notice_rejected', 'payment.rejected'],
    ['payment.settled', 'payments.notice_mismatch_payer', 'payment.mismatched'],
    ['payment.refunded', 'payments.notice_refunded', 'payment.refunded'],
    ['webhook.disabled', textKey, 'webhook.disabled'],
    ['news.of_tomorrow', textKey, 'other'],
    ['payment.settled', 'payments.notice_new', 'other'],
    ['constructor', textKey, 'other'],
  ])('%s (%s) is %s', (kind, key, type) => expect(eventTypeOf({ kind, textKey: key })).toBe(type));

  it('have one naming scheme', () =>
    expect(eventTypes.filter((type) => !/^[a-z]+(\.[a-z_]+)?$/.test(type))).toEqual([]));
});

describe('the data of an event', () => {
  const notice = { kind: 'bill.issued', textKey, subject: 'bil_1', params: {} };
  it('names its subject by kind, and its organization', () =>
    expect(eventData(notice, 'org_1')).toEqual({ organizationId: 'org_1', billId: 'bil_1' }));
  it('has amounts with currency as decimal text', () => {
    expect(
      eventData(
        { ...notice, params: { amount: '0.30', currency: 'USD', percent: 85, used: 0.1, large: 2n ** 60n } },
        'o',
      ),
    ).toMatchObject({
      amount: { amount: '0.30', currency: 'USD' },
      percent: 85,
      used: '0.1',
      large: '1152921504606846976',
    });
  });
  it('keeps an amount that is not money unchanged', () =>
    expect(eventData({ ...notice, params: { amount: '3', currency: 'apples' } }, 'o')).toMatchObject({
      amount: '3',
      currency: 'apples',
    }));
  it('contains the kind of news without a type', () =>
    expect(eventData({ ...notice, kind: 'news.of_tomorrow', subject: 'x' }, 'o')).toEqual({
      organizationId: 'o',
      kind: 'news.of_tomorrow',
    }));
});

describe('2.H-132 retries', () => {
  const began = new Date('2026-01-01T00:00:00Z');
  it('end within a day', () => {
    let now = began;
    let tries = 1;
    for (let next = nextAttempt(tries, began, now); next; next = nextAttempt(tries, began, now)) {
      now = next;
      tries++;
    }
    expect([tries, now.getTime() - began.getTime() <= longestMs]).toEqual([8, true]);
  });
  it('do not happen later than a day, however few attempts there were', () => {
    expect(nextAttempt(3, began, new Date(began.getTime() + longestMs - 1_799_000))).toBeNull();
    expect(nextAttempt(3, began, new Date(began.getTime() + longestMs - 1_800_000))).not.toBeNull();
  });
  it('have increasing pauses except the last', () =>
    expect([1, 2, 3, 4, 5, 6, 7, 8].map(gapAfter)).toEqual([
      5,
      300,
      1800,
      7200,
      18_000,
      36_000,
      21_600,
      undefined,
    ]));
  it('pause an endpoint for up to five minutes', () =>
    expect([0, 1, 2, 3, 6, 7, 100].map(pauseSecondsAfter)).toEqual([0, 5, 10, 20, 160, 300, 300]));
});
