// The quantities of single meters in whole months, over all values of their dimensions, as statistics show
// and bills charge them.
import type { Decimal } from '#kernel/decimal.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { MeterAggregation } from '#features/selling/meters/contract.ts';
import { quantityOfAll } from '../rules-charge-usage.ts';
import { cellsOfWholeMonths, valuesOfWholeMonths, type StreamMonth } from './store-charge-usage.ts';

/** Returns the quantities of months by key; the aggregation must be one that month rollups hold. */
export async function quantitiesOfMonths(
  ctx: Ctx,
  months: readonly (StreamMonth & { readonly aggregation: MeterAggregation })[],
): Promise<ReadonlyMap<string, Decimal>> {
  if (months.length === 0) return new Map();
  const cells = Map.groupBy(await cellsOfWholeMonths(ctx, months), ({ key }) => key);
  const values = await valuesOfWholeMonths(
    ctx,
    months.filter(({ aggregation }) => aggregation === 'unique_count'),
  );
  const different = new Map(values.map(({ key, count }) => [key, count]));
  return new Map(
    months.map(({ key, aggregation }) => [
      key,
      quantityOfAll(cells.get(key) ?? [], { distinct: different.get(key) ?? 0n }, aggregation),
    ]),
  );
}
