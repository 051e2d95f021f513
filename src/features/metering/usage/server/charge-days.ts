// Computes the cost of rate card usage charges by day or hour, in total and by dimension values.
import { sumLists, zero, type Decimal } from '#kernel/decimal.ts';
import { required } from '#kernel/assert.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { ChargeName } from '#features/selling/subscriptions/contract.ts';
import { usageChargesOf, type PlanTime } from '#features/selling/subscriptions/rules.ts';
import type { Offers, SubscriptionRow } from '#features/selling/subscriptions/server/index.ts';
import type { Rollup } from '../rules.ts';
import {
  chargeCosts,
  emptyCell,
  isMonthOnly,
  isSplitByCell,
  joinPlaces,
  priceKeyOf,
  quantityAt,
  quantityOfCells,
  type PlaceUsage,
} from '../rules-charge-costs.ts';
import { ownKey, wholeCell, type StreamMeter } from '../rules-streams.ts';
import { hasMeasures } from './charge-measures.ts';
import { figureCache, keyOfInputs } from './figure-cache.ts';
import { chargedUsage, hasCard, type Charged, type MetersIn } from './meters-of-services.ts';
import { isDay, usageOfPlaces, type PlacedMeter } from './place-usage.ts';
import { partsIn, type PlacePart, type PricePeriod, type UsagePlace } from './price-periods.ts';
import type { Metered } from './read.ts';
import { dayVersions } from './store-charge-days.ts';

/**
 * Cells of a charge that share a name, by place. `costs` is null if they cannot be split, `quantities` if
 * they do not add up.
 */
export type ChargeGroup = {
  readonly key: string;
  readonly quantities: readonly Decimal[] | null;
  readonly costs: readonly Decimal[] | null;
};
/** A usage charge of a rate card by place. */
export type ChargeSeries = {
  readonly charge: ChargeName;
  readonly meter: StreamMeter;
  readonly quantities: readonly Decimal[];
  /** Zeros if costs are known for whole months only. */
  readonly costs: readonly Decimal[];
  readonly events: readonly bigint[];
  readonly isMonthOnly: boolean;
  /** The groups of its cells by name; empty unless requested. */
  readonly groups: readonly ChargeGroup[];
};
/**
 * How cells are named; `of` returns undefined for a meter whose cells are not requested. Namings with the
 * same `key` are identical.
 */
export type CellNaming = {
  readonly key: string;
  readonly of: (meter: StreamMeter) => ((cell: string) => string) | undefined;
};

/** Subscriptions with their prices and the meters that count their usage. */
export type Priced = {
  readonly metered: readonly Metered[];
  readonly offers: Offers;
  readonly metersIn: MetersIn;
};

export type ChargeRange = {
  /** Consecutive; the first is the first day of a month. */
  readonly places: readonly UsagePlace[];
  /** The places, cut where a price period of a subscription begins or ends. */
  readonly parts: readonly PlacePart[];
  readonly periodsOf: (subscriptionId: string) => readonly PricePeriod[];
  readonly zone: string;
  /** The usage of services' own meters by part, which also applies to charges that measure the same. */
  readonly own: (subscriptionId: string, index: number) => Rollup | undefined;
  readonly naming?: CellNaming;
};

/**
 * Returns the usage charges of each subscription with a rate card, by subscription, with a fixed number of
 * queries.
 */
export async function chargeSeries(
  ctx: Ctx,
  { metered, offers, metersIn }: Priced,
  range: ChargeRange,
): Promise<ReadonlyMap<string, readonly ChargeSeries[]>> {
  const subscriptions = metered.map(({ subscription }) => subscription).filter((row) => hasCard(row, offers));
  if (subscriptions.length === 0 || range.places.length === 0) return new Map();
  const cards = subscriptions.map((row): Card => ({
    row,
    periods: range.periodsOf(row.id),
    times: timesOf(row, range, metersIn),
  }));
  const keys = new Map(
    cards.filter((card) => isKeepable(card, range)).map((card) => [card, keyOf(card, range)] as const),
  );
  const found = await seriesKept(ctx, keys, range);
  const missing = cards.filter((card) => !found.has(card));
  const meters = missing.flatMap(({ row, periods, times }) => {
    const charged = times.flatMap((time) => time.charged);
    return [...Map.groupBy(charged, ({ meter }) => meter.key)].flatMap(([key, sameMeter]): PlacedMeter[] => {
      const [first] = sameMeter;
      return key === ownKey || !first
        ? []
        : [
            {
              subscription: row,
              periods,
              meter: first.meter,
              kindOf: kindsOf(sameMeter, range.naming?.of(first.meter)),
            },
          ];
    });
  });
  const { zone } = range;
  // A percentile of a day cannot be computed from those of its parts, and has no cost by day.
  const [whole, cut] = [meters.filter(isPercentile), meters.filter((each) => !isPercentile(each))];
  const { usageOf, versionOf } = await usageOfPlaces(ctx, cut, { places: range.parts, zone });
  const { usageOf: wholeUsageOf } = await usageOfPlaces(ctx, whole, { places: range.places, zone });
  for (const card of missing) {
    const series = seriesOf(card, range, (meter) =>
      meter.aggregation === 'percentile'
        ? partsOfWhole(wholeUsageOf(card.row, meter), range)
        : usageOf(card.row, meter),
    );
    const [key, version] = [keys.get(card), versionOf(card.row.id)];
    found.set(card, series);
    if (key !== undefined && version !== undefined) cachedFigures.set(ctx.app, key, version, series);
  }
  return new Map(cards.map((card) => [card.row.id, found.get(card) ?? []]));
}

