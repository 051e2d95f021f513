// Usage by day: per service, per charge of a rate card, and by the values of its meter's dimensions.
import type { In } from '#kernel/contract.ts';
import { decimal, decimalText, isZero, sumDecimals, sumLists, zero, type Decimal } from '#kernel/decimal.ts';
import { domainError } from '#kernel/errors.ts';
import { required } from '#kernel/assert.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { dayPeriod, daysOfMonth, threeMonthsFrom } from '#kernel/time.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  offersFor,
  servicesOf,
  subscriptionsOf,
  type SubscriptionRow,
} from '#features/selling/subscriptions/server/index.ts';
import { unitOf } from '#features/selling/catalogue/rules.ts';
import { usageErrors, type DailyUsage, type usage } from '../contract.ts';
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
import type { UsagePlace } from './charge-measures.ts';
import { metersOfSubscriptions } from './meters-of-services.ts';
import { dailyCosts, daysFrom, daysOf } from './read.ts';

/** Returns the places of some days. */
export const placesOfDays = (days: readonly LocalDay[], zone: string): UsagePlace[] =>
  days.map((day) => ({ name: day, day, ...dayPeriod(day, zone) }));

/** The usage and cost of subscriptions at consecutive places; the first is the first day of a month. */
export type PlaceFigures = {
  readonly costs: readonly Decimal[];
  /** The usage charges, if there is a rate card. */
  readonly charges: readonly ChargeSeries[];
};

/**
 * Computes the usage costs of subscriptions at places; `own` is the usage of their services' own meters
 * there.
 */
export async function figuresOfPlaces(
  ctx: Ctx,
  priced: Priced,
  range: {
    readonly places: readonly UsagePlace[];
    readonly zone: string;
    readonly own: (subscriptionId: string, place: UsagePlace) => Rollup | undefined;
    readonly naming?: CellNaming;
  },
): Promise<(subscriptionId: string) => PlaceFigures> {
  const { places, own } = range;
  const { metered, offers } = priced;
  const ofCards = await chargeSeries(ctx, priced, range);
  const days = places.map(({ day }) => day);
  const figures = new Map(
    metered.map(({ subscription }): [string, PlaceFigures] => {
      const charges = ofCards.get(subscription.id) ?? [];
      const ofCard = costsOfCharges(charges, places.length);
      const single = dailyCosts(
        subscription,
        offers,
        days,
        places.map((place) => own(subscription.id, place)),
      );
      return [
        subscription.id,
        { charges, costs: single.map((cost, index) => decimal(cost).plus(ofCard[index] ?? zero)) },
      ];
    }),
  );
  return (subscriptionId) => figures.get(subscriptionId) ?? { costs: places.map(() => zero), charges: [] };
}

/** Names each cell separately. */
const wholeCells: CellNaming = {
  key: 'cells',
  of: ({ dimensions }) => (dimensions.length > 0 ? (cell) => cell : undefined),
};

/** Returns usage by day and service over at most three months. */
export async function daily(ctx: Ctx, input: In<typeof usage.daily>): Promise<DailyUsage> {
  const mistake = rangeMistake(input.from, input.to, threeMonthsFrom(input.from));
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
  const readFrom = `${input.from.slice(0, 7)}-01` as LocalDay;
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
  const skip = places.length - days.length;
  const series = metered.map(({ subscription, service }) => {
    const { aggregation } = service.meter;
    const { costs, charges } = figuresOf(subscription.id);
    return {
      subscriptionId: subscription.id,
      serviceId: service.id,
      serviceName: service.name,
      unit: unitOf(service.meter),
      currency: service.pricing.currency,
      quantities: places
        .slice(skip)
        .map(({ day }) => decimalText(quantityOf(rollup(subscription.id, day), aggregation))),
      costs: costs.slice(skip).map(decimalText),
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
