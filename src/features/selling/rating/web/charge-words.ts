// A charge as text: its name, and its price in one short sentence.
import type { Currency } from '#kernel/money.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import type { Charge } from '../contract.ts';
import { chargeWords, type ChargeWords } from '../rules.ts';

/** {@link chargeWords} in the user's language. */
export function useChargeWords(currency: Currency): (charge: Charge, unit: string) => ChargeWords {
  const { t } = useTranslation('rating');
  const format = useFormat();
  const language = useLanguage();
  return (charge, unit) => chargeWords(charge, unit, currency, language, t, format);
}
