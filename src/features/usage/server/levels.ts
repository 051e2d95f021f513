// Time-weighted averages: what a level comes to over a month or a part of it, while the subscription was served.
import { decimal, decimalText, divide, zero } from '#kernel/decimal.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { monthPeriod } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/ctx.ts';
import type { SubscriptionRow } from '#features/subscriptions/server/index.ts';
import { servedSpans } from '../rules-levels.ts';
import { levelAreas, type LevelSpan } from './store-levels.ts';

/** A part of a month of one subscription; the month is what the average is taken over, so that parts add up to it. */
export type LevelPart = { readonly key: string; readonly subscription: SubscriptionRow; readonly month: BillingMonth; readonly from: Date; readonly to: Date };

const averageDigits = 12;

/** What each part adds to its month's average, as a decimal text, by key; parts without a level are left out. What is to come counts nothing yet. */
export async function levelsOf(ctx: Ctx, parts: readonly LevelPart[]): Promise<ReadonlyMap<string, string>> {
  const spans = parts.flatMap(({ key, subscription, from, to }): LevelSpan[] =>
    servedSpans(subscription, from, to < ctx.now ? to : ctx.now).map((span) => ({ key, subscriptionId: subscription.id, ...span })));
  if (spans.length === 0) return new Map();
  const areas = await levelAreas(ctx.db, spans);
  const levels = new Map<string, string>();
  for (const { key, subscription, month } of parts) {
    const area = decimal(areas.get(key) ?? '0');
    const { start, end } = monthPeriod(month, subscription.timeZone);
    if (!area.eq(zero)) levels.set(key, decimalText(divide(area, decimal(BigInt(end.getTime() - start.getTime())), averageDigits)));
  }
  return levels;
}

/** What months of subscriptions come to, by `${subscriptionId} ${month}`. */
export async function levelsOfMonths(ctx: Ctx, months: readonly { readonly subscription: SubscriptionRow; readonly month: BillingMonth }[]): Promise<ReadonlyMap<string, string>> {
  return levelsOf(ctx, months.map(({ subscription, month }) => {
    const { start, end } = monthPeriod(month, subscription.timeZone);
    return { key: `${subscription.id} ${month}`, subscription, month, from: start, to: end };
  }));
}
