// The terms of discounts as sentences in the current language.
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { Terms } from '../contract.ts';
import { termsInWords } from '../rules.ts';

/** Describes the terms of a discount; see {@link termsInWords}. */
export function useTermsWords() {
  const { t } = useTranslation('discounts');
  const { language } = useFormat();
  return (terms: Pick<Terms, 'reduction' | 'maximum' | 'duration' | 'scope'>) =>
    termsInWords(terms, language, (key, params) => t(key, params));
}
