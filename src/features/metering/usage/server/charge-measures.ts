// Reads the measures that day and hour rollups do not hold: increments of levels and distinct counts, and
// percentiles, by place.
import type { BillingMonth } from '#kernel/shape.ts';
import { monthOfDay } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { SubscriptionRow } from '#features/selling/subscriptions/server/index.ts';
import type { Rollup } from '../rules.ts';
import { wholeCell, type StreamMeter } from '../rules-streams.ts';
import { percentilesIn } from './charge-usage.ts';
import { levelSteps } from './levels.ts';
import { cellsOfMeters } from './store-charge-usage.ts';
import type { PricePeriod, UsagePlace } from './price-periods.ts';
import { firstSeenInCells, type SeenPart } from './store-first-seen.ts';

/** A meter of a subscription at a place. */
export type MeasuredPlace = {
  readonly subscription: SubscriptionRow;
  readonly meter: StreamMeter;
  readonly place: UsagePlace;
  /** The price period that the place belongs to. */
  readonly period: PricePeriod;
  readonly zone: string;
};
type Measure = Pick<Rollup, 'distinct' | 'level' | 'percentile'>;
/** The measures of a meter at a place, by cell and for all cells together. */
export type Measures = { readonly cells: Map<string, Measure>; whole: Measure };

const keyOf = ({ subscription, meter, place }: MeasuredPlace): string =>
  `${subscription.id} ${place.name}\n${meter.key}`;
const monthOfPlace = ({ place }: MeasuredPlace): BillingMonth => monthOfDay(place.day);

const measured: ReadonlySet<StreamMeter['aggregation']> = new Set([
  'time_weighted_average',
  'unique_count',
  'percentile',
]);
/** Whether a meter's quantity at a place needs more than day and hour rollups. */
export const hasMeasures = ({ aggregation }: Pick<StreamMeter, 'aggregation'>): boolean =>
  measured.has(aggregation);

/** Returns measures by `${subscriptionId} ${place}\n${meter}`; undefined if there are none. */
export async function measuresOfPlaces(
  ctx: Ctx,
  all: readonly MeasuredPlace[],
): Promise<(key: string) => Measures | undefined> {
  const found = new Map<string, Measures>();
  const add = (
    key: string,
    meter: Pick<StreamMeter, 'dimensions'>,
    cell: string | null,
    measure: Measure,
  ): void => {
    const measures = found.get(key) ?? { cells: new Map<string, Measure>(), whole: {} };
    found.set(key, measures);
    if (cell !== null && (cell !== wholeCell || meter.dimensions.length === 0))
      measures.cells.set(cell, measure);
    else measures.whole = measure;
  };
  const of = (aggregation: StreamMeter['aggregation']): MeasuredPlace[] =>
    all.filter(({ meter }) => meter.aggregation === aggregation);
  await addLevels(ctx, of('time_weighted_average'), add);
  await addFirstSeen(ctx, of('unique_count'), add);
  await addPercentiles(ctx, of('percentile'), add);
  return (key) => found.get(key);
}

type Add = (
  key: string,
  meter: Pick<StreamMeter, 'dimensions'>,
  cell: string | null,
  measure: Measure,
) => void;

/** Adds the increments of levels to the averages of their price periods. */
async function addLevels(ctx: Ctx, places: readonly MeasuredPlace[], add: Add): Promise<void> {
  if (places.length === 0) return;
  const known = Map.groupBy(
    await cellsOfMeters(
      ctx,
      [...new Map(places.map((each) => [`${each.subscription.id}\n${each.meter.key}`, each])).values()].map(
        ({ subscription, meter }) => ({ subscriptionId: subscription.id, meter: meter.key }),
      ),
    ),
    ({ subscriptionId, meter }) => `${subscriptionId}\n${meter}`,
  );
  const parts = places.flatMap((each) => {
    const { subscription, meter, place } = each;
    const cells = (known.get(`${subscription.id}\n${meter.key}`) ?? []).map(({ cell }) => cell);
    if (cells.length > 0 && meter.dimensions.length > 0) cells.push(wholeCell);
    return cells.map((cell) => ({
      key: `${keyOf(each)}\n${cell}`,
      of: each,
      cell,
      subscription,
      stream: { meter: meter.key, cell },
      month: monthOfPlace(each),
      period: each.period,
      from: place.start,
      to: place.end,
    }));
  });
  const levels = await levelSteps(ctx, parts);
  for (const { key, of, cell } of parts) {
    const level = levels.get(key);
    if (level !== undefined) add(keyOf(of), of.meter, cell, { level });
  }
}

/** Adds, per place, how many values appeared there for the first time in the price period. */
async function addFirstSeen(ctx: Ctx, places: readonly MeasuredPlace[], add: Add): Promise<void> {
  const byGrain = Map.groupBy(places, ({ place }) => (place.name === place.day ? 'day' : 'hour'));
  for (const [grain, own] of byGrain) {
    const [first, last] = [own[0], own.at(-1)];
    if (!first || !last) continue;
    const meters = new Map(own.map((each) => [`${each.subscription.id}\n${each.meter.key}`, each.meter]));
    const wanted = new Set(own.map(keyOf));
    const periods = new Map(
      own.map((each) => [`${each.subscription.id}\n${each.meter.key}\n${each.period.key}`, each]),
    );
    const seen = await firstSeenInCells(ctx, {
      parts: [...periods.values()].flatMap(({ subscription, meter, period }) =>
        period.spans.map(({ from, to }): SeenPart => ({
          subscriptionId: subscription.id,
          meter: meter.key,
          period: period.key,
          from,
          to,
        })),
      ),
      grain,
      zone: first.zone,
      end: last.place.end,
    });
    for (const { subscriptionId, meter, cell, place, count } of seen) {
      const of = meters.get(`${subscriptionId}\n${meter}`);
      const key = `${subscriptionId} ${place}\n${meter}`;
      // Without dimensions, the only cell is the whole.
      if (of && wanted.has(key) && (cell !== null || of.dimensions.length > 0))
        add(key, of, cell, { distinct: count });
    }
  }
}

/** Adds the percentile of each place's own samples. */
async function addPercentiles(ctx: Ctx, places: readonly MeasuredPlace[], add: Add): Promise<void> {
  if (places.length === 0) return;
  const { byName: found } = await percentilesIn(
    ctx,
    places.map((each) => ({
      key: `${each.subscription.id} ${each.place.name}`,
      subscription: each.subscription,
      month: monthOfPlace(each),
      meter: each.meter,
      ownType: '',
      parts: [{ from: each.place.start, to: each.place.end }],
      needsEvents: false,
    })),
  );
  const meters = new Map(places.map((each) => [keyOf(each), each.meter]));
  for (const [name, percentile] of found) {
    // `${key}\n${meter}`, followed by the cell if it belongs to one.
    const [key = '', meter = '', ...cell] = name.split('\n');
    const of = meters.get(`${key}\n${meter}`);
    if (of) add(`${key}\n${meter}`, of, cell.length === 0 ? null : cell.join('\n'), { percentile });
  }
}
