// Everything the bills of some organizations in a month are made of, loaded in sets.
import type { BillingMonth } from '#kernel/shape.ts';
import { monthPeriod } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/ctx.ts';
import type { Organization } from '#features/identity/contract.ts';
import { monthParts, type MonthPart, type PlanOf } from '#features/subscriptions/rules.ts';
import { offersFor, servicesOf, subscriptionsOfMany, type Offers, type SubscriptionRow } from '#features/subscriptions/server/index.ts';
import { quantityOf, type Rollup } from '#features/usage/rules.ts';
import { monthsOf, usageOfParts, type Metered } from '#features/usage/server/index.ts';
import type { BillableSubscription, UsedPart } from '../rules.ts';

/** What every subscription of some organizations used in a month, priced by the versions that were in force. */
export async function billableOf(ctx: Ctx, organizations: readonly Organization[], month: BillingMonth): Promise<ReadonlyMap<string, BillableSubscription[]>> {
  if (organizations.length === 0) return new Map();
  return billableSubscriptions(ctx, await subscriptionsOfMany(ctx.db, organizations.map((organization) => organization.id)), month);
}

/**
 * What some subscriptions used in a month, priced by the versions that were in force; by organization.
 * `as` answers other services and prices than there are, for what-ifs; bills never use it.
 */
export async function billableSubscriptions(ctx: Ctx, subscriptions: readonly SubscriptionRow[], month: BillingMonth, as: (offers: Offers) => Offers = (offers) => offers): Promise<ReadonlyMap<string, BillableSubscription[]>> {
  const offers = as(await offersFor(ctx, subscriptions.flatMap((row) => [row, ...servicesOf(row)])));
  const metered: Metered[] = subscriptions.map((subscription) => ({ subscription, service: offers.service(subscription.serviceId) }));
  const rollups = await monthsOf(ctx, metered, [month]);
  const inMonth = metered.flatMap((each): InMonth[] => {
    const { subscription } = each;
    const rollup = rollups.get(`${subscription.id} ${month}`);
    if (!rollup && !runsIn(subscription, monthPeriod(month, subscription.timeZone))) return [];
    const planOf: PlanOf = (serviceId) => offers.plan(serviceId, subscription.organizationId);
    return [{ ...each, planOf, rollup, parts: monthParts(subscription, planOf, month, subscription.timeZone) }];
  });
  const used = await usageOfParts(ctx, inMonth.filter(({ parts }) => parts.length > 1).flatMap(({ subscription, parts }) =>
    parts.map((part, index) => ({ key: `${subscription.id} ${index}`, subscription, meter: offers.service(part.stretch.plan.id).meter, month, from: part.from, to: part.to }))));
  const result = new Map<string, BillableSubscription[]>();
  for (const { subscription, service, planOf, rollup, parts } of inMonth) {
    const list = result.get(subscription.organizationId) ?? [];
    const usedParts = parts.map((part, index): UsedPart => {
      const { meter } = offers.service(part.stretch.plan.id);
      const usage = parts.length === 1 ? rollup : used.get(`${subscription.id} ${index}`);
      return { ...part, unit: meter.unit, quantity: quantityOf(usage, meter.aggregation), events: usage?.eventCount ?? 0n };
    });
    list.push({ subscriptionId: subscription.id, serviceName: parts.at(-1)?.stretch.plan.name ?? service.name, timeline: subscription, planOf, parts: usedParts });
    result.set(subscription.organizationId, list);
  }
  return result;
}

type InMonth = Metered & { readonly planOf: PlanOf; readonly rollup: Rollup | undefined; readonly parts: readonly MonthPart[] };

/** Whether a month may hold lines of a subscription: one that ended as the month began may still have something to give back. */
function runsIn(subscription: SubscriptionRow, period: { start: Date; end: Date }): boolean {
  return subscription.startedAt < period.end && (subscription.endsAt === null || subscription.endsAt >= period.start);
}
