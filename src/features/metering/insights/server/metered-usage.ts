// Days and hours of an organization's usage with exact quantities and costs: the input of every insight.
import { decimal, type Decimal } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import { required } from '#kernel/assert.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { addDays, dayPeriod, hoursOfDay, monthPeriod } from '#kernel/time.ts';
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
  dailyCosts,
  daysFrom,
  daysOf,
  firstSeen,
  levelSteps,
  type Metered,
} from '#features/metering/usage/server/index.ts';
import type { Grain } from '../contract.ts';
import { hourRollups, type PlaceRollup } from './store.ts';

/** What an organization has subscribed to, with its prices. */
export type Loaded = { readonly zone: string; readonly offers: Offers; readonly metered: readonly Metered[] };

/** Loads it; of one service only when one is named. */
export async function loadMetered(ctx: Ctx, serviceId?: string): Promise<Loaded> {
  return loadMeteredOf(ctx, tenant(ctx), serviceId);
}

/** The same of any organization. */
export async function loadMeteredOf(
  ctx: Ctx,
  organizationId: Id<'org'>,
  serviceId?: string,
): Promise<Loaded> {
  const organization = required(
    await organizationById(ctx.db, organizationId),
    'the organization whose usage is read',
  );
  const subscriptions = await subscriptionsOf(ctx.db, organization.id);
  const offers = await offersFor(
    ctx,
    subscriptions.flatMap((row) => [row, ...servicesOf(row)]),
  );
  const metered = subscriptions.map((subscription) => ({
    subscription,
    service: offers.service(subscription.serviceId),
  }));
  return {
    zone: organization.timeZone,
    offers,
    metered: metered.filter((each) => serviceId === undefined || each.service.id === serviceId),
  };
}

/** A day or an hour, [start, end), and the key by which rollups are looked up. */
export type Place = {
  readonly day: LocalDay;
  readonly start: Date;
  readonly end: Date;
  readonly name: string;
};
/** One subscription's figures, one per place; `events` counts the events reported there. */
export type Row = {
  readonly subscription: SubscriptionRow;
  readonly service: Service;
  readonly quantities: readonly Decimal[];
  readonly costs: readonly Decimal[];
  readonly events: readonly bigint[];
};

/** The places of a range. */
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

/** Reads a range: each subscription's quantity and exact usage cost of every place. Hours add up to their day to the last digit. */
export async function readPlaces(
  ctx: Ctx,
  { zone, offers, metered }: Loaded,
  range: { from: LocalDay; to: LocalDay; grain: Grain },
): Promise<{ places: Place[]; rows: Row[] }> {
  const places = placesOf(range.from, range.to, range.grain, zone);
  // Costs are differences within a month, so the reading begins with the first day of the first month.
  const monthStart = `${range.from.slice(0, 7)}-01` as LocalDay;
  const daysBefore = daysFrom(monthStart, addDays(range.from, -1));
  const ofDay = await daysOf(
    ctx,
    metered,
    zone,
    monthStart,
    range.grain === 'day' ? range.to : addDays(range.from, -1),
  );
  const ofHour = range.grain === 'day' ? undefined : await hoursOf(ctx, metered, places, zone);
  const days = [...daysBefore, ...places.map((place) => place.day)];
  const rows = metered.map(({ subscription, service }): Row => {
    const inRange = places.map((place): Rollup | undefined =>
      ofHour ? ofHour(subscription.id, place) : ofDay(subscription.id, place.day),
    );
    const costs = dailyCosts(subscription, offers, days, [
      ...daysBefore.map((day) => ofDay(subscription.id, day)),
      ...inRange,
    ]).slice(daysBefore.length);
    return {
      subscription,
      service,
      quantities: inRange.map((each) => quantityOf(each, service.meter.aggregation)),
      costs: costs.map((cost) => decimal(cost)),
      events: inRange.map((each) => each?.eventCount ?? 0n),
    };
  });
  return { places, rows };
}

/** Hours of subscriptions. For a level, an hour is the increment to its month's average. */
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
        month: day.slice(0, 7) as BillingMonth,
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
    start: monthPeriod(first.day.slice(0, 7) as BillingMonth, zone).start,
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
