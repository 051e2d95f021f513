// Aggregations as text.
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { Definition, MeterAggregation } from '../contract.ts';

/** The name of an aggregation, its description, and how a meter uses its property or percentile. */
export function useAggregationWords(): {
  readonly nameOf: (aggregation: MeterAggregation) => string;
  readonly helpOf: (aggregation: MeterAggregation) => string;
  readonly describe: (meter: Pick<Definition, 'aggregation' | 'property' | 'p' | 'sampleMinutes'>) => string;
} {
  const { t } = useTranslation('meters');
  // used as: 'meters.aggregation_*', 'meters.aggregation_help_*'
  const nameOf = (aggregation: MeterAggregation): string => t(`meters.aggregation_${aggregation}`);
  return {
    nameOf,
    helpOf: (aggregation) => t(`meters.aggregation_help_${aggregation}`),
    describe: ({ aggregation, property, p, sampleMinutes }) => {
      if (aggregation === 'percentile' && p !== undefined && sampleMinutes !== undefined)
        return t('meters.percentile_of', { p, minutes: sampleMinutes });
      if (aggregation === 'unique_count' && property !== undefined)
        return t('meters.unique_of', { property });
      return nameOf(aggregation);
    },
  };
}
