// Parsing of typed amounts.
import { parseMoney, type Currency, type Money } from '#kernel/money.ts';

/** '1,050' and '1050' are the same; undefined when it is no amount of the currency. */
export function typedAmount(text: string, currency: Currency): Money | undefined {
  return parseMoney(text.trim().replaceAll(',', ''), currency);
}
