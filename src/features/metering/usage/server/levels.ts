// Time-weighted averages: the average of a level over a month or part of it, over the time in which the
// subscription was served.
import { decimal, decimalText, divide, isZero, sumDecimals, type Decimal } from '#kernel/decimal.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { monthPeriod } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { SubscriptionRow } from '#features/selling/subscriptions/server/index.ts';
import { servedSpans } from '../rules-levels.ts';
import { ownKey, wholeCell, type Stream } from '../rules-streams.ts';
import type { PricePeriod } from './price-periods.ts';
import { levelAreas, type LevelSpan } from './store-levels.ts';

/**
 * A part of a month of one subscription. The average is taken over the whole month, so that parts add up to
 * it.
 */
export type LevelPart = {
  readonly key: string;
  readonly subscription: SubscriptionRow;
  /** If missing, the service's own meter. */
  readonly stream?: Pick<Stream, 'meter' | 'cell'>;
  readonly month: BillingMonth;
  /** The price period that it belongs to; if missing, the whole month. */
  readonly period?: Pick<PricePeriod, 'key' | 'spans'> | undefined;
  readonly from: Date;
  readonly to: Date;
};

const averageDigits = 12;
const ownStream = { meter: ownKey, cell: wholeCell } as const;

/**
 * Returns what each part adds to its month's average, as decimal text by key; parts without a level are left
 * out. Time in the future counts as zero.
 */
export async function levelsOf(ctx: Ctx, parts: readonly LevelPart[]): Promise<ReadonlyMap<string, string>> {
  const areas = await areasOf(ctx, parts);
  const levels = new Map<string, string>();
  for (const part of parts) {
    const area = decimal(areas.get(part.key) ?? '0');
    if (!isZero(area)) levels.set(part.key, decimalText(averageOf(area, part)));
  }
  return levels;
}

async function areasOf(ctx: Ctx, parts: readonly LevelPart[]): Promise<ReadonlyMap<string, string>> {
  const spans = parts.flatMap(({ key, subscription, stream = ownStream, from, to }): LevelSpan[] =>
    servedSpans(subscription, from, to < ctx.now ? to : ctx.now).map((span) => ({
      key,
      subscriptionId: subscription.id,
      ...stream,
      ...span,
    })),
  );
  return spans.length === 0 ? new Map() : levelAreas(ctx.db, spans);
}

/** The average over the whole month that an area makes. */
export function averageOf(
  area: Decimal,
  { month, subscription }: Pick<LevelPart, 'month' | 'subscription'>,
): Decimal {
  const { start, end } = monthPeriod(month, subscription.timeZone);
  return divide(area, decimal(BigInt(end.getTime() - start.getTime())), averageDigits);
}

/**
 * The same for consecutive parts without gaps, earliest first: each part is the difference it makes to its
 * price period's average so far, so that days add up to their period, and hours to their day, to the last
 * digit.
 */
export async function levelSteps(
  ctx: Ctx,
  parts: readonly LevelPart[],
): Promise<ReadonlyMap<string, string>> {
  const periods = [
    ...Map.groupBy(
      parts,
      ({ subscription, month, period, stream = ownStream }) =>
        `${subscription.id} ${month} ${period?.key ?? ''} ${stream.meter}\n${stream.cell}`,
    ),
  ];
  const before = periods.flatMap(([key, [first]]): LevelPart[] => {
    if (!first) return [];
    const { start, end } = monthPeriod(first.month, first.subscription.timeZone);
    return (first.period?.spans ?? [{ from: start, to: end }])
      .filter(({ from }) => from < first.from)
      .map(({ from, to }) => ({
        ...first,
        key: `before ${key}`,
        from,
        to: to < first.from ? to : first.from,
      }));
  });
  const areas = await areasOf(ctx, [...before, ...parts]);
  const levels = new Map<string, string>();
  for (const [key, inPeriod] of periods) {
    let area = decimal(areas.get(`before ${key}`) ?? '0');
    for (const part of inPeriod) {
      const areaBefore = area;
      area = sumDecimals([areaBefore, decimal(areas.get(part.key) ?? '0')]);
      if (!area.eq(areaBefore))
        levels.set(part.key, decimalText(averageOf(area, part).minus(averageOf(areaBefore, part))));
    }
  }
  return levels;
}

/** Returns the averages of whole months, by `${subscriptionId} ${month}`. */
export async function levelsOfMonths(
  ctx: Ctx,
  months: readonly { readonly subscription: SubscriptionRow; readonly month: BillingMonth }[],
): Promise<ReadonlyMap<string, string>> {
  return levelsOf(
    ctx,
    months.map(({ subscription, month }) => {
      const { start, end } = monthPeriod(month, subscription.timeZone);
      return { key: `${subscription.id} ${month}`, subscription, month, from: start, to: end };
    }),
  );
}