// About 20 MB.
const cachedFigures = figureCache<readonly ChargeSeries[]>(100_000, (series) =>
  series.reduce((sum, { costs, groups }) => sum + costs.length * (3 + 2 * groups.length), 10),
);

const isPercentile = ({ meter }: PlacedMeter): boolean => meter.aggregation === 'percentile';

/** Gives the first part of each place the usage of the whole place. */
const partsOfWhole = (
  used: readonly (PlaceUsage | undefined)[] | undefined,
  { parts }: ChargeRange,
): readonly (PlaceUsage | undefined)[] | undefined =>
  used && parts.map(({ of }, index) => (parts[index - 1]?.of === of ? undefined : used[of]));

/** A subscription's price periods, and those of them that use a rate card. */
type Card = {
  readonly row: SubscriptionRow;
  readonly periods: readonly PricePeriod[];
  readonly times: readonly CardTime[];
};

/**
 * Whether a series depends only on prices and on day rows covered by {@link dayVersions}: it is not hourly,
 * not of an add-on, and contains no levels, distinct counts or percentiles.
 */
const isKeepable = ({ row, times }: Card, { parts }: ChargeRange): boolean =>
  row.parentId === null &&
  parts.every(isDay) &&
  times.some(({ charged }) => charged.some(({ meter }) => meter.key !== ownKey)) &&
  !times.some(({ charged }) => charged.some(({ meter }) => hasMeasures(meter)));

/**
 * Everything the series of a subscription depends on besides the day rows of its charges. The own meter's
 * usage is included by value because it was read just before the rows.
 */
const keyOf = ({ row, times }: Card, { parts, zone, own, naming }: ChargeRange): string =>
  keyOfInputs([
    row.id,
    zone,
    parts.map(({ name }) => name),
    naming?.key,
    times.map(({ time, charged, parts: inTime }) => [time.isTrial, charged, inTime]),
    parts.map((_, index) => {
      const rollup = own(row.id, index);
      return (
        rollup && { ...rollup, eventCount: String(rollup.eventCount), distinct: String(rollup.distinct) }
      );
    }),
  ]);

/** Returns the cached series that were computed from the same prices and rows. */
async function seriesKept(
  ctx: Ctx,
  keys: ReadonlyMap<Card, string>,
  { places }: ChargeRange,
): Promise<Map<Card, readonly ChargeSeries[]>> {
  const found = new Map<Card, readonly ChargeSeries[]>();
  const [first, last] = [places[0], places.at(-1)];
  if (!first || !last || !cachedFigures.hasAny(ctx.app, keys.values())) return found;
  const ids = [...keys.keys()].map(({ row }) => row.id);
  const versions = await dayVersions(ctx, ids, first.day, last.day);
  for (const [card, key] of keys) {
    const series = cachedFigures.get(ctx.app, key, versions.get(card.row.id) ?? '');
    if (series) found.set(card, series);
  }
  return found;
}

/**
 * Groups the cells of a meter by kind: cells of one kind share a name, and all charges price them as one sum.
 */
function kindsOf(charged: readonly Charged[], nameOf: ((cell: string) => string) | undefined) {
  const keys = charged.map(({ charge, meter }) => priceKeyOf(charge, meter));
  return (cell: string): string => JSON.stringify([nameOf?.(cell), ...keys.map((keyOf) => keyOf(cell))]);
}

/** A price period in a month, with the parts of places that belong to it. */
type CardTime = {
  readonly time: PlanTime;
  readonly charged: readonly Charged[];
  readonly parts: readonly number[];
};

function timesOf(row: SubscriptionRow, { parts, periodsOf }: ChargeRange, metersIn: MetersIn): CardTime[] {
  return periodsOf(row.id).flatMap((period): CardTime[] => {
    const { time, month } = period;
    const { pricing } = time.price;
    if (pricing.model !== 'rate_card') return [];
    const prorated = usageChargesOf(row, time, pricing, month, row.timeZone);
    return [
      {
        time,
        charged: chargedUsage({ ...pricing, charges: prorated }, (key) =>
          metersIn(time.plan.id).find(({ chargedAs }) => chargedAs === key),
        ),
        parts: partsIn(parts, period),
      },
    ];
  });
}

