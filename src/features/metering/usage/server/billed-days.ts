// The days behind a line of an issued bill as they were when it was issued, and what has changed since: late
// events and corrections are settled by later bills, and the line itself never changes.
import { decimal, isZero, zero, type Decimal } from '#kernel/decimal.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { dayOf, monthPeriod } from '#kernel/time.ts';
import { yieldToEventLoop } from '#platform/server/jobs/yield-to-event-loop.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { SubscriptionRow } from '#features/selling/subscriptions/server/index.ts';
import { chargeUsageOf } from '../rules-charge-usage.ts';
import { hourOfTime, isLater } from '../rules-deltas.ts';
import { levelOfHour, servedSpans, type LevelHour } from '../rules-levels.ts';
import type { MeteredEvent } from '../rules.ts';
import { countSamples } from '../rules-samples.ts';
import { propertyOf, type StreamMeter } from '../rules-streams.ts';
import { eventsOfBill, lastEventBefore } from './billed-events.ts';
import { isCountedIn } from './charge-usage.ts';
import type { DayOfUsage, MeasuredLine, SpansOfDay } from './days-of-period.ts';
import { averageOf } from './levels.ts';
import { eventsLeftUntil } from './months-left.ts';
import { sampleMinutesOf } from './rate-events.ts';
import { eventsIdOf } from './rating-context.ts';
import { hasLaterEvents, type BilledEvent } from './store-events-of-bill.ts';
import { newTally, streamsIn } from './usage-from-events.ts';

/** More events of a month are not read to explain one line. */
const mostEvents = 200_000;

export type BilledDays = {
  readonly days: readonly DayOfUsage[];
  /** What the days have changed by since. */
  readonly later: readonly DayOfUsage[];
  /**
   * Whether nothing was stored since, as far as the month's events tell; whether the days were recomputed; or
   * whether they are today's although they have changed.
   */
  readonly basis: 'no_later_events' | 'recomputed' | 'today';
};

/**
 * Returns the days of a line as billed at `issuedAt`, given the days as they are `now`; the same days if
 * nothing has changed or the month's events are no longer all at hand.
 */
export async function billedDays(
  ctx: Ctx,
  subscription: SubscriptionRow,
  month: BillingMonth,
  line: MeasuredLine,
  now: readonly DayOfUsage[],
  issuedAt: Date,
): Promise<BilledDays> {
  const today: BilledDays = { days: now, later: [], basis: 'today' };
  const zone = subscription.timeZone;
  const { start, end } = monthPeriod(month, zone);
  const place = { subscriptionId: eventsIdOf(subscription), from: start, to: end, zone };
  const unchanged: BilledDays = { ...today, basis: 'no_later_events' };
  const left = await eventsLeftUntil(ctx);
  const isLater = await hasLaterEvents(ctx, place, issuedAt);
  if (!isLater && (left === null || start >= left)) return unchanged;
  const read = await eventsOfBill(ctx, place, ctx.now, mostEvents);
  if ('missing' in read) return isLater ? today : unchanged;
  const all = read.events;
  if (!all.some(({ receivedAt }) => receivedAt > issuedAt)) return unchanged;
  const corrections = new Map(
    all.flatMap(({ cancelsSource, cancelsId, receivedAt }) =>
      cancelsId === null ? [] : [[nameOf(cancelsSource ?? '', cancelsId), receivedAt] as const],
    ),
  );
  const counted = all.filter((event) => isOfMeter(subscription, line, event));
  const at = (moment: Date): BilledEvent[] =>
    counted.filter((event) => {
      const canceledAt = corrections.get(nameOf(event.source, event.id));
      return event.receivedAt <= moment && (canceledAt === undefined || canceledAt > moment);
    });
  const isInPeriod = periodOf(line);
  const found = at(ctx.now).filter(({ hour }) => isInPeriod(hour));
  if (BigInt(found.length) !== now.reduce((sum, { events }) => sum + events, 0n)) return today;
  const before =
    line.meter.aggregation === 'time_weighted_average'
      ? await lastEventBefore(ctx, { ...place, type: typeOf(line) }, issuedAt)
      : undefined;
  const days = await daysOfEvents(subscription, month, line, at(issuedAt), before);
  return { days, later: differences(days, now), basis: 'recomputed' };
}

const nameOf = (source: string, id: string): string => `${source}\n${id}`;
const typeOf = ({ meter, ownType }: MeasuredLine): { readonly type: string; readonly isOwn: boolean } => ({
  type: meter.eventType,
  isOwn: meter.eventType === ownType,
});

/** Whether an event, which is no correction, is counted by a line's meter. */
const isOfMeter = (
  subscription: SubscriptionRow,
  { meter, ownType }: MeasuredLine,
  { type, cancelsId, time, properties }: BilledEvent,
): boolean =>
  cancelsId === null &&
  (type ?? ownType) === meter.eventType &&
  isCountedIn({ subscription, meter }, { time, properties });

/** Returns whether an hour is in a line's period. */
function periodOf({ days }: MeasuredLine): (hour: Date) => boolean {
  // Days in a row are one span: there may be very many events to look at.
  const joined: { from: number; to: number }[] = [];
  for (const { from, to } of days.flatMap(({ spans }) => spans)) {
    const last = joined.at(-1);
    if (last?.to === from.getTime()) last.to = to.getTime();
    else joined.push({ from: from.getTime(), to: to.getTime() });
  }
  return (hour) => joined.some(({ from, to }) => hour.getTime() >= from && hour.getTime() < to);
}

