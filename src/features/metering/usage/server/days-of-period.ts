// The days of a price period: a bill line of a month in which plan or price changed is explained by its own
// part of the month only.
import { isZero, zero, type Decimal } from '#kernel/decimal.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { dayPeriod, daysOfMonth } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { MeterAggregation } from '#features/selling/meters/contract.ts';
import { monthParts, planTimes, type PlanTime } from '#features/selling/subscriptions/rules.ts';
import {
  offersFor,
  servicesOf,
  type Offers,
  type SubscriptionRow,
} from '#features/selling/subscriptions/server/index.ts';
import { quantityOf } from '../rules.ts';
import { chargedMeter, ownKey, ownMeter, type StreamMeter } from '../rules-streams.ts';
import { ownTypeOf, usageOfTimes } from './charge-usage.ts';
import { chargedUsage, metersOf } from './meters-of-services.ts';
import { usageOfParts } from './parts.ts';

/** A day with usage; `events` is their number. */
export type DayOfUsage = { readonly day: LocalDay; readonly quantity: Decimal; readonly events: bigint };
type Span = { readonly from: Date; readonly to: Date };
export type SpansOfDay = { readonly day: LocalDay; readonly spans: readonly Span[] };
type Measured = Omit<DayOfUsage, 'day'>;
const nothing: Measured = { quantity: zero, events: 0n };

/** What one day adds to these depends on earlier days: the difference that it makes adds up to the period. */
const accumulating: readonly MeterAggregation[] = ['unique_count', 'time_weighted_average'];

/**
 * Returns the days with usage of one price's period in a month, by the hours that bills count in it; of a
 * charge, if its key is given. Undefined if the month has no other period: its days are then those of the
 * month.
 */
export async function daysOfPeriod(
  ctx: Ctx,
  subscription: SubscriptionRow,
  month: BillingMonth,
  priceVersionId: string,
  charge: string | undefined,
): Promise<DayOfUsage[] | undefined> {
  const { timeZone: zone, organizationId } = subscription;
  const offers = await offersFor(ctx, [subscription, ...servicesOf(subscription)]);
  const times = planTimes(
    monthParts(subscription, (serviceId) => offers.plan(serviceId, organizationId), month, zone),
  );
  const time = times.find(({ price, isTrial }) => price.id === priceVersionId && !isTrial);
  if (!time || times.length === 1) return undefined;
  const days = daysOfMonth(month)
    .map((day): SpansOfDay => ({ day, spans: spansOn(day, time, zone) }))
    .filter(({ spans }) => spans.length > 0);
  const measure = await measureOf(ctx, subscription, month, time, offers, charge);
  if (!measure) return [];
  const isAccumulating = accumulating.includes(measure.aggregation);
  const found = await measure.usageOf(
    isAccumulating
      ? days.map(({ day }, index) => ({ day, spans: days.slice(0, index + 1).flatMap((each) => each.spans) }))
      : days,
  );
  return days
    .map(({ day }, index): DayOfUsage => {
      const own = found(day);
      const before = isAccumulating ? days[index - 1] : undefined;
      const { quantity, events } = before ? found(before.day) : nothing;
      return { day, quantity: own.quantity.minus(quantity), events: own.events - events };
    })
    .filter(({ quantity, events }) => events > 0n || !isZero(quantity));
}

/** The meter that a usage line counts by, and the parts of days that belong to the line. */
export type MeasuredLine = {
  readonly meter: StreamMeter;
  /** The event type of the service's own meter; for an add-on, of the service it extends. */
  readonly ownType: string;
  readonly days: readonly SpansOfDay[];
};

/** Returns how a usage line of a month is measured; undefined if its meter is not known any more. */
export async function measuredLine(
  ctx: Ctx,
  subscription: SubscriptionRow,
  month: BillingMonth,
  priceVersionId: string,
  charge: string | undefined,
): Promise<MeasuredLine | undefined> {
  const { timeZone: zone, organizationId, parentServiceId } = subscription;
  const parent = parentServiceId === null ? [] : [{ serviceId: parentServiceId, organizationId }];
  const offers = await offersFor(ctx, [subscription, ...servicesOf(subscription), ...parent]);
  const times = planTimes(
    monthParts(subscription, (serviceId) => offers.plan(serviceId, organizationId), month, zone),
  );
  const time = times.find(({ price, isTrial }) => price.id === priceVersionId && !isTrial);
  if (!time) return undefined;
  const service = offers.service(time.plan.id);
  const ofParent = parentServiceId ?? time.plan.id;
  const metersIn = await metersOf(
    ctx,
    [...new Set([time.plan.id, ofParent])].map((id) => offers.service(id)),
  );
  const meters = metersIn(time.plan.id);
  const meter =
    charge === undefined
      ? ownMeter(service.meter)
      : chargedUsage(time.price.pricing, (name) => chargedMeter(name, service.meter, meters, new Map())).find(
          (each) => each.charge.key === charge,
        )?.meter;
  if (!meter) return undefined;
  return {
    meter,
    ownType: ownTypeOf(metersIn(ofParent)),
    days: daysOfMonth(month)
      .map((day): SpansOfDay => {
        const { start, end } = dayPeriod(day, zone);
        return { day, spans: times.length === 1 ? [{ from: start, to: end }] : spansOn(day, time, zone) };
      })
      .filter(({ spans }) => spans.length > 0),
  };
}

/** The parts of a period on a day. */
function spansOn(day: LocalDay, { parts }: PlanTime, zone: string): Span[] {
  const { start, end } = dayPeriod(day, zone);
  return parts
    .map(({ from, to }) => ({ from: from > start ? from : start, to: to < end ? to : end }))
    .filter(({ from, to }) => from < to);
}

type Measure = {
  readonly aggregation: MeterAggregation;
  readonly usageOf: (days: readonly SpansOfDay[]) => Promise<(day: LocalDay) => Measured>;
};

/** How the usage of a charge, or of a single price, is measured; undefined for a charge without a meter. */
async function measureOf(
  ctx: Ctx,
  subscription: SubscriptionRow,
  month: BillingMonth,
  { plan, price: { pricing } }: PlanTime,
  offers: Offers,
  key: string | undefined,
): Promise<Measure | undefined> {
  const service = offers.service(plan.id);
  const meters = (await metersOf(ctx, [service]))(plan.id);
  const meter =
    key === undefined
      ? undefined
      : chargedUsage(pricing, (name) => chargedMeter(name, service.meter, meters, new Map())).find(
          ({ charge }) => charge.key === key,
        )?.meter;
  if (key !== undefined && !meter) return undefined;
  if (!meter || meter.key === ownKey) {
    const { aggregation } = service.meter;
    return {
      aggregation,
      usageOf: async (days) => {
        const rollups = await usageOfParts(
          ctx,
          days.flatMap(({ day, spans }) =>
            spans.map((span) => ({ key: day, subscription, meter: service.meter, month, ...span })),
          ),
        );
        return (day) => {
          const rollup = rollups.get(day);
          return { quantity: quantityOf(rollup, aggregation), events: rollup?.eventCount ?? 0n };
        };
      },
    };
  }
  return {
    aggregation: meter.aggregation,
    usageOf: async (days) => {
      const used = await usageOfTimes(
        ctx,
        days.map(({ day, spans }) => ({
          key: day,
          subscription,
          month,
          meter,
          ownType: '',
          parts: spans,
          needsEvents: false,
        })),
      );
      return (day) => {
        const { usage, count } = used(day, meter);
        return { quantity: usage.quantity, events: count };
      };
    },
  };
}
