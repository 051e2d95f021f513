// The price of a quantity as text, for services with a single meter. Beside the texts of charges, which many
// more screens load.
import type { Currency } from '#kernel/money.ts';
import {
  includedTexts,
  isFreeQuantity,
  quantityPriceText,
  tierDetails,
  writerOf,
  type ChargeTexts,
  type ChargeWriter,
  type QuantityPrice,
} from './rules-charge-texts.ts';

export type QuantityPriceTexts = {
  /** In one short sentence; of several tiers, the lowest price. */
  readonly price: string;
  readonly included: readonly string[];
  /** A sentence for each of several tiers. */
  readonly tiers: readonly string[];
};

const includedQuantity = (price: QuantityPrice): string | undefined =>
  price.model === 'package' ? price.freeUnits : price.included;

/** Describes the price of a quantity; a free one is called free. `unit`: that of its meter. */
export function quantityPriceTexts(
  price: QuantityPrice,
  unit: string,
  currency: Currency,
  t: ChargeTexts,
  format: Omit<ChargeWriter, 'list'>,
): QuantityPriceTexts {
  const writer = writerOf(unit, currency, t, format);
  return {
    price: isFreeQuantity(price) ? t('rating.price_free') : quantityPriceText(price, writer),
    included: includedTexts(includedQuantity(price), writer),
    tiers: 'tiers' in price && price.tiers.length > 1 ? tierDetails(price.tiers, price.model, writer) : [],
  };
}
