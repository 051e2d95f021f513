// Everything the bills of some organizations in a month are made of, loaded in sets.
import { decimal } from '#kernel/decimal.ts';
import { mustHave } from '#kernel/must.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { monthPeriod } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/ctx.ts';
import { priceKey, pricesFor, servicesMap, type PriceVersion } from '#features/catalogue/server/index.ts';
import type { Organization } from '#features/identity/contract.ts';
import { subscriptionsOfMany, type SubscriptionRow } from '#features/subscriptions/server/index.ts';
import { quantityOf } from '#features/usage/rules.ts';
import { monthsOf, rollupBetween, type Metered } from '#features/usage/server/index.ts';
import type { BillableSubscription, PricedPart } from '../rules.ts';
import { pausesOf } from './store.ts';

/** The versions in force at some time in [start, end): the one in force at the start, and each that began within. */
function versionsIn(versions: readonly PriceVersion[], start: Date, end: Date): PriceVersion[] {
  const atStart = versions.findLast((version) => version.effectiveFrom <= start);
  const within = versions.filter((version) => version.effectiveFrom > start && version.effectiveFrom < end);
  const first = versions[0];
  // Before the first price begins, the first price holds.
  return atStart ? [atStart, ...within] : within.length > 0 ? within : first ? [first] : [];
}

/** What every subscription of some organizations used in a month, priced by the versions that were in force. */
export async function billableOf(ctx: Ctx, organizations: readonly Organization[], month: BillingMonth): Promise<ReadonlyMap<string, BillableSubscription[]>> {
  if (organizations.length === 0) return new Map();
  return billableSubscriptions(ctx, await subscriptionsOfMany(ctx.db, organizations.map((organization) => organization.id)), month);
}

/** What some subscriptions used in a month, priced by the versions that were in force; by organization. */
export async function billableSubscriptions(ctx: Ctx, subscriptions: readonly SubscriptionRow[], month: BillingMonth): Promise<ReadonlyMap<string, BillableSubscription[]>> {
  const serviceIds = [...new Set(subscriptions.map((row) => row.serviceId))];
  const service = await servicesMap(ctx, serviceIds);
  const prices = await pricesFor(ctx.db, subscriptions);
  const metered: Metered[] = subscriptions.map((subscription) => ({ subscription, service: service(subscription.serviceId) }));
  const rollups = await monthsOf(ctx, metered, [month]);
  const pauses = Map.groupBy(await pausesOf(ctx.db, subscriptions.map((row) => row.id)), (pause) => pause.subscriptionId);
  const result = new Map<string, BillableSubscription[]>();
  for (const each of metered) {
    const { subscription, service: { meter, id, name } } = each;
    const period = monthPeriod(month, subscription.timeZone);
    const rollup = rollups.get(`${subscription.id} ${month}`);
    if (!rollup && !runsIn(subscription, period)) continue;
    const inForce = versionsIn(mustHave(prices.get(priceKey(subscription)), 'prices of a service'), period.start, period.end);
    const parts: PricedPart[] = inForce.length === 1
      ? inForce.map((version) => ({ priceVersionId: version.id, pricing: version.pricing, from: period.start, quantity: quantityOf(rollup, meter.aggregation), events: rollup?.eventCount ?? 0n }))
      : await partsByVersion(ctx, each, inForce, period);
    const list = result.get(subscription.organizationId) ?? [];
    list.push({ subscriptionId: subscription.id, serviceId: id, serviceName: name, unit: meter.unit, startedAt: subscription.startedAt, endsAt: subscription.endsAt, pauses: pauses.get(subscription.id) ?? [], parts });
    result.set(subscription.organizationId, list);
  }
  return result;
}

function runsIn(subscription: SubscriptionRow, period: { start: Date; end: Date }): boolean {
  return subscription.startedAt < period.end && (subscription.endsAt === null || subscription.endsAt > period.start);
}

/** A month whose price changed: each version prices the hours from its beginning on. */
async function partsByVersion(ctx: Ctx, { subscription, service }: Metered, versions: readonly PriceVersion[], period: { start: Date; end: Date }): Promise<PricedPart[]> {
  const parts: PricedPart[] = [];
  for (const [index, version] of versions.entries()) {
    const from = index === 0 ? period.start : version.effectiveFrom;
    const to = versions[index + 1]?.effectiveFrom ?? period.end;
    const rollup = await rollupBetween(ctx.db, subscription.id, from, to);
    parts.push({ priceVersionId: version.id, pricing: version.pricing, from, quantity: rollup ? quantityOf(rollup, service.meter.aggregation) : decimal('0'), events: rollup?.eventCount ?? 0n });
  }
  return parts;
}
