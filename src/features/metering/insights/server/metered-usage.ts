// Days and hours of an organization's usage with exact quantities and costs: the input of every insight.
import type { Decimal } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import { required } from '#kernel/assert.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { addDays, dayPeriod, firstDayOf, hoursOfDay, monthOfDay, monthPeriod } from '#kernel/time.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Service } from '#features/selling/catalogue/contract.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import {
  offersFor,
  servicesOf,
  subscriptionsOf,
  type Offers,
  type SubscriptionRow,
} from '#features/selling/subscriptions/server/index.ts';
import { quantityOf, type Rollup } from '#features/metering/usage/rules.ts';
import {
  daysFrom,
  daysOf,
  figuresOfPlaces,
  firstSeen,
  levelSteps,
  metersOfSubscriptions,
  type CellNaming,
  type ChargeSeries,
  type Metered,
  type UsagePlace,
} from '#features/metering/usage/server/index.ts';
import type { Grain } from '../contract.ts';
import { hourRollups, type PlaceRollup } from './store.ts';

/** An organization's subscriptions with their prices. */
export type Loaded = { readonly zone: string; readonly offers: Offers; readonly metered: readonly Metered[] };

/** Loads the caller's organization; only one service if it is given. */
export async function loadMetered(ctx: Ctx, serviceId?: string): Promise<Loaded> {
  return loadMeteredOf(ctx, tenant(ctx), serviceId);
}

/** The same for any organization. */
export async function loadMeteredOf(
  ctx: Ctx,
  organizationId: Id<'org'>,
  serviceId?: string,
): Promise<Loaded> {
  const [organization, subscribed] = await Promise.all([
    organizationById(ctx.db, organizationId),
    subscriptionsOf(ctx.db, organizationId),
  ]);
  const subscriptions = subscribed.filter((row) => serviceId === undefined || row.serviceId === serviceId);
  const offers = await offersFor(
    ctx,
    subscriptions.flatMap((row) => [row, ...servicesOf(row)]),
  );
  const metered = subscriptions.map((subscription) => ({
    subscription,
    service: offers.service(subscription.serviceId),
  }));
  return {
    zone: required(organization, 'the organization whose usage is read').timeZone,
    offers,
    metered,
  };
}

/** A day or an hour, [start, end), and the key by which rollups are looked up. */
export type Place = UsagePlace;
/**
 * One subscription's figures, one per place: quantities and events of its service's own meter, and the costs
 * of all its usage.
 */
export type Row = {
  readonly subscription: SubscriptionRow;
  readonly service: Service;
  readonly quantities: readonly Decimal[];
  readonly costs: readonly Decimal[];
  readonly events: readonly bigint[];
  /** The usage charges of a rate card. */
  readonly charges: readonly ChargeSeries[];
};

/** Returns the places of a range. */
export function placesOf(from: LocalDay, to: LocalDay, grain: Grain, zone: string): Place[] {
  return daysFrom(from, to).flatMap((day): Place[] => {
    const { start, end } = dayPeriod(day, zone);
    if (grain === 'day') return [{ day, start, end, name: day }];
    const hours = hoursOfDay(day, zone);
    return hours.map((hour, index) => ({
      day,
      start: hour,
      end: hours[index + 1] ?? end,
      name: String(hour.getTime()),
    }));
  });
}

/**
 * Reads a range: each subscription's quantity and exact usage cost at every place. Hours add up to their day
 * to the last digit.
 */