async function daysOfEvents(
  subscription: SubscriptionRow,
  month: BillingMonth,
  line: MeasuredLine,
  events: readonly BilledEvent[],
  before: { readonly value: string } | undefined,
): Promise<DayOfUsage[]> {
  const { meter } = line;
  const inOrder = events
    .map((event): MeteredEvent & Pick<BilledEvent, 'hour' | 'day'> => ({
      ...event,
      subscriptionId: subscription.id,
      type: meter.eventType,
      isTimed: true,
    }))
    .toSorted((a, b) => (isLater(a, b) ? 1 : -1));
  const isInPeriod = periodOf(line);
  const byDay = Map.groupBy(
    inOrder.filter(({ hour }) => isInPeriod(hour)),
    ({ day }) => dayOf(day, subscription.timeZone),
  );
  const quantityOf = quantities(subscription, month, meter, inOrder, before);
  const days: DayOfUsage[] = [];
  for (const { day, spans } of line.days) {
    const own = byDay.get(day) ?? [];
    const quantity = quantityOf(spans, own);
    if (own.length > 0 || !isZero(quantity)) days.push({ day, quantity, events: BigInt(own.length) });
    // A day may have many events.
    await yieldToEventLoop();
  }
  return days;
}

type QuantityOfDay = (spans: SpansOfDay['spans'], events: readonly MeteredEvent[]) => Decimal;

/**
 * How the quantity of each day is computed, the earliest day first. `all` are the meter's events of the whole
 * month: a level that was reported in an earlier period goes on.
 */
function quantities(
  subscription: SubscriptionRow,
  month: BillingMonth,
  meter: StreamMeter,
  all: readonly MeteredEvent[],
  before: { readonly value: string } | undefined,
): QuantityOfDay {
  const zone = subscription.timeZone;
  if (meter.aggregation === 'unique_count') {
    const seen = new Set<string>();
    return (_, events) => {
      const known = seen.size;
      for (const { properties } of events) {
        const value = propertyOf(properties, meter.property ?? '');
        if (value !== undefined) seen.add(typeof value === 'string' ? value : JSON.stringify(value));
      }
      return decimal(BigInt(seen.size - known));
    };
  }
  if (meter.aggregation === 'time_weighted_average') {
    let area: Decimal = zero;
    const hours = [...Map.groupBy(all, ({ time }) => hourOfTime(time, zone).getTime()).values()].flatMap(
      (reports) => levelOfHour(reports) ?? [],
    );
    return (spans) => {
      const areaBefore = area;
      for (const { from, to } of spans.flatMap((span) => servedSpans(subscription, span.from, span.to)))
        area = area.plus(areaOf(hours, before, from, to));
      const of = { month, subscription };
      return averageOf(area, of).minus(averageOf(areaBefore, of));
    };
  }
  return (spans, events) => {
    const tally = newTally(meter, zone);
    for (const stream of streamsIn(meter, events)) tally.add(stream);
    // A sample belongs to the period in which it begins, even if its events come later.
    for (const span of meter.aggregation === 'percentile' ? spans : []) {
      const end = span.to.getTime() + sampleMinutesOf(meter) * 60_000;
      const near = all.filter(({ time }) => time >= span.from && time.getTime() < end);
      for (const stream of streamsIn(meter, near)) tally.addSamples(stream, span);
    }
    const samples =
      meter.aggregation === 'percentile'
        ? spans.reduce(
            (sum, part) =>
              sum +
              countSamples(servedSpans(subscription, part.from, part.to), part, zone, sampleMinutesOf(meter)),
            0,
          )
        : 0;
    const { cells, whole } = tally.result(samples);
    return chargeUsageOf(meter, cells, whole, []).quantity;
  };
}

/**
 * A level × milliseconds over [from, to), as bills compute it: an hour’s reports belong to the
 * period that contains the first of them, and the last one lasts until the next hour with any.
 */
function areaOf(
  hours: readonly LevelHour[],
  before: { readonly value: string } | undefined,
  from: Date,
  to: Date,
): Decimal {
  const start = new Date(0);
  const first = { firstAt: start, area: '0', lastValue: before?.value ?? '0', lastAt: start };
  return [first, ...hours].reduce((area, { firstAt, area: own, lastValue, lastAt }, index) => {
    if (firstAt >= to) return area;
    const until = Math.min(hours[index]?.firstAt.getTime() ?? Infinity, to.getTime());
    const lasts = Math.max(0, until - Math.max(lastAt.getTime(), from.getTime()));
    return area
      .plus(firstAt >= from ? decimal(own) : zero)
      .plus(decimal(lastValue).times(decimal(BigInt(lasts))));
  }, zero);
}

/** By how much each day is more now than it was billed. */
function differences(billed: readonly DayOfUsage[], now: readonly DayOfUsage[]): DayOfUsage[] {
  const of = (days: readonly DayOfUsage[], day: LocalDay): DayOfUsage =>
    days.find((each) => each.day === day) ?? { day, quantity: zero, events: 0n };
  return [...new Set([...billed, ...now].map(({ day }) => day))].toSorted().flatMap((day): DayOfUsage[] => {
    const [was, is] = [of(billed, day), of(now, day)];
    const [quantity, events] = [is.quantity.minus(was.quantity), is.events - was.events];
    return isZero(quantity) && events === 0n ? [] : [{ day, quantity, events }];
  });
}
