// Usage of a range by day or hour, grouped, and compared with the previous period.
import type { In, Out } from '#kernel/contract.ts';
import { decimalText, isZero, sumDecimals, sumLists, zero, type Decimal } from '#kernel/decimal.ts';
import { sumMoney, type Currency } from '#kernel/money.ts';
import { domainError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { dayPeriod } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { usageErrors } from '#features/metering/usage/contract.ts';
import {
  chargedMeters,
  mainCurrency,
  monthSums,
  monthSumText,
  type MonthSum,
} from '#features/metering/usage/server/index.ts';
import {
  insightsErrors,
  maxHourlyDays,
  type Explored,
  type ExploredSeries,
  type Grain,
  type insights,
} from '../contract.ts';
import { addUp, exploreMistake, moversOf, previousRange, withoutSmall, type Added } from '../rules.ts';
import { piecesOf } from './groups.ts';
import { cellNaming } from './charge-groups.ts';
import { loadMetered, readPlaces, type Loaded, type Place, type Row } from './metered-usage.ts';
import { propertiesIn } from './store.ts';

type ExploreInput = Omit<In<typeof insights.explore>, 'compare'>;
/** A range with its figures. */
export type ReadRange = {
  readonly grain: Grain;
  readonly groupBy: string;
  readonly places: readonly Place[];
  readonly rows: readonly Row[];
  readonly groups: readonly Added[];
};

/** Throws for a range that breaks one of the rules. */
export function assertRange({ from, to, grain = 'day' }: Pick<ExploreInput, 'from' | 'to' | 'grain'>): void {
  const mistake = exploreMistake(from, to, grain);
  if (mistake === 'insights.hours_too_long')
    throw domainError(insightsErrors, mistake, { days: maxHourlyDays }, ['grain']);
  if (mistake) throw domainError(usageErrors, mistake);
}

/** Reads and groups a range; groups without any figure are left out. */
export async function readRange(
  ctx: Ctx,
  loaded: Loaded,
  { from, to, grain = 'day', groupBy = 'service' }: ExploreInput,
): Promise<ReadRange> {
  const { places, rows } = await readPlaces(ctx, loaded, { from, to, grain, naming: cellNaming(groupBy) });
  const used = rows.filter(
    (row) =>
      row.events.some((count) => count > 0n) ||
      [row.costs, row.quantities, ...row.charges.map(({ quantities }) => quantities)].some((figures) =>
        figures.some((each) => !isZero(each)),
      ),
  );
  const pieces = await piecesOf(ctx, { groupBy, grain, zone: loaded.zone }, places, used);
  const added = addUp(pieces);
  const groups = groupBy.startsWith('dimension:') ? withoutSmall(added, pieces) : added;
  return { grain, groupBy, places, rows: used, groups };
}

/** Returns the figures of a range by group. */
export async function explore(ctx: Ctx, input: In<typeof insights.explore>): Promise<Explored> {
  assertRange(input);
  const loaded = await loadMetered(ctx, input.serviceId);
  const now = await readRange(ctx, loaded, input);
  const previous = input.compare ? previousRange(input.from, input.to) : null;
  const before = previous ? await readRange(ctx, loaded, { ...input, ...previous }) : null;
  const currency = mainCurrency(loaded.metered);
  const totals = totalsOf(now, before, currency);
  const months = await sumsOf(ctx, loaded, input, now);
  return {
    from: input.from,
    to: input.to,
    grain: now.grain,
    groupBy: now.groupBy,
    asOf: ctx.now,
    currency,
    monthOnly: now.rows.flatMap(({ service, charges }) =>
      charges
        .filter(({ isMonthOnly, events }) => isMonthOnly && events.some((count) => count > 0n))
        .map(({ charge }) => ({ serviceName: service.name, name: charge.name })),
    ),
    places: now.places.map(({ day, start, end }) => ({ day, start, end })),
    series: seriesOf(now.groups, before?.groups ?? null),
    totals,
    months: months.map(({ currency: of, ...sum }) => ({ currency: of, ...monthSumText(sum) })),
    previous,
    movers: before
      ? moversOf(now.groups, before.groups).map((each) => ({
          ...each,
          before: decimalText(each.before),
          after: decimalText(each.after),
          change: decimalText(each.change),
        }))
      : [],
  };
}

/** Sums up the months of a range over all subscriptions of each currency. */
export async function sumsOf(
  ctx: Ctx,
  { zone, metered }: Loaded,
  { from, to }: Pick<ExploreInput, 'from' | 'to'>,
  { places, rows }: ReadRange,
): Promise<(Omit<MonthSum, 'subscriptionId'> & { readonly currency: Currency })[]> {
  const costs = new Map(rows.map((row) => [row.subscription.id as string, row.costs]));
  const sums = await monthSums(
    ctx,
    metered.map(({ subscription }) => subscription),
    { from, to, zone },
    { places, costsOf: (subscriptionId) => costs.get(subscriptionId) ?? [] },
  );
  const byMonth = Map.groupBy(sums, ({ month, billed }) => `${month} ${billed.currency}`);
  return [...byMonth.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const { month, billed } = first;
    const total = (of: (sum: MonthSum) => Decimal): Decimal => sumDecimals(same.map(of));
    return [
      {
        month,
        currency: billed.currency,
        days: total(({ days }) => days),
        wholeMonth: total(({ wholeMonth }) => wholeMonth),
        fees: total(({ fees }) => fees),
        limits: total(({ limits }) => limits),
        rounding: total(({ rounding }) => rounding),
        billed: sumMoney(
          same.map((sum) => sum.billed),
          billed.currency,
        ),
      },
    ];
  });
}