export async function readPlaces(
  ctx: Ctx,
  { zone, offers, metered }: Loaded,
  range: { from: LocalDay; to: LocalDay; grain: Grain; naming?: CellNaming | undefined },
): Promise<{ places: Place[]; rows: Row[] }> {
  const places = placesOf(range.from, range.to, range.grain, zone);
  // A place's cost is a difference within its month, so reading starts on the first day of the first month.
  const monthStart = firstDayOf(range.from);
  const daysBefore = daysFrom(monthStart, addDays(range.from, -1));
  const lastDay = range.grain === 'day' ? range.to : addDays(range.from, -1);
  const subscriptions = metered.map(({ subscription }) => subscription);
  const [ofDay, metersIn] = await Promise.all([
    daysOf(ctx, metered, zone, monthStart, lastDay),
    metersOfSubscriptions(ctx, subscriptions, offers),
  ]);
  const ofHour = range.grain === 'day' ? undefined : await hoursOf(ctx, metered, places, zone);
  const own = (subscriptionId: string, place: Place): Rollup | undefined =>
    ofHour && place.name !== place.day ? ofHour(subscriptionId, place) : ofDay(subscriptionId, place.day);
  const figuresOf = await figuresOfPlaces(
    ctx,
    { metered, offers, metersIn },
    {
      places: [...daysBefore.flatMap((day) => placesOf(day, day, 'day', zone)), ...places],
      zone,
      own,
      ...(range.naming && { naming: range.naming }),
    },
  );
  const inRange = <T>(values: readonly T[]): readonly T[] => values.slice(daysBefore.length);
  const rows = metered.map(({ subscription, service }): Row => {
    const figures = figuresOf(subscription.id);
    const { costs, charges } = figures;
    const rollups = inRange(figures.own);
    return {
      subscription,
      service,
      quantities: rollups.map((each) => quantityOf(each, service.meter.aggregation)),
      costs: inRange(costs),
      events: rollups.map((each) => each?.eventCount ?? 0n),
      charges: charges.map((each) => ({
        ...each,
        quantities: inRange(each.quantities),
        costs: inRange(each.costs),
        events: inRange(each.events),
        groups: each.groups.map((group) => ({
          ...group,
          quantities: group.quantities && inRange(group.quantities),
          costs: group.costs && inRange(group.costs),
        })),
      })),
    };
  });
  return { places, rows };
}

/** Returns the hours of subscriptions. For a level, an hour is the increment to its month's average. */
async function hoursOf(
  ctx: Ctx,
  metered: readonly Metered[],
  places: readonly Place[],
  zone: string,
): Promise<(subscriptionId: string, place: Place) => Rollup | undefined> {
  const [first, last] = [places[0], places.at(-1)];
  if (!first || !last) return () => undefined;
  const found = await hourRollups(
    ctx,
    metered.map((each) => each.subscription.id),
    first.start,
    last.end,
  );
  const byKey = new Map<string, Omit<PlaceRollup, 'place'>>(
    found.map((rollup) => [`${rollup.subscriptionId} ${rollup.place}`, rollup]),
  );
  const leveled = metered.filter(({ service }) => service.meter.aggregation === 'time_weighted_average');
  const levels = await levelSteps(
    ctx,
    leveled.flatMap(({ subscription }) =>
      places.map(({ name, day, start, end }) => ({
        key: `${subscription.id} ${name}`,
        subscription,
        month: monthOfDay(day),
        from: start,
        to: end,
      })),
    ),
  );
  for (const [key, level] of levels)
    byKey.set(key, {
      ...(byKey.get(key) ?? { ...emptyRollup, subscriptionId: key.slice(0, key.indexOf(' ')) }),
      level,
    });
  const counting = new Set<string>(
    metered
      .filter(({ service }) => service.meter.aggregation === 'unique_count')
      .map((each) => each.subscription.id),
  );
  const firstCounts = await firstSeen(ctx, {
    subscriptionIds: [...counting],
    grain: 'hour',
    zone,
    start: monthPeriod(monthOfDay(first.day), zone).start,
    end: last.end,
  });
  for (const rollup of found) {
    const key = `${rollup.subscriptionId} ${rollup.place}`;
    if (counting.has(rollup.subscriptionId))
      byKey.set(key, { ...rollup, distinct: firstCounts.get(key) ?? 0n });
  }
  return (subscriptionId, place) => byKey.get(`${subscriptionId} ${place.name}`);
}

const emptyRollup = { eventCount: 0n, sum: '0', max: '0', lastValue: '0' } as const;
