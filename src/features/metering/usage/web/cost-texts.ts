// Turns exact costs into numbers for charts and texts for users.
import { decimal, sumDecimals, decimalText } from '#kernel/decimal.ts';
import { roundToMoney, type Currency, type Money } from '#kernel/money.ts';
import type { Format } from '#platform/web/format/format.ts';

/** An exact cost as an amount of its currency, rounded as a bill would be. */
export const costMoney = (amount: string, currency: Currency): Money =>
  roundToMoney(decimal(amount), currency);

/** The exact sum of decimal texts. */
export const sumTexts = (amounts: readonly string[]): string =>
  decimalText(sumDecimals(amounts.map(decimal)));

/** From this value on, ticks are shortened. */
const shortenFrom = 100_000;

/** Writes a chart's ticks: whole amounts shortened, parts of a cent with all their digits. */
export function tickText(format: Format, currency: Currency): (value: number) => string {
  return (value) =>
    value >= shortenFrom
      ? format.moneyShort(roundToMoney(decimal(BigInt(Math.round(value))), currency)).text
      : format.unitPrice(value.toFixed(9), currency);
}
