// Usage by day: per service, per charge of a rate card, and by the values of its meter's dimensions.
import type { In } from '#kernel/contract.ts';
import { decimalText, isZero, sumDecimals, sumLists, zero, type Decimal } from '#kernel/decimal.ts';
import { domainError } from '#kernel/errors.ts';
import { required } from '#kernel/assert.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { dayPeriod, daysOfMonth, firstDayOf, monthsAfter } from '#kernel/time.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  offersFor,
  servicesOf,
  subscriptionsOf,
  type SubscriptionRow,
} from '#features/selling/subscriptions/server/index.ts';
import { unitOf } from '#features/selling/catalogue/rules.ts';
import { usageErrors, type DailyUsage, type MonthSum as MonthSumText, type usage } from '../contract.ts';
import { largestCells } from '../rules-charge-costs.ts';
import { quantityOf, rangeMistake, type Rollup } from '../rules.ts';
import { dimensionsOfCell } from '../rules-streams.ts';
import {
  chargeSeries,
  costsOfCharges,
  type CellNaming,
  type ChargeSeries,
  type Priced,
} from './charge-days.ts';
import { metersOfSubscriptions } from './meters-of-services.ts';
import { monthSums, type MonthSum } from './month-sums.ts';
import { joinOwn, ownByPart, singleCosts } from './own-usage.ts';
import {
  cutPlaces,
  pricePeriods,
  type PlacePart,
  type PricePeriod,
  type UsagePlace,
} from './price-periods.ts';
import { daysFrom, daysOf, type Metered } from './read.ts';

/** Returns the places of some days. */
export const placesOfDays = (days: readonly LocalDay[], zone: string): UsagePlace[] =>
  days.map((day) => ({ name: day, day, ...dayPeriod(day, zone) }));

/** The usage and cost of a subscription at consecutive places; the first is the first day of a month. */
export type PlaceFigures = {
  readonly costs: readonly Decimal[];
  /** The usage of its service's own meter. */
  readonly own: readonly (Rollup | undefined)[];
  /** The usage charges, if there is a rate card. */
  readonly charges: readonly ChargeSeries[];
};

type FiguresRange = {
  readonly places: readonly UsagePlace[];
  readonly zone: string;
  readonly own: (subscriptionId: string, place: UsagePlace) => Rollup | undefined;
  readonly naming?: CellNaming;
};

/**
 * Computes the usage costs of subscriptions at places; `own` is the usage of their services' own meters
 * there. A place costs what it adds to the price of its month so far. Where plan or price changes within a
 * place, each part of it has its own price, as on bills.
 */
export async function figuresOfPlaces(
  ctx: Ctx,
  priced: Priced,
  range: FiguresRange,
): Promise<(subscriptionId: string) => PlaceFigures> {
  const { places, own } = range;
  const periods = new Map(
    priced.metered.map(({ subscription }) => [
      subscription.id as string,
      pricePeriods(subscription, priced.offers, places),
    ]),
  );
  const isSteady = ({ subscription: { id } }: Metered): boolean =>
    (periods.get(id) ?? []).every(({ isWholeMonth }) => isWholeMonth);
  const steady = priced.metered.filter(isSteady);
  const changed = priced.metered.filter((each) => !isSteady(each));
  const figures = new Map([
    ...(await figuresOf(ctx, { ...priced, metered: steady }, range, periods, (id, { of }) => {
      const place = places[of];
      return place && own(id, place);
    })),
    ...(await figuresOfChanged(ctx, { ...priced, metered: changed }, range, periods)),
  ]);
  return (subscriptionId) =>
    figures.get(subscriptionId) ?? {
      costs: places.map(() => zero),
      own: places.map((place) => own(subscriptionId, place)),
      charges: [],
    };
}

type Periods = ReadonlyMap<string, readonly PricePeriod[]>;

/** The same for subscriptions whose plan or price changes in the months of the places. */
async function figuresOfChanged(
  ctx: Ctx,
  priced: Priced,
  range: FiguresRange,
  periods: Periods,
): Promise<Map<string, PlaceFigures>> {
  const { places, zone, own } = range;
  if (priced.metered.length === 0) return new Map();
  const subscriptions = priced.metered.map(({ subscription }) => subscription);
  const periodsOf = (subscriptionId: string): readonly PricePeriod[] => periods.get(subscriptionId) ?? [];
  const parts = cutPlaces(
    places,
    subscriptions.flatMap(({ id }) => periodsOf(id)),
    zone,
  );
  const ownAt = await ownByPart(ctx, subscriptions, priced.offers, { places, parts, periodsOf, zone, own });
  return figuresOf(ctx, priced, range, periods, (id, { index }) => ownAt(id, index), parts);
}

