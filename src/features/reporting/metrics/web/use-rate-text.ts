// A rate for display: with its day and its source.
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { UsedRate } from '#features/reporting/rates/contract.ts';

export function useRateText(): (rate: UsedRate) => string {
  const { t } = useTranslation('metrics');
  const { t: rates } = useTranslation('rates');
  const format = useFormat();
  return (rate) => {
    // used as: 'rates.source_*'
    const sources = [...new Set(rate.steps.map(({ source }) => source))].map((one) =>
      rates(`rates.source_${one}`),
    );
    return t('metrics.used_rate_of', {
      rate: format.number(rate.text),
      day: format.dayTable(rate.day),
      source: sources.join(' · '),
    });
  };
}
