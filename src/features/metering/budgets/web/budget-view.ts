// Computes what a budget's bar shows: its status, and positions on the bar.
import { decimal } from '#kernel/decimal.ts';
import { money, parseMoney, roundToMoney, type Currency, type Money } from '#kernel/money.ts';
import type { Budget } from '../contract.ts';
import { inOrder } from '../rules.ts';

export type BudgetState = 'within' | 'near' | 'heading' | 'over';

/**
 * Over: everything is spent. Heading: the forecast exceeds the budget. Near: the last threshold below 100 %
 * was passed.
 */
export function stateOf({
  percent,
  forecast,
  thresholds,
}: Pick<Budget, 'percent' | 'forecast' | 'thresholds'>): BudgetState {
  if (percent >= 100) return 'over';
  if (forecast && forecast.percent >= 100) return 'heading';
  const last = thresholds.findLast((each) => each < 100);
  return last !== undefined && percent >= last ? 'near' : 'within';
}

export type Places = {
  readonly spent: number;
  readonly whole: number;
  readonly expected: number | null;
  readonly low: number;
  readonly high: number;
  readonly thresholds: readonly { readonly percent: number; readonly at: number }[];
};

/**
 * Positions on a bar that is wide enough for the budget and the forecast's range, as percentages of its
 * width.
 */
export function placesOf({
  percent,
  forecast,
  thresholds,
  amount,
}: Pick<Budget, 'percent' | 'forecast' | 'thresholds' | 'amount'>): Places {
  const whole = moneyNumber(amount);
  const share = (exact: string): number => (whole === 0 ? 0 : (Number(exact) / whole) * 100);
  const high = forecast ? share(forecast.high) : 0;
  const most = Math.max(100, percent, high, forecast?.percent ?? 0);
  const at = (value: number): number => Math.min(100, Math.max(0, (value / most) * 100));
  return {
    spent: at(percent),
    whole: at(100),
    expected: forecast ? at(forecast.percent) : null,
    low: forecast ? at(share(forecast.low)) : 0,
    high: at(high),
    // Thresholds beyond the end of the bar are not drawn.
    thresholds: thresholds.filter((each) => each <= most).map((each) => ({ percent: each, at: at(each) })),
  };
}

/** An amount in whole units, only for drawing. */
const moneyNumber = (amount: Money): number => Number(amount.minor) / 10 ** digitsOf(amount.currency);
const digitsOf = (currency: Currency): number =>
  String(roundToMoney(decimal('1'), currency).minor).length - 1;

/** An exact cost, rounded for display. */
export const shown = (exact: string, currency: Currency): Money => roundToMoney(decimal(exact), currency);
/** A threshold as an amount of money. */
export const thresholdAmount = (amount: Money, threshold: number): Money =>
  money((amount.minor * BigInt(threshold)) / 100n, amount.currency);

/**
 * Parses percentages such as "50, 85、100" and returns them ascending and without duplicates; undefined if one
 * is invalid.
 */
export function readThresholds(typed: string): number[] | undefined {
  const parts = typed
    .split(/[,，、\s]+/)
    .map((part) => part.replace(/[%％]$/, ''))
    .filter((part) => part !== '');
  const numbers = parts.map((part) => (/^\d{1,4}$/.test(part) ? Number.parseInt(part, 10) : 0));
  return numbers.length > 0 && numbers.length <= 10 && numbers.every((each) => each >= 1 && each <= 1000)
    ? inOrder(numbers)
    : undefined;
}

/** Parses an amount above zero; undefined if it is invalid. */
export function readAmount(typed: string, currency: Currency): Money | undefined {
  const amount = parseMoney(typed.replaceAll(',', '').trim(), currency);
  return amount && amount.minor > 0n ? amount : undefined;
}