const texts = (values: readonly Decimal[]): string[] => values.map(decimalText);
const nullable = (value: Decimal | null): string | null => (value === null ? null : decimalText(value));

function seriesOf(now: readonly Added[], before: readonly Added[] | null): ExploredSeries[] {
  const past = new Map((before ?? []).map((each) => [`${each.group.key} ${each.currency}`, each]));
  return now.map((each): ExploredSeries => {
    const was = past.get(`${each.group.key} ${each.currency}`);
    return {
      ...each.group,
      currency: each.currency,
      unit: each.unit,
      quantities: each.quantities && texts(each.quantities),
      quantity: nullable(each.quantity),
      costs: each.costs && texts(each.costs),
      cost: nullable(each.cost),
      previousCost: before ? decimalText(was?.cost ?? zero) : null,
      previousQuantity:
        before && each.quantity && (was === undefined || was.unit === each.unit)
          ? decimalText(was?.quantity ?? zero)
          : null,
      // These texts are subscription ids from the rows above, so the cast is safe.
      subscriptionIds: each.subscriptionIds as Id<'sub'>[],
    };
  });
}

function totalsOf(now: ReadRange, before: ReadRange | null, main: Currency): Explored['totals'] {
  const currencies = new Set([
    main,
    ...[...now.rows, ...(before?.rows ?? [])].map((row) => row.service.pricing.currency),
  ]);
  const costsOf = ({ rows, places }: ReadRange, currency: Currency): Decimal[] =>
    sumLists(
      rows.filter((row) => row.service.pricing.currency === currency).map((row) => row.costs),
      places.length,
    );
  return [...currencies].map((currency) => {
    const [costs, previous] = [costsOf(now, currency), before ? costsOf(before, currency) : null];
    return {
      currency,
      costs: texts(costs),
      cost: decimalText(sumDecimals(costs)),
      previousCosts: previous && texts(previous),
      previousCost: previous && decimalText(sumDecimals(previous)),
    };
  });
}

/** Returns the properties by which a range can be grouped. */
export async function dimensions(
  ctx: Ctx,
  input: In<typeof insights.dimensions>,
): Promise<Out<typeof insights.dimensions>> {
  assertRange(input);
  const { zone, metered } = await loadMetered(ctx, input.serviceId);
  const meters = await chargedMeters(
    ctx,
    metered.map(({ service }) => service),
  );
  return {
    dimensions: [...new Set(meters.flatMap((meter) => meter.dimensions))].toSorted(),
    hasCharges: meters.length > 0,
    properties: await propertiesIn(
      ctx,
      metered.map((each) => each.subscription.id),
      dayPeriod(input.from, zone).start,
      dayPeriod(input.to, zone).end,
    ),
  };
}
