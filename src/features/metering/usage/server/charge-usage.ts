// Computes the usage of rate card charges: the quantities of their meters in each price period of a month, by
// cell and in total.
import { decimal, decimalText } from '#kernel/decimal.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { monthPeriod } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { percentileOf, type ChargeUsage } from '#features/selling/rating/rules.ts';
import { isServedAt } from '#features/selling/subscriptions/rules.ts';
import type { SubscriptionRow } from '#features/selling/subscriptions/server/index.ts';
import { chargeUsageOf, type CellRollup } from '../rules-charge-usage.ts';
import type { MeteredEvent, Rollup } from '../rules.ts';
import { servedSpans } from '../rules-levels.ts';
import { countSamples } from '../rules-samples.ts';
import { ownKey, unmetFilter, wholeCell, type StreamMeter } from '../rules-streams.ts';
import { levelsOf, type LevelPart } from './levels.ts';
import { sampleMinutesOf } from './rate-events.ts';
import {
  cellsOfMeters,
  cellsOfParts,
  cellsOfWholeMonths,
  highestSamples,
  valuesOfParts,
  valuesOfWholeMonths,
  type StreamMonth,
  type StreamPart,
} from './store-charge-usage.ts';

/** A price period in a subscription's month, counted by one meter. */
export type MeteredTime = {
  readonly key: string;
  readonly subscription: SubscriptionRow;
  readonly month: BillingMonth;
  readonly meter: StreamMeter;
  /** The event type of the service's own meter; for an add-on, of the service it extends. */
  readonly ownType: string;
  /** The parts of the month; null for the whole month. */
  readonly parts: readonly { readonly from: Date; readonly to: Date }[] | null;
  /** Whether a charge prices single events, which usage that is computed from events then has. */
  readonly needsEvents: boolean;
};
/** The usage of a meter in a period; `count` is the number of events. */
export type MeteredUsage = { readonly usage: ChargeUsage; readonly count: bigint };

type Whole = Pick<Rollup, 'distinct' | 'level' | 'percentile'>;
const nameOf = (key: string, meter: string): string => `${key}\n${meter}`;
const cellName = (key: string, meter: string, cell: string): string => `${key}\n${meter}\n${cell}`;

const monthOf = ({ key, subscription, meter, month }: MeteredTime): StreamMonth => ({
  key,
  subscriptionId: subscription.id,
  meter: meter.key,
  month,
  aggregation: meter.aggregation,
});
/** Returns the parts of a period; a whole month is a single part. */
export function partsOf({ key, subscription, meter, month, parts }: MeteredTime): StreamPart[] {
  const { start, end } = monthPeriod(month, subscription.timeZone);
  return (parts ?? [{ from: start, to: end }]).map(({ from, to }) => ({
    key,
    subscriptionId: subscription.id,
    meter: meter.key,
    from,
    to,
  }));
}

/**
 * Returns the usage of periods by their keys and meters, with a fixed number of queries; without events, see
 * `eventBlocks`.
 */
export async function usageOfTimes(
  ctx: Ctx,
  times: readonly MeteredTime[],
): Promise<(key: string, meter: StreamMeter) => MeteredUsage> {
  const of = (...aggregations: readonly StreamMeter['aggregation'][]): MeteredTime[] =>
    times.filter(({ meter }) => aggregations.includes(meter.aggregation));
  const [cells, values, levels, percentiles] = [
    await cellsIn(ctx, times),
    await valuesIn(ctx, of('unique_count')),
    await levelsIn(ctx, of('time_weighted_average')),
    await percentilesIn(ctx, of('percentile')),
  ];
  const measuresOf = (key: string, meter: string, cell: string | null): Whole => {
    const name = cell === null ? nameOf(key, meter) : cellName(key, meter, cell);
    const [distinct, level, percentile] = [
      values.get(name),
      levels.byName.get(name),
      percentiles.byName.get(name),
    ];
    return {
      ...(distinct !== undefined && { distinct }),
      ...(level !== undefined && { level }),
      ...(percentile !== undefined && { percentile }),
    };
  };
  const measuredCells = Map.groupBy([...levels.cells, ...percentiles.cells], ({ key, meter }) =>
    nameOf(key, meter),
  );
  return (key, meter) => {
    const found = new Map(
      (cells.get(nameOf(key, meter.key)) ?? []).map((cell): [string, CellRollup] => [
        cell.cell,
        { ...cell, ...measuresOf(key, meter.key, cell.cell) },
      ]),
    );
    // A level persists without events, and a sample may begin in an earlier period than its events' hours.
    for (const { cell } of measuredCells.get(nameOf(key, meter.key)) ?? [])
      if (!found.has(cell)) found.set(cell, { ...emptyCell, cell, ...measuresOf(key, meter.key, cell) });
    const all = [...found.values()].toSorted((a, b) => (a.cell < b.cell ? -1 : 1));
    // For a meter without dimensions, its only cell is the whole.
    const whole =
      meter.dimensions.length === 0 ? (found.get(wholeCell) ?? {}) : measuresOf(key, meter.key, null);
    const { distinct, level, percentile } = whole;
    const count = eventCount(all);
    const usage = chargeUsageOf(
      meter,
      all,
      {
        ...(distinct !== undefined && { distinct }),
        ...(level !== undefined && { level }),
        ...(percentile !== undefined && { percentile }),
      },
      [],
    );
    return { usage, count };
  };
}

const eventCount = (cells: readonly CellRollup[]): bigint =>
  cells.reduce((sum, cell) => sum + cell.eventCount, 0n);

