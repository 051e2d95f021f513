// Queries of usage: by day, by event, and in the current month. Quantities are always read from rollups.
import type { In, Out } from '#kernel/contract.ts';
import { decimalText, trimDecimal } from '#kernel/decimal.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { addDays, dayPeriod, daysBetween, monthOf, monthOfDay, monthPeriod } from '#kernel/time.ts';
import { parseJson } from '#kernel/parse-json.ts';
import { decodeCursor, encodeCursor } from '#platform/server/database/paging.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { servicesMap } from '#features/selling/catalogue/server/index.ts';
import { unitOf } from '#features/selling/catalogue/rules.ts';
import type { Service } from '#features/selling/catalogue/contract.ts';
import {
  subscriptionById,
  subscriptionsOf,
  type SubscriptionRow,
} from '#features/selling/subscriptions/server/index.ts';
import { usageErrors, type usage } from '../contract.ts';
import { quantityOf } from '../rules.ts';
import type { EventFilter, EventGroup } from '../rules-event-filter.ts';
import { ownKey, wholeCell } from '../rules-streams.ts';
import { levelsOfMonths, levelSteps } from './levels.ts';
import { eventsOfAddOn } from './add-ons.ts';
import { archivedCount, archivedEvents, latestOf } from './archived-events.ts';
import { eventsIdOf } from './rating-context.ts';
import {
  countByRollups,
  countMatching,
  keysOfMember,
  platformKeys,
  type EventRange,
} from './store-event-filter.ts';
import { countEvents, eventsOf, type ListPlace } from './store-events.ts';
import { firstSeen } from './store-first-seen.ts';
import {
  dayRollups,
  monthRollups,
  monthsWithUsage,
  type DayRollup,
  type MonthRollup,
} from './store-rollups.ts';

/** A subscription with its service. */
export type Metered = { readonly subscription: SubscriptionRow; readonly service: Service };

/** Every subscription of an organization with its service. */
export async function meteredOf(ctx: Ctx, organizationId: string): Promise<Metered[]> {
  const subscriptions = await subscriptionsOf(ctx.db, organizationId);
  const service = await servicesMap(ctx, [...new Set(subscriptions.map((row) => row.serviceId))]);
  return subscriptions.map((subscription) => ({ subscription, service: service(subscription.serviceId) }));
}

/**
 * Returns the month rollups of some subscriptions by their services' own meters, by `${subscriptionId}
 * ${month}`.
 */
export async function monthsOf(
  ctx: Ctx,
  metered: readonly Metered[],
  months: readonly BillingMonth[],
): Promise<ReadonlyMap<string, MonthRollup>> {
  const rollups = await monthRollups(
    ctx.db,
    metered.map((each) => each.subscription.id),
    months,
  );
  const byKey = new Map(rollups.map((rollup) => [`${rollup.subscriptionId} ${rollup.month}`, rollup]));
  const levels = await levelsOfMonths(
    ctx,
    metered
      .filter(takesLevels)
      .flatMap(({ subscription }) => months.map((month) => ({ subscription, month }))),
  );
  // A level persists through months without events until the next event changes it.
  for (const {
    subscription: { id },
  } of levels.size > 0 ? metered : []) {
    for (const month of months) {
      const level = levels.get(`${id} ${month}`);
      if (level !== undefined)
        byKey.set(`${id} ${month}`, {
          ...(byKey.get(`${id} ${month}`) ?? {
            ...emptyRollup,
            subscriptionId: id,
            meter: ownKey,
            cell: wholeCell,
            month,
          }),
          level,
        });
    }
  }
  return byKey;
}

const takesLevels = ({ service }: Metered): boolean => service.meter.aggregation === 'time_weighted_average';
const countsDifferent = ({ service }: Metered): boolean => service.meter.aggregation === 'unique_count';
const emptyRollup = { eventCount: 0n, sum: '0', max: '0', lastValue: '0' } as const;

/** The used quantity of subscriptions in their current months: subscription id → decimal text. */
export async function usedNow(
  ctx: Ctx,
  subscriptions: readonly SubscriptionRow[],
): Promise<ReadonlyMap<string, string>> {
  const service = await servicesMap(ctx, [...new Set(subscriptions.map((row) => row.serviceId))]);
  const metered = subscriptions.map((subscription) => ({
    subscription,
    service: service(subscription.serviceId),
  }));
  const month = (row: SubscriptionRow): BillingMonth => monthOf(ctx.now, row.timeZone);
  const rollups = await monthsOf(ctx, metered, [...new Set(subscriptions.map(month))]);
  return new Map(
    metered.map(({ subscription, service: { meter } }) => [
      subscription.id,
      decimalText(quantityOf(rollups.get(`${subscription.id} ${month(subscription)}`), meter.aggregation)),
    ]),
  );
}

/**
 * Returns the days of subscriptions, by subscription id and day. For a level, a day is the increment to its
 * month's average.
 */
