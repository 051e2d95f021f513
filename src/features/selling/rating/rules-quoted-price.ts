// How many units a small unit price is quoted for: $0.0000004 a request is $0.40 per 1,000,000 requests.
import { decimal, decimalText } from '#kernel/decimal.ts';

export type QuotedPrice = {
  readonly price: string;
  /** What costs `price`: `GB`, or `1,000,000 GB`. */
  readonly unit: string;
};

const smallest = decimal('0.001');
const readable = decimal('0.01');

/**
 * Returns a unit price for one, a thousand or a million units, so that its first digits are read at a glance;
 * it is exactly the same price. `quantity` writes a number with the unit. Prices from 0.001 on, and free
 * ones, stay those of one unit.
 */
export function quotedPrice(
  unitPrice: string,
  unit: string,
  quantity: (value: string, unit: string) => string,
): QuotedPrice {
  const one = decimal(unitPrice);
  if (one.lte(decimal('0')) || one.gte(smallest)) return { price: unitPrice, unit };
  const size = one.times(decimal('1000')).gte(readable) ? '1000' : '1000000';
  return { price: decimalText(one.times(decimal(size))), unit: quantity(size, unit) };
}
