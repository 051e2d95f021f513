// Computes the cost of rate card usage charges by day or hour, in total and by dimension values.
import { sumLists, zero, type Decimal } from '#kernel/decimal.ts';
import { required } from '#kernel/assert.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { dayPeriod } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { ChargeName } from '#features/selling/subscriptions/contract.ts';
import {
  monthParts,
  planTimes,
  usageChargesOf,
  type PlanOf,
  type PlanTime,
} from '#features/selling/subscriptions/rules.ts';
import type { Offers, SubscriptionRow } from '#features/selling/subscriptions/server/index.ts';
import type { Rollup } from '../rules.ts';
import {
  chargeCosts,
  emptyCell,
  isMonthOnly,
  isSplitByCell,
  priceKeyOf,
  quantityAt,
  quantityOfCells,
  type PlaceUsage,
} from '../rules-charge-costs.ts';
import { ownKey, wholeCell, type StreamMeter } from '../rules-streams.ts';
import { hasMeasures, type UsagePlace } from './charge-measures.ts';
import { keptFigures, keyOfInputs } from './kept-figures.ts';
import { chargedUsage, hasCard, type Charged, type MetersIn } from './meters-of-services.ts';
import { isDay, usageOfPlaces } from './place-usage.ts';
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
  readonly zone: string;
  /** The usage of services' own meters, which also applies to charges that measure the same. */
  readonly own: (subscriptionId: string, place: UsagePlace) => Rollup | undefined;
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
    times: timesOf(row, offers, range.places, metersIn),
  }));
  const keys = new Map(
    cards.filter((card) => isKeepable(card, range)).map((card) => [card, keyOf(card, range)] as const),
  );
  const found = await seriesKept(ctx, keys, range);
  const missing = cards.filter((card) => !found.has(card));
  const { usageOf, versionOf } = await usageOfPlaces(
    ctx,
    missing.flatMap(({ row, times }) => {
      const charged = times.flatMap((time) => time.charged);
      return [...Map.groupBy(charged, ({ meter }) => meter.key)].flatMap(([key, sameMeter]) => {
        const [first] = sameMeter;
        return key === ownKey || !first
          ? []
          : [
              {
                subscription: row,
                meter: first.meter,
                kindOf: kindsOf(sameMeter, range.naming?.of(first.meter)),
              },
            ];
      });
    }),
    range,
  );
  for (const card of missing) {
    const series = seriesOf(card, range, (meter) => usageOf(card.row, meter));
    const [key, version] = [keys.get(card), versionOf(card.row.id)];
    found.set(card, series);
    if (key !== undefined && version !== undefined) kept.keep(ctx.app, key, version, series);
  }
  return new Map(cards.map((card) => [card.row.id, found.get(card) ?? []]));
}

// About 20 MB.
const kept = keptFigures<readonly ChargeSeries[]>(100_000, (series) =>
  series.reduce((sum, { costs, groups }) => sum + costs.length * (3 + 2 * groups.length), 10),
);

/** A subscription's price periods that use a rate card. */
type Card = { readonly row: SubscriptionRow; readonly times: readonly CardTime[] };

/**
 * Whether a series depends only on prices and on day rows covered by {@link dayVersions}: it is not hourly,
 * not of an add-on, and contains no levels, distinct counts or percentiles.
 */
const isKeepable = ({ row, times }: Card, { places }: ChargeRange): boolean =>
  row.parentId === null &&
  places.every(isDay) &&
  times.some(({ charged }) => charged.some(({ meter }) => meter.key !== ownKey)) &&
  !times.some(({ charged }) => charged.some(({ meter }) => hasMeasures(meter)));

/**
 * Everything the series of a subscription depends on besides the day rows of its charges. The own meter's
 * usage is included by value because it was read just before the rows.
 */
