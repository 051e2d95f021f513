// What a meter measures, as names and values.
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { Definition } from '../contract.ts';
import { useAggregationWords } from './aggregation-words.ts';

export function useMeasuredFacts(): (
  definition: Definition,
) => readonly (readonly [label: string, value: string])[] {
  const { t } = useTranslation('meters');
  const { describe } = useAggregationWords();
  return (definition) => {
    const { eventType, unit, dimensions, filter } = definition;
    return [
      [t('meters.event_type'), eventType],
      [t('meters.aggregation'), describe(definition)],
      [t('meters.unit'), unit],
      ...(dimensions.length === 0 ? [] : [[t('meters.dimensions'), dimensions.join(', ')] as const]),
      ...(filter
        ? [
            [
              t('meters.filter'),
              Object.entries(filter)
                .map(([property, values]) => t('meters.filter_line', { property, values: values.join(', ') }))
                .join(' · '),
            ] as const,
          ]
        : []),
    ];
  };
}
