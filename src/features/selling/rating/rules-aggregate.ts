// Aggregates a period's events into one exact quantity.
import { decimal, divide, sumDecimals, zero, type Decimal } from '#kernel/decimal.ts';

/** How a meter aggregates. `p` and `sampleMinutes` belong to percentiles. */
export type Aggregate =
  | { readonly aggregation: 'sum' | 'count' | 'max' | 'min' | 'avg' | 'latest' | 'time_weighted_average' }
  | { readonly aggregation: 'unique_count'; readonly property: string }
  | { readonly aggregation: 'percentile'; readonly p: number; readonly sampleMinutes: number };

/** The fraction digits of an average, as of every quantity. */
export const averageDigits = 12;

/** The mean of some values; zero without any. */
export function averageOf(sum: Decimal, count: bigint): Decimal {
  return count === 0n ? zero : divide(sum, decimal(count), averageDigits);
}

/**
 * Returns the percentile of a period's samples, as bandwidth is billed: the highest (100 − p) % of all
 * samples are dropped, rounded down to whole samples, and the next one counts. `values` are those of samples
 * that have events, in any order; the period's other samples are zero. Of 8,640 samples (30 days of 5
 * minutes) at p = 95, the 432 highest are dropped.
 */
export function percentileOf(values: readonly Decimal[], sampleCount: number, p: number): Decimal {
  const dropped = Math.floor((sampleCount * (100 - p)) / 100);
  // Samples without events are zero: only positive ones rank above them.
  const positive = values.filter((value) => value.gt(zero)).toSorted((a, b) => b.cmp(a));
  const found = positive[dropped];
  if (found) return found;
  const silent = sampleCount - values.length;
  if (positive.length + silent > dropped) return zero;
  const rest = values.filter((value) => !value.gt(zero)).toSorted((a, b) => b.cmp(a));
  return rest[dropped - positive.length - silent] ?? zero;
}

/** An event with the value, time and data that a meter reads. */
export type AggregatedEvent = {
  readonly value: Decimal;
  /** Its time in milliseconds; without times, the order of the list counts. */
  readonly at?: number | undefined;
  readonly property?: string | undefined;
};

/**
 * Returns the quantity that a meter computes from a few events, earliest first: for previews and
 * explanations, which have the events at hand. Without times, each event is a sample of its own, and a level
 * lasts equally long for each of them.
 */
export function quantityOfEvents(meter: Aggregate, events: readonly AggregatedEvent[]): Decimal {
  const values = events.map((event) => event.value);
  const sum = sumDecimals(values);
  switch (meter.aggregation) {
    case 'sum':
      return sum;
    case 'count':
      return decimal(BigInt(events.length));
    case 'max':
      return (
        values.reduce<Decimal | undefined>((most, value) => (most?.gte(value) ? most : value), undefined) ??
        zero
      );
    case 'min':
      return (
        values.reduce<Decimal | undefined>(
          (least, value) => (least?.lte(value) ? least : value),
          undefined,
        ) ?? zero
      );
    case 'avg':
    case 'time_weighted_average':
      return averageOf(sum, BigInt(events.length));
    case 'latest':
      return values.at(-1) ?? zero;
    case 'unique_count':
      return decimal(BigInt(new Set(events.flatMap(({ property }) => property ?? [])).size));
    case 'percentile':
      return percentileOf(values, events.length, meter.p);
  }
}
