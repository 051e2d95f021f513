// The texts of a charge's calculation steps in the user's language.
import type { Currency } from '#kernel/money.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { CalculationStep } from '#platform/web/ui/Calculation.tsx';
import type { Dimensions } from '../contract.ts';
import { chargeStepTexts, dimensionsText } from '../rules.ts';

type Words = Pick<CalculationStep, 'label' | 'note'>;

/**
 * `texts` are those of a step that only charges have; `labelled` adds the values that a step is for to its
 * label.
 */
export function useChargeStepTexts(currency: Currency): {
  texts: (step: Parameters<typeof chargeStepTexts>[0]) => Words;
  labelled: (words: Words, when: Dimensions | undefined) => Words;
} {
  const { t } = useTranslation('rating');
  const format = useFormat();
  return {
    texts: (step) => {
      const { label, note } = chargeStepTexts(step, {
        number: format.number,
        price: (text) => format.unitPrice(text, currency),
      });
      return {
        label: t(label.key, label.params),
        ...(note && { note: t(note.key, note.params) }),
      };
    },
    labelled: (words, when) =>
      when === undefined
        ? words
        : {
            ...words,
            label: t('rating.step_for', {
              step: words.label,
              values: dimensionsText(when) ?? t('rating.everything_else'),
            }),
          },
  };
}
