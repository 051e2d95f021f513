// Everything the bills of some organizations in a month are made of, loaded in sets.
import type { BillingMonth } from '#kernel/shape.ts';
import { monthPeriod } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/ctx.ts';
import type { Service } from '#features/catalogue/contract.ts';
import type { Organization } from '#features/identity/contract.ts';
import { monthParts, type MonthPart, type PlanOf } from '#features/subscriptions/rules.ts';
import { offersFor, servicesOf, subscriptionsOfMany, type SubscriptionRow } from '#features/subscriptions/server/index.ts';
import { quantityOf, type Rollup } from '#features/usage/rules.ts';
import { distinctBetween, monthsOf, rollupBetween, type Metered } from '#features/usage/server/index.ts';
import type { BillableSubscription, UsedPart } from '../rules.ts';

/** What every subscription of some organizations used in a month, priced by the versions that were in force. */
export async function billableOf(ctx: Ctx, organizations: readonly Organization[], month: BillingMonth): Promise<ReadonlyMap<string, BillableSubscription[]>> {
  if (organizations.length === 0) return new Map();
  const subscriptions = await subscriptionsOfMany(ctx.db, organizations.map((organization) => organization.id));
  const offers = await offersFor(ctx, subscriptions.flatMap((row) => [row, ...servicesOf(row)]));
  const metered: Metered[] = subscriptions.map((subscription) => ({ subscription, service: offers.service(subscription.serviceId) }));
  const rollups = await monthsOf(ctx, metered, [month]);
  const result = new Map<string, BillableSubscription[]>();
  for (const each of metered) {
    const { subscription } = each;
    const { timeZone, organizationId } = subscription;
    const rollup = rollups.get(`${subscription.id} ${month}`);
    if (!rollup && !runsIn(subscription, monthPeriod(month, timeZone))) continue;
    const planOf: PlanOf = (serviceId) => offers.plan(serviceId, organizationId);
    const inMonth = monthParts(subscription, planOf, month, timeZone);
    const used = inMonth.length === 1 ? [rollup] : await Promise.all(inMonth.map((part) => usedIn(ctx, subscription, offers.service(part.stretch.plan.id), part)));
    const parts = inMonth.map((part, index): UsedPart => {
      const { meter } = offers.service(part.stretch.plan.id);
      return { ...part, unit: meter.unit, quantity: quantityOf(used[index], meter.aggregation), events: used[index]?.eventCount ?? 0n };
    });
    const list = result.get(organizationId) ?? [];
    list.push({ subscriptionId: subscription.id, serviceName: inMonth.at(-1)?.stretch.plan.name ?? each.service.name, timeline: subscription, planOf, parts });
    result.set(organizationId, list);
  }
  return result;
}

/** Whether a month may hold lines of a subscription: one that ended as the month began may still have something to give back. */
function runsIn(subscription: SubscriptionRow, period: { start: Date; end: Date }): boolean {
  return subscription.startedAt < period.end && (subscription.endsAt === null || subscription.endsAt >= period.start);
}

/** What was used in one of several parts of a month: the hours from its beginning on, until the next one begins. */
async function usedIn(ctx: Ctx, { id }: SubscriptionRow, { meter }: Service, { from, to }: MonthPart): Promise<Rollup | undefined> {
  const rollup = await rollupBetween(ctx.db, id, from, to);
  return rollup && meter.aggregation === 'unique_count' && meter.property ? { ...rollup, distinct: await distinctBetween(ctx.db, id, meter.property, from, to) } : rollup;
}
