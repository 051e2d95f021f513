// Converts exact costs to numbers for charts and texts for users.
import { decimal, sumDecimals, decimalText } from '#kernel/decimal.ts';
import { roundToMoney, type Currency, type Money } from '#kernel/money.ts';
import type { Format } from '#platform/web/format/format.ts';

/** An exact cost as an amount of its currency, rounded as on a bill. */
export const costMoney = (amount: string, currency: Currency): Money =>
  roundToMoney(decimal(amount), currency);

/** The exact sum of decimal texts. */
export const sumTexts = (amounts: readonly string[]): string =>
  decimalText(sumDecimals(amounts.map(decimal)));

/** From this value on, tick labels are shortened. */
const shortenFrom = 100_000;

/** Formats a chart's tick labels: whole amounts are shortened, fractions of a cent have all their digits. */
export function tickText(format: Format, currency: Currency): (value: number) => string {
  return (value) =>
    value >= shortenFrom
      ? format.moneyShort(roundToMoney(decimal(BigInt(Math.round(value))), currency)).text
      : format.unitPrice(value.toFixed(9), currency);
}
