// Turns exact costs into numbers for charts and texts for users.
import { decimal, sumDecimals, decimalText } from '#kernel/decimal.ts';
import { moneyDecimal, roundToMoney, sumMoney, type Currency, type Money } from '#kernel/money.ts';
import type { Format } from '#platform/web/format/format.ts';
import type { Statistics } from '../contract.ts';

/** An exact cost as an amount of its currency, rounded as a bill would be. */
export const costMoney = (amount: string, currency: Currency): Money =>
  roundToMoney(decimal(amount), currency);

type ServiceCost = Pick<Statistics['services'][number], 'cost' | 'charges'>;

/** What a service comes to on a bill, which rounds each of its charges by itself (rating.md: every rounding once, per line). */
export function billedCost({ cost, charges = [] }: ServiceCost): Money {
  const { amount, currency } = cost;
  return charges.length === 0
    ? costMoney(amount, currency)
    : sumMoney(
        charges.map((charge) => costMoney(charge.cost.amount, currency)),
        currency,
      );
}

/** What all services of a month come to on a bill: the exact total, with what rounding makes of the services. */
export function billedTotal({
  totalCost,
  currency,
  services,
}: Pick<Statistics, 'totalCost' | 'currency'> & { readonly services: readonly ServiceCost[] }): Money {
  const byRounding = services
    .filter(({ cost }) => cost.currency === currency)
    .map((service) => moneyDecimal(billedCost(service)).minus(decimal(service.cost.amount)));
  return roundToMoney(decimal(totalCost.amount).plus(sumDecimals(byRounding)), currency);
}

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
