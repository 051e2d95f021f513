// Prices as the sum of their steps.
import { decimal, decimalText, sumDecimals, type Decimal } from '#kernel/decimal.ts';
import type { PriceStep } from './contract.ts';

/** An exact price in major units with its calculation steps; the steps' amounts add up to it. */
export type Price = { readonly exact: Decimal; readonly steps: readonly PriceStep[] };

/** A step of a price; `quantity` and `unitPrice` are for display, `amount` is what counts. */
export const priceStep = (
  kind: PriceStep['kind'],
  quantity: Decimal,
  unitPrice: Decimal,
  amount: Decimal,
  more: Pick<PriceStep, 'when'> & Partial<Pick<PriceStep, 'from' | 'upTo'>> = {},
): PriceStep => ({
  kind,
  from: null,
  upTo: null,
  quantity: decimalText(quantity),
  unitPrice: decimalText(unitPrice),
  amount: decimalText(amount),
  ...more,
});
/** The price that consists of some steps. */
export const priceOfSteps = (steps: readonly PriceStep[]): Price => ({
  steps,
  exact: sumDecimals(steps.map((each) => decimal(each.amount))),
});
