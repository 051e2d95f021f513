import { describe, expect, it } from 'vitest';
import { money } from '#kernel/money.ts';
import { placesOf, readAmount, readThresholds, stateOf, thresholdAmount } from './budget-view.ts';

const forecast = (percent: number, low = '0', high = '0') => ({ expected: '0', low, high, percent });
const thresholds = [50, 85, 100];

describe('the status of a budget', () => {
  it.each([
    [0, null, 'within'],
    [84.9, null, 'within'],
    [85, null, 'near'],
    [99.9, forecast(99.9), 'near'],
    [30, forecast(100), 'heading'],
    [100, forecast(140), 'over'],
  ] as const)('%f %% spent: %s', (percent, expected, state) => {
    expect(stateOf({ percent, forecast: expected, thresholds })).toBe(state);
  });
});

describe('positions on the budget’s bar', () => {
  it('the whole bar is the budget as long as nothing exceeds it', () => {
    expect(
      placesOf({
        percent: 40,
        forecast: forecast(80, '700', '900'),
        thresholds,
        amount: money(1000n, 'TWD'),
      }),
    ).toEqual({
      spent: 40,
      whole: 100,
      expected: 80,
      low: 70,
      high: 90,
      thresholds: [
        { percent: 50, at: 50 },
        { percent: 85, at: 85 },
        { percent: 100, at: 100 },
      ],
    });
  });
  it('the bar extends to the forecast; a threshold beyond is not shown', () => {
    const places = placesOf({
      percent: 50,
      forecast: forecast(150, '1.00', '2.00'),
      thresholds: [100, 250],
      amount: money(100n, 'USD'),
    });
    expect(places).toEqual({
      spent: 25,
      whole: 50,
      expected: 75,
      low: 50,
      high: 100,
      thresholds: [{ percent: 100, at: 50 }],
    });
  });
});

describe('typed input', () => {
  it.each([
    ['50, 85, 100', [50, 85, 100]],
    ['100、50％ 85%，50', [50, 85, 100]],
    ['', undefined],
    ['0', undefined],
    ['50.5', undefined],
    ['1001', undefined],
    ['1,2,3,4,5,6,7,8,9,10,11', undefined],
  ])('%s', (typed, read) => {
    expect(readThresholds(typed)).toEqual(read);
  });
  it('amounts with commas and the decimals of their currency', () => {
    expect([
      readAmount('10,000', 'TWD'),
      readAmount('10.5', 'TWD'),
      readAmount('10.50', 'USD'),
      readAmount('0', 'TWD'),
      readAmount('-1', 'TWD'),
    ]).toEqual([money(10_000n, 'TWD'), undefined, money(1050n, 'USD'), undefined, undefined]);
  });
  it('a threshold as an amount', () =>
    expect(thresholdAmount(money(1050n, 'USD'), 85)).toEqual(money(892n, 'USD')));
});
