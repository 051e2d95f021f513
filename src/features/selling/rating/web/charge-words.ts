// A charge in words: its name, and what it costs in one short sentence.
import { decimal } from '#kernel/decimal.ts';
import type { Language } from '#kernel/language.ts';
import type { Currency } from '#kernel/money.ts';
import type { Format } from '#platform/web/format/format.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useLanguage, useTranslation, type Translate } from '#platform/web/i18n/i18n.ts';
import type { Charge } from '../contract.ts';

export type ChargeWords = { readonly name: string; readonly price: string };
type Writer = Pick<Format, 'unitPrice' | 'quantity' | 'number'>;

const lowest = (prices: readonly string[]): string =>
  prices.reduce((least, price) => (decimal(price).lt(decimal(least)) ? price : least), prices[0] ?? '0');

/** What a charge costs, without its limits. */
function priceOf(charge: Charge, currency: Currency, t: Translate<'rating'>, format: Writer): string {
  const price = (amount: string): string => format.unitPrice(amount, currency);
  switch (charge.model) {
    case 'flat':
      return price(charge.amount);
    case 'per_unit':
      return t('rating.price_per_unit', { price: price(charge.unitPrice) });
    case 'graduated':
    case 'volume':
      return t('rating.price_tiers', {
        price: price(lowest(charge.tiers.map(({ unitPrice }) => unitPrice))),
        count: charge.tiers.length,
      });
    case 'package':
      return t('rating.price_package', {
        price: price(charge.packagePrice),
        size: format.number(charge.packageSize),
      });
    case 'percentage':
      return charge.fixedPerEvent === undefined
        ? t('rating.price_percentage', { percent: format.number(charge.ratePercent) })
        : t('rating.price_percentage_fixed', {
            percent: format.number(charge.ratePercent),
            fee: price(charge.fixedPerEvent),
          });
    case 'graduated_percentage':
      return t('rating.price_graduated_percentage', {
        percent: format.number(lowest(charge.tiers.map(({ ratePercent }) => ratePercent))),
        count: charge.tiers.length,
      });
    case 'dynamic':
      return t('rating.price_dynamic');
    case 'matrix':
      return t('rating.price_matrix', { count: charge.rates.length });
  }
}

/** A charge in words of a language: `Seats`, `$5 each per month`. */
function chargeWords(
  charge: Charge,
  currency: Currency,
  language: Language,
  t: Translate<'rating'>,
  format: Writer,
): ChargeWords {
  const price = priceOf(charge, currency, t, format);
  // used as: 'rating.per_*'
  const often =
    charge.kind === 'one_time'
      ? t('rating.price_once', { price })
      : charge.kind === 'recurring'
        ? t('rating.price_per_cycle', { price, cycle: t(`rating.per_${charge.cycle ?? 'month'}`) })
        : price;
  return { name: charge.name[language], price: often };
}

/** {@link chargeWords} in the reader's language. */
export function useChargeWords(currency: Currency): (charge: Charge) => ChargeWords {
  const { t } = useTranslation('rating');
  const format = useFormat();
  const language = useLanguage();
  return (charge) => chargeWords(charge, currency, language, t, format);
}
