// The usage of rate card meters by place, read from rollups of days and hours.
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { SubscriptionRow } from '#features/selling/subscriptions/server/index.ts';
import { emptyCell, type PlaceUsage } from '../rules-charge-costs.ts';
import { cellsByPlace } from '../rules-place-cells.ts';
import type { StreamMeter } from '../rules-streams.ts';
import { hasMeasures, measuresOfPlaces, type MeasuredPlace } from './charge-measures.ts';
import { isPlaceOf, type PricePeriod, type UsagePlace } from './price-periods.ts';
import { daysOfCells, hoursOfCells } from './store-charge-days.ts';

/**
 * A meter of a subscription with its price periods; cells of one kind that add up may be merged.
 */
export type PlacedMeter = {
  readonly subscription: SubscriptionRow;
  readonly periods: readonly PricePeriod[];
  readonly meter: StreamMeter;
  readonly kindOf: (cell: string) => string;
};

type UsageOfMeter = (
  row: SubscriptionRow,
  meter: StreamMeter,
) => readonly (PlaceUsage | undefined)[] | undefined;
/**
 * `versionOf` identifies the rows of a subscription's days as they were read; undefined if days were not
 * read.
 */
type UsageOfPlaces = {
  readonly usageOf: UsageOfMeter;
  readonly versionOf: (subscriptionId: string) => string | undefined;
};

const keyOf = (subscriptionId: string, meter: string): string => `${subscriptionId}\n${meter}`;
/** Whether a place is a whole day. */
export const isDay = ({ name, day }: UsagePlace): boolean => name === day;

/** Returns the usage of subscriptions' meters at each place; undefined for a place or a meter without any. */
export async function usageOfPlaces(
  ctx: Ctx,
  meters: readonly PlacedMeter[],
  { places, zone }: { readonly places: readonly UsagePlace[]; readonly zone: string },
): Promise<UsageOfPlaces> {
  if (meters.length === 0) return { usageOf: () => undefined, versionOf: () => undefined };
  const named = meters.map(({ subscription, meter }) => ({
    subscriptionId: subscription.id,
    meter: meter.key,
    aggregation: meter.aggregation,
  }));
  const [days, hours] = [places.filter(isDay), places.filter((place) => !isDay(place))];
  const [firstDay, lastDay, firstHour, lastHour] = [days[0], days.at(-1), hours[0], hours.at(-1)];
  const ofDays = firstDay && lastDay ? await daysOfCells(ctx, named, firstDay.day, lastDay.day) : undefined;
  const ofHours = firstHour && lastHour ? await hoursOfCells(ctx, named, firstHour.start, lastHour.end) : [];
  const measures = await measuresOfPlaces(
    ctx,
    meters
      .filter(({ meter }) => hasMeasures(meter))
      .flatMap(({ subscription, meter, periods }) =>
        places.flatMap((place): MeasuredPlace[] => {
          const period = periods.find((each) => isPlaceOf(place, each));
          return period ? [{ subscription, meter, place, period, zone }] : [];
        }),
      ),
  );
  const indexOf = new Map(places.map(({ name }, index) => [name, index]));
  const usage = new Map(
    meters.map(({ subscription, meter, kindOf }, at) => {
      const byPlace = cellsByPlace(
        [...(ofDays?.cells[at] ?? []), ...(ofHours[at] ?? [])],
        meter,
        indexOf,
        kindOf,
      );
      return [
        keyOf(subscription.id, meter.key),
        places.map((place, index): PlaceUsage | undefined => {
          const counted = byPlace[index] ?? [];
          const measured = hasMeasures(meter)
            ? measures(`${subscription.id} ${place.name}\n${meter.key}`)
            : undefined;
          if (!measured) return counted.length === 0 ? undefined : { cells: counted, whole: {} };
          const withMeasures = counted.map((cell) => ({ ...cell, ...measured.cells.get(cell.cell) }));
          const others = [...measured.cells].flatMap(([cell, each]) =>
            counted.some((one) => one.cell === cell)
              ? []
              : [{ ...emptyCell(cell), lastAt: place.start, ...each }],
          );
          return { cells: [...withMeasures, ...others], whole: measured.whole };
        }),
      ];
    }),
  );
  return {
    usageOf: (row, meter) => usage.get(keyOf(row.id, meter.key)),
    versionOf: (subscriptionId) => ofDays && (ofDays.versions.get(subscriptionId) ?? ''),
  };
}
