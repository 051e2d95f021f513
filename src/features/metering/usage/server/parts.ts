// Usage in parts of months, for a plan or price that changed within the month: one query for all parts.
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Meter } from '#features/selling/catalogue/contract.ts';
import type { SubscriptionRow } from '#features/selling/subscriptions/server/index.ts';
import type { Rollup } from '../rules.ts';
import { levelsOf } from './levels.ts';
import { partDistincts, partRollups } from './store-parts.ts';

/**
 * A part [from, to) of a month of one subscription, with the meter of the plan in force then. Parts with the
 * same key add up.
 */
export type UsagePart = {
  readonly key: string;
  readonly subscription: SubscriptionRow;
  readonly meter: Meter;
  readonly month: BillingMonth;
  readonly from: Date;
  readonly to: Date;
};

/**
 * Returns the usage of each key's parts: the hours that begin in one of them. Keys without usage are left
 * out.
 */
export async function usageOfParts(
  ctx: Ctx,
  parts: readonly UsagePart[],
): Promise<ReadonlyMap<string, Rollup>> {
  if (parts.length === 0) return new Map();
  const rollups = await partRollups(ctx.db, parts);
  const counting = parts.filter((part) => part.meter.aggregation === 'unique_count');
  const distincts = counting.length === 0 ? new Map<string, bigint>() : await partDistincts(ctx.db, counting);
  const levels = await levelsOf(
    ctx,
    parts.filter((part) => part.meter.aggregation === 'time_weighted_average'),
  );
  const emptyRollup: Rollup = { eventCount: 0n, sum: '0', max: '0', lastValue: '0' };
  return new Map(
    [...new Set(parts.map((part) => part.key))].flatMap((key): [string, Rollup][] => {
      const [rollup, level, distinct] = [rollups.get(key), levels.get(key), distincts.get(key)];
      if (!rollup && level === undefined) return [];
      return [
        [
          key,
          {
            ...(rollup ?? emptyRollup),
            ...(level === undefined ? {} : { level }),
            ...(distinct === undefined ? {} : { distinct }),
          },
        ],
      ];
    }),
  );
}
