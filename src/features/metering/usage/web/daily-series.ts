// A period's usage by service for a stacked chart: the biggest services, and the rest combined.
import { decimal } from '#kernel/decimal.ts';
import type { Currency } from '#kernel/money.ts';
import type { DailyUsage } from '../contract.ts';
import { sumTexts } from './cost-texts.ts';

/** The eye cannot distinguish more series in one bar. */
const maxSeries = 6;

export type DailySeries = {
  readonly key: string;
  readonly label: string;
  readonly costs: readonly string[];
  readonly total: string;
};
export type Stacked = {
  readonly series: readonly DailySeries[];
  /** The exact sum for each day. */
  readonly totals: readonly string[];
  /** The number of services priced in another currency, which cannot be stacked with these. */
  readonly leftOut: number;
};

/**
 * Stacks the services of one currency; those beyond the sixth are combined as `restLabel`. The sums are
 * exact.
 */
export function stackDaily(
  daily: Pick<DailyUsage, 'days' | 'series'>,
  currency: Currency,
  restLabel: string,
): Stacked {
  const ofCurrency = daily.series.filter((one) => one.currency === currency);
  const byService = Map.groupBy(ofCurrency, (one) => one.serviceId);
  const add = (lists: readonly (readonly string[])[]) =>
    daily.days.map((_, day) => sumTexts(lists.map((costs) => costs[day] ?? '0')));
  const all = [...byService].map(([key, parts]): DailySeries => {
    const costs = add(parts.map((part) => part.costs));
    return { key, label: parts[0]?.serviceName ?? key, costs, total: sumTexts(costs) };
  });
  const sorted = all.toSorted(
    (a, b) => decimal(b.total).cmp(decimal(a.total)) || a.label.localeCompare(b.label),
  );
  const small = sorted.slice(maxSeries);
  const rest = add(small.map((one) => one.costs));
  const series =
    small.length === 0
      ? sorted
      : [
          ...sorted.slice(0, maxSeries),
          { key: 'other', label: restLabel, costs: rest, total: sumTexts(rest) },
        ];
  return {
    series,
    totals: add(all.map((one) => one.costs)),
    leftOut: daily.series.length - ofCurrency.length,
  };
}