const keyOf = ({ row, times }: Card, { places, zone, own, naming }: ChargeRange): string =>
  keyOfInputs([
    row.id,
    zone,
    places.map(({ name }) => name),
    naming?.key,
    times.map(({ time, charged, places: inTime }) => [time.isTrial, charged, inTime]),
    places.map((place) => {
      const rollup = own(row.id, place);
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
  if (!first || !last || !kept.isAny(ctx.app, keys.values())) return found;
  const ids = [...keys.keys()].map(({ row }) => row.id);
  const versions = await dayVersions(ctx, ids, first.day, last.day);
  for (const [card, key] of keys) {
    const series = kept.find(ctx.app, key, versions.get(card.row.id) ?? '');
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

/** A price period in a month, with the places that begin in it. */
type CardTime = {
  readonly time: PlanTime;
  readonly month: BillingMonth;
  readonly charged: readonly Charged[];
  readonly places: readonly number[];
};

function timesOf(
  row: SubscriptionRow,
  offers: Offers,
  places: readonly UsagePlace[],
  metersIn: MetersIn,
): CardTime[] {
  const planOf: PlanOf = (serviceId) => offers.plan(serviceId, row.organizationId);
  const months = Map.groupBy(places.entries(), ([, { day }]) => day.slice(0, 7) as BillingMonth);
  return [...months].flatMap(([month, inMonth]) =>
    planTimes(monthParts(row, planOf, month, row.timeZone)).flatMap((time): CardTime[] => {
      const { pricing } = time.price;
      if (pricing.model !== 'rate_card') return [];
      // As on bills, a day belongs to the part in which it begins.
      const own = inMonth.filter(([, { day }]) => {
        const { start } = dayPeriod(day, row.timeZone);
        return time.parts.some(({ from, to }) => start >= from && start < to);
      });
      const prorated = usageChargesOf(row, time, pricing, month, row.timeZone);
      return [
        {
          time,
          month,
          charged: chargedUsage({ ...pricing, charges: prorated }, (key) =>
            metersIn(time.plan.id).find(({ chargedAs }) => chargedAs === key),
          ),
          places: own.map(([index]) => index),
        },
      ];
    }),
  );
}

function seriesOf(
  { row: { id }, times }: Card,
  { places, own, naming }: ChargeRange,
  usageOf: (meter: StreamMeter) => readonly (PlaceUsage | undefined)[] | undefined,
): ChargeSeries[] {
  const usageAt = (meter: StreamMeter, index: number): PlaceUsage | undefined => {
    if (meter.key !== ownKey) return usageOf(meter)?.[index];
    const place = required(places[index], 'a place');
    const rollup = own(id, place);
    return (
      rollup && { cells: [{ ...emptyCell(wholeCell), lastAt: place.start, ...ownCell(rollup) }], whole: {} }
    );
  };
  const byCharge = Map.groupBy(
    times.flatMap((time) => time.charged.map((charged) => ({ ...charged, ...time }))),
    ({ charge, meter }) => `${charge.key}\n${meter.key}`,
  );
  return [...byCharge.values()].flatMap((parts): ChargeSeries[] => {
    const last = parts.at(-1);
    if (!last) return [];
    const { meter } = last;
    const name = memoized(naming?.of(meter));
    const used = places.map((): PlaceUsage | undefined => undefined);
    const costs = places.map(() => zero);
    const costsOf = new Map<string, Decimal[]>();
    for (const { charge, time, places: inTime } of parts) {
      for (const index of inTime) used[index] = usageAt(meter, index);
      if (time.isTrial || isMonthOnly(charge, meter)) continue;
      const found = chargeCosts(
        charge,
        meter,
        inTime.map((index) => used[index]),
        name ?? (() => wholeCell),
      );
      for (const [at, { cost, byGroup }] of found.entries()) {
        const index = required(inTime[at], 'a place of the time');
        costs[index] = cost;
        for (const [key, part] of name && byGroup ? byGroup : []) {
          const list = costsOf.get(key) ?? places.map(() => zero);
          costsOf.set(key, list);
          list[index] = part;
        }
      }
    }
    return [
      {
        charge: { key: last.charge.key, name: last.charge.name },
        meter,
        quantities: used.map((each) => (each ? quantityAt(each, meter) : zero)),
        costs,
        events: used.map((each) => (each?.cells ?? []).reduce((sum, { eventCount }) => sum + eventCount, 0n)),
        isMonthOnly: parts.some(({ charge }) => isMonthOnly(charge, meter)),
        groups: name
          ? groupsOf(
              used,
              meter,
              name,
              parts.every(({ charge }) => isSplitByCell(charge, meter)) ? costsOf : null,
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
