// What a service's limit may be of: a meter whose quantity never depends on how much time passes or on later events of other samples.
import type { MeterAggregation } from '#features/selling/meters/contract.ts';

/**
 * Why a meter cannot be limited, or undefined when it can. An average and a smallest value fall by further usage, so what is used of a
 * limit would not tell whether more is allowed; a percentile is known when the month is over; a level weighted by time goes on changing
 * without an event that could be refused.
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
