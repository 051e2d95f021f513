// Splits the usage of subscriptions into the requested groups.
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { isZero, type Decimal } from '#kernel/decimal.ts';
import { isMetered } from '#features/selling/catalogue/rules.ts';
import { quantityOf, type Rollup } from '#features/metering/usage/rules.ts';
import { keyDimension, propertyDimension } from '#features/metering/usage/server/index.ts';
import type { Grain } from '../contract.ts';
import {
  addsUp,
  quantityOver,
  splitCosts,
  tagGroup,
  valueGroup,
  type Group,
  type GroupContribution,
} from '../rules.ts';
import { byCharge, byDimension, costsByMeter } from './charge-groups.ts';
import type { Place, Row } from './metered-usage.ts';
import { dimensionRollups, ownKeys } from './store.ts';

export type Grouping = { readonly groupBy: string; readonly grain: Grain; readonly zone: string };

/** Splits all rows into pieces by the requested groups. */
export async function piecesOf(
  ctx: Ctx,
  { groupBy, grain, zone }: Grouping,
  places: readonly Place[],
  rows: readonly Row[],
): Promise<GroupContribution[]> {
  if (groupBy === 'service')
    return rows.map((row) => wholeRow(row, { key: row.service.id, label: row.service.name, special: null }));
  if (groupBy === 'charge') return rows.flatMap((row) => byCharge(row, (group) => wholeRow(row, group)));
  if (groupBy.startsWith('dimension:'))
    return rows.flatMap((row) => byDimension(row, (group) => wholeRow(row, group)));
  if (groupBy === 'tag') return rows.map((row) => wholeRow(row, tagGroup(row.service.tags)));
  const [first, last] = [places[0], places.at(-1)];
  if (!first || !last) return [];
  const dimension = groupBy.startsWith('property:')
    ? propertyDimension(groupBy.slice('property:'.length))
    : keyDimension;
  const found = await dimensionRollups(ctx, {
    subscriptionIds: rows.map((row) => row.subscription.id),
    dimension,
    grain,
    zone,
    start: first.start,
    end: last.end,
  });
  const nameOf =
    dimension === keyDimension
      ? await keyGroups(
          ctx,
          groupBy === 'member',
          found.map((each) => each.value),
        )
      : valueGroup;
  const bySubscription = Map.groupBy(found, (each) => each.subscriptionId);
  return rows.flatMap((row) => {
    const ofValue = Map.groupBy(bySubscription.get(row.subscription.id) ?? [], (each) => each.value);
    const values = new Map([...ofValue].map(([value, rollups]) => [value, onPlaces(places, rollups)]));
    // Values are counted separately for the service's own meter only.
    const { own, others } = costsByMeter(row);
    const unshared = others.some((cost) => !isZero(cost)) ? [unsharedOf({ ...row, costs: others })] : [];
    if (!isMetered(row.service.meter)) return unshared;
    const ofOwn = { ...row, costs: own };
    return [
      ...(addsUp(row.service.meter.aggregation)
        ? shared(ofOwn, values, nameOf)
        : withoutCostSplit(ofOwn, values, nameOf)),
      ...unshared,
    ];
  });
}

/** Costs that belong to no group. */
const unsharedOf = (row: Row): GroupContribution => ({
  ...wholeRow(row, { key: 'unshared', label: 'unshared', special: 'unshared' }),
  quantities: null,
  quantity: null,
});

type RollupByPlace = readonly (Rollup | undefined)[];

function onPlaces(places: readonly Place[], rollups: readonly (Rollup & { place: string })[]): RollupByPlace {
  const byPlace = new Map(rollups.map((rollup) => [rollup.place, rollup]));
  return places.map((place) => byPlace.get(place.name));
}

/** A row that belongs to one group as a whole. */
function wholeRow(row: Row, group: Group): GroupContribution {
  const { subscription, service, quantities, costs, events } = row;
  const { aggregation, unit } = service.meter;
  // A service without its own meter has no single quantity.
  if (!isMetered(service.meter))
    return {
      group,
      currency: service.pricing.currency,
      unit,
      subscriptionId: subscription.id,
      quantities: null,
      quantity: null,
      costs,
    };
  return {
    group,
    currency: service.pricing.currency,
    unit,
    subscriptionId: subscription.id,
    quantities,
    quantity: quantityOver(
      quantities,
      (index) => (events[index] ?? 0n) > 0n || aggregation === 'time_weighted_average',
      aggregation,
    ),
    costs,
  };
}

/** Quantities add up, so costs are split by them; the part without the property is a separate group. */
function shared(
  row: Row,
  values: ReadonlyMap<string, RollupByPlace>,
  nameOf: (value: string) => Group,
): GroupContribution[] {
  const { aggregation } = row.service.meter;
  const quantities = new Map(
    [...values].map(([value, rollups]) => [value, rollups.map((rollup) => quantityOf(rollup, aggregation))]),
  );
  return [...splitCosts(row.quantities, row.costs, quantities)].map(([value, share]) => ({
    ...wholeRow({ ...row, ...share, events: share.quantities.map(() => 1n) }, nameOf(value)),
  }));
}

/** For other meters each value has its own quantity, but the cost cannot be split. */
function withoutCostSplit(
  row: Row,
  values: ReadonlyMap<string, RollupByPlace>,
  nameOf: (value: string) => Group,
): GroupContribution[] {
  const { aggregation } = row.service.meter;
  const measured = [...values].map(([value, rollups]): GroupContribution => {
    const quantities: Decimal[] = rollups.map((rollup) => quantityOf(rollup, aggregation));
    return {
      ...wholeRow(
        { ...row, quantities, events: rollups.map((rollup) => rollup?.eventCount ?? 0n) },
        nameOf(value),
      ),
      costs: null,
    };
  });
  return row.costs.some((cost) => !isZero(cost)) ? [...measured, unsharedOf(row)] : measured;
}

/** API keys by name, or the members who created them; imported usage has no key. */
async function keyGroups(
  ctx: Ctx,
  byMember: boolean,
  values: readonly string[],
): Promise<(value: string) => Group> {
  const keys = await ownKeys(ctx, tenant(ctx), [...new Set(values)]);
  return (value) => {
    // Only imports record events without a key.
    if (value === 'none') return { key: 'import', label: 'import', special: 'import' };
    const key = keys.get(value);
    if (!key) return { key: 'platform', label: 'platform', special: 'platform' };
    if (!byMember) return { key: value, label: key.name, special: null };
    return key.memberId
      ? { key: key.memberId, label: key.member ?? key.memberId, special: null }
      : { key: 'none', label: 'none', special: 'none' };
  };
}