async function figuresOf(
  ctx: Ctx,
  priced: Priced,
  { places, zone, own, naming }: FiguresRange,
  periods: Periods,
  ownAt: (
    subscriptionId: string,
    part: { readonly of: number; readonly index: number },
  ) => Rollup | undefined,
  parts: readonly PlacePart[] = places.map((place, of) => ({ ...place, of })),
): Promise<Map<string, PlaceFigures>> {
  const periodsOf = (subscriptionId: string): readonly PricePeriod[] => periods.get(subscriptionId) ?? [];
  const ownOf = (subscriptionId: string, index: number): Rollup | undefined => {
    const part = parts[index];
    return part && ownAt(subscriptionId, { of: part.of, index });
  };
  const ofCards = await chargeSeries(ctx, priced, {
    places,
    parts,
    periodsOf,
    zone,
    own: ownOf,
    ...(naming && { naming }),
  });
  const indexesOf = Map.groupBy(parts.keys(), (index) => parts[index]?.of);
  return new Map(
    priced.metered.map(({ subscription }): [string, PlaceFigures] => {
      const { id } = subscription;
      const charges = ofCards.get(id) ?? [];
      const ofCard = costsOfCharges(charges, places.length);
      const single = singleCosts(subscription, priced.offers, { places, parts, periodsOf }, (index) =>
        ownOf(id, index),
      );
      return [
        id,
        {
          charges,
          costs: single.map((cost, index) => cost.plus(ofCard[index] ?? zero)),
          own: places.map((place, of) =>
            joinOwn(
              own(id, place),
              (indexesOf.get(of) ?? []).map((index) => ownOf(id, index)),
            ),
          ),
        },
      ];
    }),
  );
}

/** Writes exact amounts as texts. */
export const monthSumText = ({
  month,
  billed,
  ...amounts
}: Omit<MonthSum, 'subscriptionId'>): MonthSumText => {
  const { days, wholeMonth, fees, limits, rounding } = amounts;
  return {
    month,
    days: decimalText(days),
    wholeMonth: decimalText(wholeMonth),
    fees: decimalText(fees),
    limits: decimalText(limits),
    rounding: decimalText(rounding),
    billed,
  };
};

/** Names each cell separately. */
const wholeCells: CellNaming = {
  key: 'cells',
  of: ({ dimensions }) => (dimensions.length > 0 ? (cell) => cell : undefined),
};

/** Returns usage by day and service over at most three months. */
export async function daily(ctx: Ctx, input: In<typeof usage.daily>): Promise<DailyUsage> {
  const mistake = rangeMistake(input.from, input.to, monthsAfter(input.from, 3));
  if (mistake) throw domainError(usageErrors, mistake);
  const subscriptions = (await subscriptionsOf(ctx.db, tenant(ctx))).filter(
    ({ serviceId }) => input.serviceId === undefined || serviceId === input.serviceId,
  );
  const offers = await offersFor(
    ctx,
    subscriptions.flatMap((row) => [row, ...servicesOf(row)]),
  );
  const metered = subscriptions.map((subscription) => ({
    subscription,
    service: offers.service(subscription.serviceId),
  }));
  const days = daysFrom(input.from, input.to);
  const zone = metered[0]?.subscription.timeZone ?? 'UTC';
  // A day's cost is a difference within its month, so reading starts on the first day of the first month.
  const readFrom = firstDayOf(input.from);
  const places = placesOfDays(daysFrom(readFrom, input.to), zone);
  const [rollup, metersIn] = await Promise.all([
    daysOf(ctx, metered, zone, readFrom, input.to),
    metersOfSubscriptions(ctx, subscriptions, offers),
  ]);
  const figuresOf = await figuresOfPlaces(
    ctx,
    { metered, offers, metersIn },
    {
      places,
      zone,
      own: (subscriptionId, { day }) => rollup(subscriptionId, day),
      // Without a service, the chart shows services only and does not need cells.
      ...(input.serviceId !== undefined && {
        naming: wholeCells,
      }),
    },
  );
  const sums = await monthSums(
    ctx,
    subscriptions,
    { ...input, zone },
    { places, costsOf: (subscriptionId) => figuresOf(subscriptionId).costs },
  );
  const skip = places.length - days.length;
  const series = metered.map(({ subscription, service }) => {
    const { aggregation } = service.meter;
    const { costs, charges, own } = figuresOf(subscription.id);
    return {
      subscriptionId: subscription.id,
      serviceId: service.id,
      serviceName: service.name,
      unit: unitOf(service.meter),
      currency: service.pricing.currency,
      quantities: own.slice(skip).map((each) => decimalText(quantityOf(each, aggregation))),
      costs: costs.slice(skip).map(decimalText),
      months: sums
        .filter(({ subscriptionId }) => subscriptionId === subscription.id)
        .map(({ subscriptionId: _of, ...sum }) => monthSumText(sum)),
      ...(charges.length > 0 && {
        charges: charges
          // A cell whose last value is zero may stand beside another cell that costs something.
          .filter(({ quantities, costs: own }) =>
            [...quantities.slice(skip), ...own.slice(skip)].some((each) => !isZero(each)),
          )
          .map((each) => chargeView(each, skip)),
      }),
    };
  });
  return {
    from: input.from,
    to: input.to,
    days,
    series: series.filter(
      ({ quantities, charges = [] }) => charges.length > 0 || quantities.some((quantity) => quantity !== '0'),
    ),
  };
}

