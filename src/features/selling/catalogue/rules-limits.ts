// Which meters a service's limit can apply to: those whose quantity never depends on elapsed time or on later
// events of other samples.
import type { MeterAggregation } from '#features/selling/meters/contract.ts';

/**
 * Why a meter cannot be limited; undefined if it can. Further usage can lower an average or a minimum, so
 * their quantity would not tell whether more is allowed; a percentile is known only at the end of the month;
 * a time-weighted level keeps changing without an event that could be rejected.
 */
export function limitMistake(aggregation: MeterAggregation): LimitMistake | undefined {
  switch (aggregation) {
    case 'avg':
    case 'min':
    case 'percentile':
    case 'time_weighted_average':
      return `catalogue.quota_of_${aggregation}`;
    default:
      return undefined;
  }
}
type LimitMistake = `catalogue.quota_of_${'avg' | 'min' | 'percentile' | 'time_weighted_average'}`;
