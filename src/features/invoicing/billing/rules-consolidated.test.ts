// Rules of consolidated bills.
import { describe, expect, it } from 'vitest';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Bill } from './contract.ts';
import {
  consolidatedSeries,
  consolidatedStanding,
  isTimeToConsolidate,
  waitsForMs,
} from './rules-consolidated.ts';

const bill = (paymentStatus: Bill['paymentStatus']) => ({
  paymentStatus,
  state: paymentStatus === 'paid' || paymentStatus === 'void' ? paymentStatus : ('open' as const),
});

describe('T-CONSOLIDATED: the state of a consolidated bill', () => {
  it.each([
    [['unpaid', 'unpaid'], 'open', 'unpaid'],
    [['unpaid', 'paid'], 'open', 'partially_paid'],
    [['unpaid', 'void'], 'open', 'unpaid'],
    [['partially_paid', 'unpaid'], 'open', 'partially_paid'],
    [['processing', 'unpaid'], 'open', 'processing'],
    [['processing', 'overdue'], 'open', 'overdue'],
    [['overdue', 'paid'], 'open', 'overdue'],
    [['paid', 'paid'], 'paid', 'paid'],
    [['paid', 'void'], 'paid', 'paid'],
    [['void', 'void'], 'void', 'void'],
  ] as const)('%j: %s, %s', (statuses, state, paymentStatus) => {
    expect(consolidatedStanding(statuses.map(bill))).toEqual({ state, paymentStatus });
    expect(consolidatedStanding(statuses.map(bill).toReversed())).toEqual({ state, paymentStatus });
  });
});

describe('T-CONSOLIDATED: when it is issued', () => {
  const firstIssuedAt = new Date('2024-11-01T00:05:00Z');
  it.each([
    ['complete: immediately', true, 0, true],
    ['incomplete', false, waitsForMs - 1, false],
    ['incomplete for a long time', false, waitsForMs, true],
  ])('%s', (_, isComplete, afterMs, expected) => {
    const now = new Date(firstIssuedAt.getTime() + afterMs);
    expect(isTimeToConsolidate({ isComplete, firstIssuedAt }, now)).toBe(expected);
  });
  it('is numbered in a series per month', () => {
    expect(consolidatedSeries('2024-11' as BillingMonth)).toBe('CB-202411');
  });
});
