// Prepares an explored range for a stacked chart: the biggest groups of one currency or unit, and the rest
// combined.
import { decimal, decimalText, sumDecimals } from '#kernel/decimal.ts';
import type { Explored, ExploredSeries } from '../contract.ts';

/** The eye cannot distinguish more series in one bar. */
const maxShown = 6;

export type ShownSeries = {
  readonly key: string;
  readonly label: string;
  readonly values: readonly string[];
  readonly total: string;
  readonly of: readonly ExploredSeries[];
};
export type Shown = {
  readonly series: readonly ShownSeries[];
  readonly totals: readonly string[];
  /**
   * The number of groups that cannot be stacked with these, because they have another currency or unit, or no
   * costs.
   */
  readonly leftOut: number;
};

/** The unit in which quantities can be stacked; undefined if there are several. */
export function commonUnit({ series }: Pick<Explored, 'series'>): string | undefined {
  const units = new Set(series.filter((each) => each.special !== 'unshared').map((each) => each.unit));
  return units.size === 1 ? ([...units][0] ?? undefined) : undefined;
}

/** Stacks costs of the main currency, or quantities. Sums are exact. */
export function stackExplored(
  { series, places, currency }: Pick<Explored, 'series' | 'places' | 'currency'>,
  measure: 'cost' | 'quantity',
  nameOf: (series: ExploredSeries) => string,
  restLabel: string,
): Shown {
  const add = (lists: readonly (readonly string[])[]): string[] =>
    places.map((_, place) => decimalText(sumDecimals(lists.map((list) => decimal(list[place] ?? '0')))));
  const all = series
    .flatMap((each): ShownSeries[] => {
      const values =
        measure === 'quantity' ? each.quantities : each.currency === currency ? each.costs : null;
      const total = measure === 'quantity' ? each.quantity : each.cost;
      return values && total !== null
        ? [{ key: each.key, label: nameOf(each), values, total, of: [each] }]
        : [];
    })
    .toSorted((a, b) => decimal(b.total).cmp(decimal(a.total)));
  const shown = all.filter((each) => each.values.some((value) => value !== '0'));
  const small = shown.slice(maxShown);
  const rest = add(small.map((each) => each.values));
  return {
    series:
      small.length === 0
        ? shown
        : [
            ...shown.slice(0, maxShown),
            {
              key: 'other',
              label: restLabel,
              values: rest,
              total: decimalText(sumDecimals(small.map((each) => decimal(each.total)))),
              of: small.flatMap((each) => each.of),
            },
          ],
    totals: add(shown.map((each) => each.values)),
    leftOut: series.length - all.length,
  };
}