const emptyCell = {
  eventCount: 0n,
  sum: '0',
  max: '0',
  min: '0',
  lastValue: '0',
  lastAt: new Date(0),
  lastEvent: '',
} as const;

async function cellsIn(ctx: Ctx, times: readonly MeteredTime[]) {
  const cells = [
    ...(await cellsOfWholeMonths(ctx, times.filter(({ parts }) => parts === null).map(monthOf))),
    ...(await cellsOfParts(ctx, times.filter(({ parts }) => parts !== null).flatMap(partsOf))),
  ];
  return Map.groupBy(cells, ({ key, meter }) => nameOf(key, meter));
}

/**
 * Counts distinct values: for whole months only across all cells, since the cells' own counts are stored; for
 * parts of a month, both.
 */
async function valuesIn(ctx: Ctx, times: readonly MeteredTime[]): Promise<ReadonlyMap<string, bigint>> {
  const counts = [
    ...(await valuesOfWholeMonths(ctx, times.filter(({ parts }) => parts === null).map(monthOf))),
    ...(await valuesOfParts(ctx, times.filter(({ parts }) => parts !== null).flatMap(partsOf))),
  ];
  return new Map(
    counts.map(({ key, meter, cell, count }) => [
      cell === null ? nameOf(key, meter) : cellName(key, meter, cell),
      count,
    ]),
  );
}

type MeasuredCell = { readonly key: string; readonly meter: string; readonly cell: string };
/** Measures by their names, and the cells among them. */
type Measures = {
  readonly byName: ReadonlyMap<string, string>;
  readonly cells: readonly MeasuredCell[];
};

/**
 * Returns the averages of levels by cell and, for meters with dimensions, for all cells together, whose level
 * is stored separately.
 */
async function levelsIn(ctx: Ctx, times: readonly MeteredTime[]): Promise<Measures> {
  const known = Map.groupBy(
    await cellsOfMeters(
      ctx,
      times.map(({ subscription, meter }) => ({ subscriptionId: subscription.id, meter: meter.key })),
    ),
    ({ subscriptionId, meter }) => nameOf(subscriptionId, meter),
  );
  const parts = times.flatMap((time): LevelPart[] => {
    const { subscription, meter, month } = time;
    const cells = new Set((known.get(nameOf(subscription.id, meter.key)) ?? []).map(({ cell }) => cell));
    const named = [...cells].map((cell) => ({ cell, name: cellName(time.key, meter.key, cell) }));
    if (meter.dimensions.length > 0) named.push({ cell: wholeCell, name: nameOf(time.key, meter.key) });
    return named.flatMap(({ cell, name }) =>
      partsOf(time).map(({ from, to }) => ({
        key: name,
        subscription,
        month,
        stream: { meter: meter.key, cell },
        from,
        to,
      })),
    );
  });
  const levels = await levelsOf(ctx, parts);
  const cells = times.flatMap(({ key, subscription, meter }) =>
    (known.get(nameOf(subscription.id, meter.key)) ?? []).flatMap(({ cell }): MeasuredCell[] =>
      levels.has(cellName(key, meter.key, cell)) ? [{ key, meter: meter.key, cell }] : [],
    ),
  );
  return { byName: levels, cells };
}

/**
 * Returns percentiles over the samples of served time, by cell and for all cells together; samples without
 * events count as zero.
 */
export async function percentilesIn(ctx: Ctx, times: readonly MeteredTime[]): Promise<Measures> {
  const counts = new Map<string, { readonly samples: number; readonly p: number }>();
  const parts = times.flatMap((time) => {
    const { key, subscription, meter } = time;
    const { timeZone } = subscription;
    const own = partsOf(time);
    const samples = own.reduce(
      (sum, part) =>
        sum +
        countSamples(servedSpans(subscription, part.from, part.to), part, timeZone, sampleMinutesOf(meter)),
      0,
    );
    const p = meter.p ?? 100;
    counts.set(nameOf(key, meter.key), { samples, p });
    return own.map((part) => ({ ...part, most: Math.floor((samples * (100 - p)) / 100) + 1 }));
  });
  const found = Map.groupBy(await highestSamples(ctx, parts), ({ key, meter, cell }) =>
    cell === null ? nameOf(key, meter) : cellName(key, meter, cell),
  );
  const byName = new Map(
    [...found].map(([name, sums]) => {
      const { samples = 0, p = 100 } = counts.get(nameOf(sums[0]?.key ?? '', sums[0]?.meter ?? '')) ?? {};
      const values = sums.map(({ sum }) => decimal(sum));
      return [name, decimalText(percentileOf(values, Math.max(samples, values.length), p))];
    }),
  );
  const cells = [...found.values()].flatMap(([first]): MeasuredCell[] =>
    first && first.cell !== null ? [{ key: first.key, meter: first.meter, cell: first.cell }] : [],
  );
  return { byName, cells };
}

/**
 * Whether a period's meter counts an event of its subscription: it meets the filter, and the add-on, if any,
 * was running.
 */
export const isCountedIn = (
  { subscription, meter }: Pick<MeteredTime, 'subscription' | 'meter'>,
  { time, properties }: Pick<MeteredEvent, 'time' | 'properties'>,
): boolean =>
  unmetFilter(meter, properties) === undefined &&
  (subscription.parentId === null || isServedAt(subscription, time));

/** The event type of the service's own meter among some meters; '' (which no event has) if there is none. */
export const ownTypeOf = (meters: readonly StreamMeter[]): string =>
  meters.find(({ key }) => key === ownKey)?.eventType ?? '';
