// Groups usage by the charges of rate cards, and by the dimensions of their meters.
import { isZero, sumDecimals, sumLists, zero, type Decimal } from '#kernel/decimal.ts';
import type { CellNaming, ChargeSeries } from '#features/metering/usage/server/index.ts';
import type { Group, GroupContribution } from '../rules.ts';
import type { Row } from './metered-usage.ts';

const prefix = 'dimension:';

/**
 * How cells are named when figures are grouped by a dimension: by its value, as JSON text; empty if an event
 * had none.
 */
export function cellNaming(groupBy: string): CellNaming | undefined {
  if (!groupBy.startsWith(prefix)) return undefined;
  const name = groupBy.slice(prefix.length);
  return {
    key: groupBy,
    of: ({ dimensions }) => {
      const place = dimensions.indexOf(name);
      if (place < 0) return undefined;
      return (cell) => {
        const values: unknown = JSON.parse(cell);
        const value: unknown = Array.isArray(values) ? values[place] : null;
        return typeof value === 'string' ? JSON.stringify(value) : '';
      };
    },
  };
}

const none: Group = { key: 'none', label: 'none', special: 'none' };
const unshared: Group = { key: 'unshared', label: 'unshared', special: 'unshared' };

/**
 * Returns a subscription's contributions to groups by charge: one per charge of its card; usage at any other
 * price counts for its service as a whole.
 */
export function byCharge(row: Row, whole: (group: Group) => GroupContribution): GroupContribution[] {
  const ofService: Group = { key: row.service.id, label: row.service.name, special: null };
  if (row.charges.length === 0) return [whole(ofService)];
  const rest = restOf(row);
  return [
    ...row.charges.map((series) =>
      contribution(row, series, {
        key: `${row.service.id} ${series.charge.key}`,
        label: row.service.name,
        special: null,
        charge: series.charge.name,
      }),
    ),
    ...(rest ? [{ ...whole(ofService), quantities: null, quantity: null, costs: rest }] : []),
  ];
}

/**
 * Returns a subscription's contributions to groups by a dimension: the values of meters that have it, and
 * everything else as without a value.
 */
export function byDimension(row: Row, whole: (group: Group) => GroupContribution): GroupContribution[] {
  if (row.charges.length === 0) return [{ ...whole(none), quantities: null, quantity: null }];
  const rest = restOf(row);
  return [
    ...row.charges.flatMap((series): GroupContribution[] => {
      if (series.groups.length === 0) return [contribution(row, series, none, null)];
      const isShared = series.groups.every(({ costs }) => costs !== null);
      return [
        ...series.groups.map((group) =>
          contribution(row, series, valueOf(group.key), group.quantities, group.costs),
        ),
        ...(isShared || series.isMonthOnly ? [] : [contribution(row, series, unshared, null)]),
      ];
    }),
    ...(rest ? [{ ...whole(none), quantities: null, quantity: null, costs: rest }] : []),
  ];
}

const valueOf = (name: string): Group => {
  if (name === '') return none;
  const value: unknown = JSON.parse(name);
  return { key: `value:${name}`, label: typeof value === 'string' ? value : name, special: null };
};

/** Returns a charge's contribution to a group: by default all of its quantities and costs. */
function contribution(
  { subscription, service }: Row,
  series: ChargeSeries,
  group: Group,
  quantities: readonly Decimal[] | null = series.quantities,
  costs: readonly Decimal[] | null = series.costs,
): GroupContribution {
  return {
    group,
    currency: service.pricing.currency,
    unit: series.meter.unit,
    subscriptionId: subscription.id,
    quantities,
    quantity: quantities && over(quantities, series),
    costs: series.isMonthOnly ? null : costs,
  };
}

/** The quantity of a whole range: the sum if days add up, otherwise the largest day. */
function over(quantities: readonly Decimal[], { meter: { aggregation } }: ChargeSeries): Decimal {
  if (adding.has(aggregation)) return sumDecimals(quantities);
  const used = quantities.filter((each) => !isZero(each));
  const least = aggregation === 'min';
  return used.reduce(
    (best, each) => ((least ? each.lt(best) : each.gt(best)) ? each : best),
    used[0] ?? zero,
  );
}
const adding: ReadonlySet<ChargeSeries['meter']['aggregation']> = new Set([
  'sum',
  'count',
  'time_weighted_average',
  'unique_count',
]);

/**
 * Returns the costs of a subscription by the service's own meter and single prices, and those by other
 * meters.
 */
export function costsByMeter({ costs, charges }: Row): {
  readonly own: Decimal[];
  readonly others: Decimal[];
} {
  // A charge that uses the service's own meter counts as the own meter's.
  const apart = charges.filter(({ meter }) => meter.key !== '');
  const others = sumLists(
    apart.map((series) => series.costs),
    costs.length,
  );
  return { own: costs.map((cost, index) => cost.minus(others[index] ?? zero)), others };
}

/**
 * Returns the costs of a subscription that no charge of its card causes: a different price in part of the
 * range; undefined if there are none.
 */
export function restOf({ costs, charges }: Row): Decimal[] | undefined {
  const ofCharges = sumLists(
    charges.map((series) => series.costs),
    costs.length,
  );
  const rest = costs.map((cost, index) => cost.minus(ofCharges[index] ?? zero));
  return rest.some((each) => !isZero(each)) ? rest : undefined;
}
