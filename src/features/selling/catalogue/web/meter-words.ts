// A short description of a meter for the form of a service.
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useAggregationWords } from '#features/selling/meters/web/parts.ts';
import type { KnownMeter } from './known-meters.ts';

/** `hours · Sum · size, region`, and whether it still has to be created. */
export function useMeterWords(): (meter: KnownMeter) => string {
  const { t } = useTranslation('catalogue');
  const { describe } = useAggregationWords();
  return (meter) =>
    [
      meter.unit,
      describe(meter),
      ...(meter.dimensions.length === 0
        ? []
        : [t('catalogue.meter_by', { dimensions: meter.dimensions.join(t('catalogue.between')) })]),
      ...(meter.filter ? [t('catalogue.meter_filtered')] : []),
      ...(meter.isPlanned ? [t('catalogue.meter_planned')] : []),
    ].join(' · ');
}