function seriesOf(
  { row: { id }, times }: Card,
  { places, parts, own, naming }: ChargeRange,
  usageOf: (meter: StreamMeter) => readonly (PlaceUsage | undefined)[] | undefined,
): ChargeSeries[] {
  const usageAt = (meter: StreamMeter, index: number): PlaceUsage | undefined => {
    if (meter.key !== ownKey) return usageOf(meter)?.[index];
    const { start } = required(parts[index], 'a part of a place');
    const rollup = own(id, index);
    return rollup && { cells: [{ ...emptyCell(wholeCell), lastAt: start, ...ownCell(rollup) }], whole: {} };
  };
  const byCharge = Map.groupBy(
    times.flatMap((time) => time.charged.map((charged) => ({ ...charged, ...time }))),
    ({ charge, meter }) => `${charge.key}\n${meter.key}`,
  );
  return [...byCharge.values()].flatMap((ofTimes): ChargeSeries[] => {
    const last = ofTimes.at(-1);
    if (!last) return [];
    const { meter } = last;
    const name = memoized(naming?.of(meter));
    const usedParts = parts.map((): PlaceUsage | undefined => undefined);
    const costs = places.map(() => zero);
    const costsOf = new Map<string, Decimal[]>();
    const addTo = (list: Decimal[], place: number, cost: Decimal): void => {
      list[place] = (list[place] ?? zero).plus(cost);
    };
    for (const { charge, time, parts: inTime } of ofTimes) {
      for (const index of inTime) usedParts[index] = usageAt(meter, index);
      if (time.isTrial || isMonthOnly(charge, meter)) continue;
      const found = chargeCosts(
        charge,
        meter,
        inTime.map((index) => usedParts[index]),
        name ?? (() => wholeCell),
      );
      for (const [at, { cost, byGroup }] of found.entries()) {
        const { of } = required(parts[inTime[at] ?? -1], 'a part of the time');
        addTo(costs, of, cost);
        for (const [key, part] of name && byGroup ? byGroup : []) {
          const list = costsOf.get(key) ?? places.map(() => zero);
          costsOf.set(key, list);
          addTo(list, of, part);
        }
      }
    }
    const ofPlace = Map.groupBy(usedParts.entries(), ([index]) => parts[index]?.of);
    const used = places.map((_, index) =>
      joinPlaces((ofPlace.get(index) ?? []).flatMap(([, usage]) => usage ?? [])),
    );
    return [
      {
        charge: { key: last.charge.key, name: last.charge.name },
        meter,
        quantities: used.map((each) => (each ? quantityAt(each, meter) : zero)),
        costs,
        events: used.map((each) => (each?.cells ?? []).reduce((sum, { eventCount }) => sum + eventCount, 0n)),
        isMonthOnly: ofTimes.some(({ charge }) => isMonthOnly(charge, meter)),
        groups: name
          ? groupsOf(
              used,
              meter,
              name,
              ofTimes.every(({ charge }) => isSplitByCell(charge, meter)) ? costsOf : null,
            )
          : [],
      },
    ];
  });
}

/** Caches names: a cell is named at each of its places. */
function memoized(nameOf: ((cell: string) => string) | undefined): ((cell: string) => string) | undefined {
  if (!nameOf) return undefined;
  const names = new Map<string, string>();
  return (cell) => {
    const known = names.get(cell);
    if (known !== undefined) return known;
    const name = nameOf(cell);
    names.set(cell, name);
    return name;
  };
}

/** Wraps a rollup of the service's own meter as the single cell of its charges. */
const ownCell = ({ min, ...rollup }: Rollup): Omit<Rollup, 'min'> & { readonly min: string | null } => ({
  ...rollup,
  min: min ?? null,
});

function groupsOf(
  used: readonly (PlaceUsage | undefined)[],
  meter: StreamMeter,
  nameOf: (cell: string) => string,
  costsOf: ReadonlyMap<string, readonly Decimal[]> | null,
): ChargeGroup[] {
  const byPlace = used.map((each) => Map.groupBy(each?.cells ?? [], ({ cell }) => nameOf(cell)));
  const keys = new Set(byPlace.flatMap((groups) => [...groups.keys()]));
  return [...keys].toSorted().map((key): ChargeGroup => {
    const quantities = byPlace.map((groups) => quantityOfCells(groups.get(key) ?? [], meter));
    return {
      key,
      quantities: quantities.every((each) => each !== null) ? quantities : null,
      costs: costsOf && (costsOf.get(key) ?? used.map(() => zero)),
    };
  });
}

/** The total cost of a subscription's charges at each place. */
export const costsOfCharges = (series: readonly ChargeSeries[], count: number): Decimal[] =>
  sumLists(
    series.map(({ costs }) => costs),
    count,
  );