/** Returns the days of a month on which a charge of a subscription's rate card has usage. */
export async function daysOfCharge(
  ctx: Ctx,
  subscription: SubscriptionRow,
  key: string,
  month: BillingMonth,
): Promise<{ readonly day: LocalDay; readonly quantity: Decimal; readonly events: bigint }[]> {
  const offers = await offersFor(ctx, [subscription, ...servicesOf(subscription)]);
  const metered = [{ subscription, service: offers.service(subscription.serviceId) }];
  const zone = subscription.timeZone;
  const places = placesOfDays(daysOfMonth(month), zone);
  const [first, last] = [required(places[0], 'a first day'), required(places.at(-1), 'a last day')];
  const [rollup, metersIn] = await Promise.all([
    daysOf(ctx, metered, zone, first.day, last.day),
    metersOfSubscriptions(ctx, [subscription], offers),
  ]);
  const figuresOf = await figuresOfPlaces(
    ctx,
    { metered, offers, metersIn },
    { places, zone, own: (subscriptionId, { day }) => rollup(subscriptionId, day) },
  );
  return figuresOf(subscription.id)
    .charges.filter(({ charge }) => charge.key === key)
    .flatMap(({ quantities, events }) =>
      places.map(({ day }, index) => ({
        day,
        quantity: quantities[index] ?? zero,
        events: events[index] ?? 0n,
      })),
    )
    .filter(({ quantity, events }) => events > 0n || !isZero(quantity));
}

type ChargeView = NonNullable<DailyUsage['series'][number]['charges']>[number];

function chargeView(series: ChargeSeries, skip: number): ChargeView {
  const { charge, meter, quantities, costs, isMonthOnly, groups } = series;
  const texts = (values: readonly Decimal[]): string[] => values.slice(skip).map(decimalText);
  const { shown, others } = largestCells(groups, (group) =>
    sumDecimals((group.quantities ?? []).slice(skip).map((each) => each.abs())),
  );
  const addedUp = (lists: readonly (readonly Decimal[] | null)[]): string[] | null => {
    const known = lists.flatMap((list) => (list ? [list] : []));
    return known.length < lists.length ? null : texts(sumLists(known, quantities.length));
  };
  const doAddUp = meter.aggregation === 'sum' || meter.aggregation === 'count';
  return {
    ...charge,
    ...(meter.chargedAs !== undefined && { meter: meter.chargedAs }),
    unit: meter.unit,
    quantities: texts(quantities),
    costs: isMonthOnly ? null : texts(costs),
    ...(groups.length > 0 && {
      cells: [
        ...shown.map((group) => ({
          dimensions: dimensionsOfCell(meter, group.key),
          quantities: group.quantities && texts(group.quantities),
          costs: group.costs && texts(group.costs),
        })),
        ...(others.length > 0
          ? [
              {
                dimensions: null,
                quantities: doAddUp ? addedUp(others.map((group) => group.quantities)) : null,
                costs: addedUp(others.map((group) => group.costs)),
              },
            ]
          : []),
      ],
    }),
  };
}
