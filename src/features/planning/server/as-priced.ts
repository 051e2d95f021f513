// A subscription's month as it would have been with the list price changed; what was agreed with a customer stays.
import { mustHave } from '#kernel/must.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Period } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/ctx.ts';
import type { BillableSubscription, PricedPart } from '#features/billing/rules.ts';
import type { Pricing, Service } from '#features/catalogue/contract.ts';
import type { SubscriptionRow } from '#features/subscriptions/server/index.ts';
import { quantityOf, type Rollup } from '#features/usage/rules.ts';
import { monthsOf, rollupBetween } from '#features/usage/server/index.ts';
import { stretchesOf } from '../rules.ts';

/** The new price, and which parts of a month it would not have touched. */
export type Priced = { readonly ctx: Ctx; readonly service: Service; readonly pricing: Pricing; readonly isAgreed: (part: PricedPart) => boolean };
/** Whole months by subscription, of those whose price changed within. */
type Months = ReadonlyMap<string, Rollup>;

/** Reads the whole month of some subscriptions at once: parts of a month do not add up to it when a meter takes the largest or the last value. */
export async function usageOf({ ctx, service }: Priced, subscriptionIds: readonly string[], rows: readonly SubscriptionRow[], month: BillingMonth): Promise<Months> {
  if (subscriptionIds.length === 0) return new Map();
  const wanted = new Set(subscriptionIds);
  const rollups = await monthsOf(ctx, rows.filter((row) => wanted.has(row.id)).map((subscription) => ({ subscription, service })), [month]);
  return new Map([...rollups.values()].map((rollup) => [rollup.subscriptionId, rollup]));
}

/** The subscription with the new price in every part that had the list price. */
export async function asPriced({ ctx, service, pricing, isAgreed }: Priced, subscription: BillableSubscription, period: Period, months: Months): Promise<BillableSubscription> {
  const [only] = subscription.parts;
  if (only && subscription.parts.length === 1) return isAgreed(only) ? subscription : { ...subscription, parts: [{ ...only, pricing }] };
  const stretches = stretchesOf(subscription.parts, isAgreed);
  const parts: PricedPart[] = [];
  for (const [index, stretch] of stretches.entries()) {
    const [first] = stretch.parts;
    if (stretch.agreed || stretch.parts.length === 1) {
      parts.push(...stretch.parts.map((part) => (stretch.agreed ? part : { ...part, pricing })));
      continue;
    }
    const from = mustHave(first, 'a stretch has a part').from;
    const until = stretches[index + 1]?.parts[0]?.from ?? period.end;
    const rollup = stretches.length === 1 ? months.get(subscription.subscriptionId) : await rollupBetween(ctx.db, subscription.subscriptionId, from, until);
    parts.push({ priceVersionId: mustHave(first, 'a stretch has a part').priceVersionId, pricing, from, quantity: quantityOf(rollup, service.meter.aggregation), events: rollup?.eventCount ?? 0n });
  }
  return { ...subscription, parts };
}
