// The calculation of a price, step by step, down to the billed amount.
import type { Currency, Money } from '#kernel/money.ts';
import { moneyText } from '#kernel/money.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Calculation, type CalculationStep } from '#platform/web/ui/Calculation.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { PriceStep } from '#features/selling/rating/contract.ts';
import { useChargeStepTexts } from '#features/selling/rating/web/parts.ts';

export type PriceStepsProps = {
  readonly steps: readonly PriceStep[];
  readonly unit: string;
  /** The exact sum of the steps, before rounding. */
  readonly exact: string;
  /** The sum rounded once. */
  readonly amount: Money;
};

export function PriceSteps({ steps, unit, exact, amount }: PriceStepsProps) {
  const { t } = useTranslation('catalogue');
  const explain = useStepTexts(unit, amount.currency);
  const rows: readonly CalculationStep[] = [
    ...steps.map((step, index): CalculationStep => ({
      sign: index === 0 ? '' : '+',
      amount: step.amount,
      ...explain(step),
    })),
    { sign: '=', label: t('catalogue.step_exact'), amount: exact, isResult: true },
    {
      sign: '',
      label: t('catalogue.step_rounded'),
      note: t('catalogue.step_rounded_note', { currency: amount.currency }),
      amount: moneyText(amount),
      isResult: true,
    },
  ];
  return (
    <Calculation
      label={t('catalogue.steps')}
      heads={{ step: t('catalogue.step'), amount: amount.currency }}
      steps={rows}
    />
  );
}

function useStepTexts(
  unit: string,
  currency: Currency,
): (step: PriceStep) => Pick<CalculationStep, 'label' | 'note'> {
  const { t } = useTranslation('catalogue');
  const format = useFormat();
  const chargeStep = useChargeStepTexts(currency);
  const worded = (step: PriceStep): Pick<CalculationStep, 'label' | 'note'> => {
    const times = t('catalogue.step_times', {
      quantity: format.quantity(step.quantity, step.kind === 'package' ? '' : unit),
      price: format.unitPrice(step.unitPrice, currency),
    });
    switch (step.kind) {
      case 'base':
        return { label: t('catalogue.base_fee') };
      case 'unit':
        return { label: t('catalogue.step_usage'), note: times };
      case 'tier': {
        const from = format.number(step.from ?? '0');
        return {
          label:
            step.upTo === null
              ? t('catalogue.step_tier_open', { from })
              : t('catalogue.step_tier', { from, upTo: format.number(step.upTo) }),
          note: times,
        };
      }
      case 'flat_fee':
        return { label: t('catalogue.step_flat_fee') };
      case 'package':
        return { label: t('catalogue.step_packages'), note: times };
      case 'included':
        return { label: t('catalogue.step_included'), note: format.quantity(step.quantity, unit) };
      case 'maximum':
        return { label: t('catalogue.step_maximum') };
      case 'minimum':
        return { label: t('catalogue.step_minimum') };
      case 'percentage':
      case 'free_events':
      case 'event_fee':
      case 'event_minimum':
      case 'event_maximum':
      case 'dynamic':
        return chargeStep.texts({ ...step, kind: step.kind });
    }
  };
  return (step) => chargeStep.labelled(worded(step), step.when);
}