export async function daysOf(
  ctx: Ctx,
  metered: readonly Metered[],
  zone: string,
  from: LocalDay,
  to: LocalDay,
): Promise<(subscriptionId: string, day: LocalDay) => DayRollup | undefined> {
  const rollups = await dayRollups(
    ctx.db,
    metered.map((each) => each.subscription.id),
    from,
    to,
  );
  const byKey = new Map(rollups.map((rollup) => [`${rollup.subscriptionId} ${rollup.day}`, rollup]));
  const leveled = metered.filter(takesLevels);
  const days = leveled.length > 0 ? daysFrom(from, to) : [];
  const levels = await levelSteps(
    ctx,
    leveled.flatMap(({ subscription }) =>
      days.map((day) => {
        const { start, end } = dayPeriod(day, zone);
        return {
          key: `${subscription.id} ${day}`,
          subscription,
          month: monthOfDay(day),
          from: start,
          to: end,
        };
      }),
    ),
  );
  for (const {
    subscription: { id },
  } of leveled) {
    for (const day of days) {
      const level = levels.get(`${id} ${day}`);
      if (level !== undefined)
        byKey.set(`${id} ${day}`, {
          ...(byKey.get(`${id} ${day}`) ?? { ...emptyRollup, subscriptionId: id, day }),
          level,
        });
    }
  }
  // For a distinct count, a day shows what it adds to its month: the values that no earlier day had.
  const firstCounts = await firstSeen(ctx, {
    subscriptionIds: metered.filter(countsDifferent).map((each) => each.subscription.id),
    grain: 'day',
    zone,
    start: monthPeriod(monthOf(dayPeriod(from, zone).start, zone), zone).start,
    end: dayPeriod(to, zone).end,
  });
  for (const {
    subscription: { id },
  } of metered.filter(countsDifferent)) {
    for (const rollup of rollups)
      if (rollup.subscriptionId === id)
        byKey.set(`${id} ${rollup.day}`, {
          ...rollup,
          distinct: firstCounts.get(`${id} ${rollup.day}`) ?? 0n,
        });
  }
  return (subscriptionId, day) => byKey.get(`${subscriptionId} ${day}`);
}

/** Lists every day from `from` to `to`, both included. */
export function daysFrom(from: LocalDay, to: LocalDay): LocalDay[] {
  return Array.from({ length: Math.max(0, daysBetween(from, to) + 1) }, (_, index) => addDays(from, index));
}

const defaultLimit = 50;

/** Lists the events behind a figure. */
export async function events(ctx: Ctx, input: In<typeof usage.events>): Promise<Out<typeof usage.events>> {
  const subscription = await subscriptionById(ctx.db, input.subscriptionId, tenant(ctx));
  if (!subscription) throw domainError(usageErrors, 'usage.subscription_not_found');
  const { timeZone: zone } = subscription;
  const subscriptionId = eventsIdOf(subscription);
  const start = input.start ?? (input.from ? dayPeriod(input.from, zone).start : null);
  const end = input.end ?? (input.to ? dayPeriod(input.to, zone).end : null);
  const range = { subscriptionId, start, end, zone };
  const filter = {
    group: await groupOf(ctx, input),
    types: subscription.parentId === null ? null : await eventsOfAddOn(ctx, subscription),
  };
  const limit = input.limit ?? defaultLimit;
  const page = { limit: limit + 1, after: readCursor(input.cursor) };
  // Archived months are read only if the database's own events do not fill the page.
  const stored = await eventsOf(ctx, range, filter, page);
  const found = latestOf(
    [...stored, ...(await archivedEvents(ctx, range, filter, page, stored))],
    page.limit,
  );
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map((event) => ({ ...event, value: trimDecimal(event.value) })),
    nextCursor: found.length > limit && last ? writeCursor(last) : null,
    total: await countListed(ctx, range, filter),
  };
}

/** Counts the events of a list, from rollups where possible. */
async function countListed(ctx: Ctx, range: EventRange, filter: EventFilter): Promise<number> {
  const { group, types } = filter;
  if (types === null) {
    if (group === null) return countEvents(ctx, range.subscriptionId, range.start, range.end);
    const counted = await countByRollups(ctx, range, group);
    if (counted !== undefined) return counted;
  }
  return (await countMatching(ctx, range, filter)) + (await archivedCount(ctx, range, filter));
}

/** The group of usage that the caller filters by; null for all usage. */
async function groupOf(
  ctx: Ctx,
  { apiKeyId, memberId, property, dimension, value }: In<typeof usage.events>,
): Promise<EventGroup | null> {
  if (apiKeyId === 'platform') return { by: 'key', keyIds: await platformKeys(ctx, tenant(ctx)) };
  if (apiKeyId !== undefined) return { by: 'key', keyIds: apiKeyId === 'none' ? 'none' : [apiKeyId] };
  if (memberId !== undefined) return { by: 'key', keyIds: await keysOfMember(ctx, memberId) };
  if (dimension !== undefined && value !== undefined)
    return { by: 'dimension', name: dimension, text: dimensionText(value) };
  return property === undefined || value === undefined ? null : { by: 'property', name: property, value };
}

/** The text of a dimension value given as JSON or as plain text. */
function dimensionText(value: string): string {
  const text = parseJson(value);
  return typeof text === 'string' ? text : value;
}

const writeCursor = (event: ListPlace): string =>
  encodeCursor([event.time.toISOString(), event.source, event.id]);
function readCursor(cursor: string | undefined): ListPlace | null {
  if (cursor === undefined) return null;
  const [time = '', source = '', id = ''] = decodeCursor(cursor) ?? [];
  if (Number.isNaN(Date.parse(time))) throw domainError(usageErrors, 'usage.malformed');
  return { time: new Date(time), source, id };
}

export async function usageMonths(ctx: Ctx): Promise<Out<typeof usage.usageMonths>> {
  const metered = await meteredOf(ctx, tenant(ctx));
  return {
    timeZone: required(await organizationById(ctx.db, tenant(ctx)), 'the actor’s organization').timeZone,
    months: await monthsWithUsage(
      ctx,
      metered.map((each) => each.subscription.id),
    ),
    subscriptions: metered.map(({ subscription, service }) => ({
      id: subscription.id,
      serviceId: service.id,
      serviceName: service.name,
      unit: unitOf(service.meter),
    })),
  };
}
