// Percentages and their changes as texts, and exact amounts as money.
import { decimal, decimalText } from '#kernel/decimal.ts';
import { moneyDecimal, roundToMoney, type Currency, type Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { monthNumber, monthOfNumber } from '#kernel/time.ts';
import type { Format } from '#platform/web/format/format.ts';

/** `97.5%`; a dash for null. */
export const percentOf = (percent: string | null, format: Format): string =>
  percent === null ? '–' : `${format.number(percent)}%`;

/** The difference of two percentages with one digit, in percentage points; null if one is missing. */
export function pointsBetween(
  now: string | null,
  then: string | null,
): { direction: 'up' | 'down' | 'flat'; text: string } | null {
  if (now === null || then === null) return null;
  const tenths = (text: string): number => Number(text.replace('.', ''));
  const change = tenths(now) - tenths(then);
  const size = Math.abs(change);
  return {
    direction: change === 0 ? 'flat' : change > 0 ? 'up' : 'down',
    text: `${change > 0 ? '+' : change < 0 ? '-' : ''}${Math.floor(size / 10)}.${size % 10}`,
  };
}

export const monthBefore = (month: BillingMonth): BillingMonth => monthOfNumber(monthNumber(month) - 1);
export const yearBefore = (month: BillingMonth): BillingMonth => monthOfNumber(monthNumber(month) - 12);

/** An exact amount for display: rounded once, half away from zero. */
export const costMoney = (exact: string, currency: Currency): Money => roundToMoney(decimal(exact), currency);

/** For drawing only. */
export const drawn = (amount: Money): number => Number(decimalText(moneyDecimal(amount)));
