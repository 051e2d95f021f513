// Items in a form that providers' recomputation accepts: quantity times price must equal the amount, with at
// most seven decimals; otherwise the item is sold as one whole.
import { decimal, decimalText, trimDecimal, type Decimal } from '#kernel/decimal.ts';
import { wholeUnit } from '../../rules-words.ts';
import type { InvoiceItem } from '../provider.ts';
import { shortened } from './refusals.ts';

export type ItemLine = {
  readonly name: string;
  readonly quantity: string;
  readonly unit: string;
  readonly price: string;
  readonly amount: string;
};

const mostDecimals = 7;
const fits = (text: string): boolean => (text.split('.')[1] ?? '').length <= mostDecimals;

/**
 * An item with its amount and price times `factor` ("1.05" converts net to gross). `longestName` is in
 * characters.
 */
export function itemLine(item: InvoiceItem, factor: Decimal, longestName: number): ItemLine {
  const amount = decimal(item.amount).times(factor);
  const price = decimal(item.unitPrice).times(factor);
  const quantity = trimDecimal(item.quantity);
  const line = {
    name: shortened(item.description, longestName),
    amount: decimalText(amount),
    unit: shortened(item.unit, 6) || wholeUnit,
  };
  return decimal(quantity).times(price).eq(amount) && fits(quantity) && fits(decimalText(price))
    ? { ...line, quantity, price: decimalText(price) }
    : { ...line, quantity: '1', unit: wholeUnit, price: line.amount };
}

/** A single unit with the whole amount. */
export function wholeLine(description: string, amount: bigint, longestName: number): ItemLine {
  const text = amount.toString();
  return {
    name: shortened(description, longestName),
    quantity: '1',
    unit: wholeUnit,
    price: text,
    amount: text,
  };
}

export const one: Decimal = decimal('1');

/** The factor from a net amount to one including tax: 1.05 for taxable items at 5 percent, 1 for others. */
export function grossFactor(item: InvoiceItem, percent: string): Decimal {
  return item.taxKind === 'taxable' ? one.plus(decimal(percent).times(decimal('0.01'))) : one;
}
