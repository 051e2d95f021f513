// The periods of one plan and price that places of a month fall into, and places cut where a period ends, so
// that a day on which the price changes is priced like on the bill: each hour at its own price.
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { dayPeriod, hoursOfDay, monthOfDay, monthPeriod } from '#kernel/time.ts';
import { monthParts, planTimes, type PlanOf, type PlanTime } from '#features/selling/subscriptions/rules.ts';
import type { Offers, SubscriptionRow } from '#features/selling/subscriptions/server/index.ts';

/**
 * A day, or an hour within its day, [start, end). `name` is the day, or the start of the hour in
 * milliseconds.
 */
export type UsagePlace = {
  readonly name: string;
  readonly day: LocalDay;
  readonly start: Date;
  readonly end: Date;
};

type Span = { readonly from: Date; readonly to: Date };

/** All the time of a month with one plan and one price; its usage is priced as a whole. */
export type PricePeriod = {
  /** Distinguishes the periods of a subscription. */
  readonly key: string;
  readonly month: BillingMonth;
  readonly time: PlanTime;
  /** The parts of the month; the whole month if it has no other period. */
  readonly spans: readonly Span[];
  readonly isWholeMonth: boolean;
};

/** Returns the price periods of a subscription in the months of some places. */
export function pricePeriods(
  row: SubscriptionRow,
  offers: Offers,
  places: readonly UsagePlace[],
): PricePeriod[] {
  const planOf: PlanOf = (serviceId) => offers.plan(serviceId, row.organizationId);
  const months = new Set(places.map(({ day }) => monthOfDay(day)));
  return [...months].flatMap((month) => {
    const times = planTimes(monthParts(row, planOf, month, row.timeZone));
    // As on bills: a month with one plan and one price counts as a whole.
    const isWholeMonth = times.length === 1;
    const { start, end } = monthPeriod(month, row.timeZone);
    return times.map((time, index): PricePeriod => ({
      key: `${month} ${index}`,
      month,
      time,
      spans: isWholeMonth ? [{ from: start, to: end }] : time.parts,
      isWholeMonth,
    }));
  });
}

/** Whether a place, which no period cuts, belongs to a period: bills count the hours that begin in it. */
export const isPlaceOf = ({ start }: Pick<UsagePlace, 'start'>, { spans }: PricePeriod): boolean =>
  spans.some(({ from, to }) => start >= from && start < to);

/** Returns the indexes of the parts that belong to a period. */
export const partsIn = (parts: readonly UsagePlace[], period: PricePeriod): number[] =>
  [...parts.keys()].filter((index) => {
    const part = parts[index];
    return part !== undefined && isPlaceOf(part, period);
  });

/** A place or a part of it; `of` is the index of the place. */
export type PlacePart = UsagePlace & { readonly of: number };

/**
 * Cuts places in which a period begins or ends: a day into its hours, and an hour at the moment itself. The
 * hour's usage belongs to its beginning; only a level goes on in the rest.
 */
export function cutPlaces(
  places: readonly UsagePlace[],
  periods: readonly PricePeriod[],
  zone: string,
): PlacePart[] {
  const cuts = [
    ...new Set(
      periods
        .filter(({ isWholeMonth }) => !isWholeMonth)
        .flatMap(({ spans }) => spans.flatMap(({ from, to }) => [from.getTime(), to.getTime()])),
    ),
  ].toSorted((a, b) => a - b);
  const within = ({ start, end }: UsagePlace): number[] =>
    cuts.filter((cut) => cut > start.getTime() && cut < end.getTime());
  return places.flatMap((place, of): PlacePart[] => {
    if (within(place).length === 0) return [{ ...place, of }];
    const hours = place.name === place.day ? hoursOf(place, zone) : [place];
    return hours.flatMap((hour): PlacePart[] => {
      const starts = [hour.start, ...within(hour).map((cut) => new Date(cut))];
      return starts.map((start, index) => ({
        name: String(start.getTime()),
        day: place.day,
        start,
        end: starts[index + 1] ?? hour.end,
        of,
      }));
    });
  });
}

function hoursOf({ day }: UsagePlace, zone: string): UsagePlace[] {
  const { end } = dayPeriod(day, zone);
  const hours = hoursOfDay(day, zone);
  return hours.map((start, index) => ({
    name: String(start.getTime()),
    day,
    start,
    end: hours[index + 1] ?? end,
  }));
}
