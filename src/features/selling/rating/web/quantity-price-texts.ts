// The price of a quantity as text.
import type { Currency } from '#kernel/money.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { quantityPriceTexts, type QuantityPrice, type QuantityPriceTexts } from '../rules.ts';

/** {@link quantityPriceTexts} in the user's language. */
export function useQuantityPriceTexts(
  currency: Currency,
): (price: QuantityPrice, unit: string) => QuantityPriceTexts {
  const { t } = useTranslation('rating');
  const format = useFormat();
  return (price, unit) => quantityPriceTexts(price, unit, currency, t, format);
}
