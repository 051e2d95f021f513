// Plan fit: what the other plans of a family would have cost with a subscription's own usage.
import type { In } from '#kernel/contract.ts';
import { decimalText, sumDecimals } from '#kernel/decimal.ts';
import { money } from '#kernel/money.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { monthOf } from '#kernel/time.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { linesOf, withoutSteps } from '#features/selling/subscriptions/rules.ts';
import { billableSubscriptions } from '#features/metering/usage/server/index.ts';
import type { Service } from '#features/selling/catalogue/contract.ts';
import {
  priceKey,
  pricesFor,
  servicesMap,
  servicesOfFamily,
  type PriceVersion,
} from '#features/selling/catalogue/server/index.ts';
import {
  subscriptionById,
  subscriptionsOf,
  type Offers,
  type SubscriptionRow,
} from '#features/selling/subscriptions/server/index.ts';
import { lookBack, planningErrors, type PlanCost, type PlanFit, type planning } from '../contract.ts';
import { byTheMonth, costOf, monthsBefore, savingPerMonth } from '../rules.ts';

/** The cost of the current plan in the last six complete months, and of each other plan of its family. */
export async function planFit(ctx: Ctx, input: In<typeof planning.planFit>): Promise<PlanFit> {
  const subscription = await subscriptionById(ctx.db, input.subscriptionId, tenant(ctx));
  if (!subscription) throw domainError(planningErrors, 'planning.subscription_not_found');
  const own = (await servicesMap(ctx, [subscription.serviceId]))(subscription.serviceId);
  const wanted = monthsBefore(monthOf(ctx.now, subscription.timeZone), lookBack).toReversed();
  const current = await costOfPlan(ctx, subscription, wanted, own, (offers) => ({
    ...offers,
    plan: (serviceId, organizationId) => byTheMonth(offers.plan(serviceId, organizationId)),
  }));
  const plans: PlanCost[] = [];
  for (const { service, price } of await alternativePlans(ctx, subscription.organizationId, own)) {
    const { id, name, billingCycle, proration } = service;
    const plan = byTheMonth({ id, name, billingCycle, proration, prices: [price] });
    const cost = await costOfPlan(ctx, subscription, wanted, service, () => ({
      service: () => service,
      plan: () => plan,
    }));
    plans.push({
      ...cost,
      savingPerMonth: money(
        savingPerMonth(current.total.minor, cost.total.minor, cost.monthly.length),
        cost.total.currency,
      ),
    });
  }
  return {
    subscriptionId: subscription.id,
    unit: own.meter.unit,
    months: current.monthly.map((each) => each.month),
    current: { ...current, savingPerMonth: money(0n, current.total.currency) },
    plans: plans.toSorted((a, b) =>
      a.total.minor < b.total.minor
        ? -1
        : a.total.minor > b.total.minor
          ? 1
          : a.serviceName < b.serviceName
            ? -1
            : 1,
    ),
  };
}

/**
 * Computes a plan's cost in the complete months of the subscription, from the lines of hypothetical bills.
 */
async function costOfPlan(
  ctx: Ctx,
  subscription: SubscriptionRow,
  months: readonly BillingMonth[],
  service: Service,
  adapt: (offers: Offers) => Offers,
): Promise<Omit<PlanCost, 'savingPerMonth'>> {
  const { currency } = service.pricing;
  const monthly: PlanCost['monthly'] = [];
  for (const month of months) {
    const [billable] =
      (await billableSubscriptions(ctx, [subscription], month, { adapt })).get(subscription.organizationId) ??
      [];
    // Lines priced in another currency cannot be added to this one.
    const lines = billable
      ? linesOf(billable, month, subscription.timeZone, withoutSteps).filter(
          (line) => line.amount.currency === currency,
        )
      : [];
    if (billable)
      monthly.push({
        month,
        quantity: decimalText(sumDecimals(billable.times.map((time) => time.quantity))),
        amount: money(costOf(lines).minor, currency),
      });
  }
  return {
    serviceId: service.id,
    serviceName: service.name,
    releaseState: service.releaseState,
    monthly,
    total: money(
      monthly.reduce((sum, each) => sum + each.amount.minor, 0n),
      currency,
    ),
  };
}

/**
 * Returns the other plans of the family at the price this organization would pay now, without plans that
 * cannot be compared or chosen: they measure something else, have another currency, are not available yet, or
 * the organization already has them.
 */
async function alternativePlans(
  ctx: Ctx,
  organizationId: string,
  own: Service,
): Promise<{ service: Service; price: PriceVersion }[]> {
  const family = await servicesOfFamily(ctx.db, own.family, ctx.now);
  if (family.length === 0) return [];
  const open = new Set(
    (await subscriptionsOf(ctx.db, organizationId))
      .filter((row) => row.state !== 'canceled' && row.state !== 'expired')
      .map((row) => row.serviceId as string),
  );
  const prices = await pricesFor(
    ctx.db,
    family.map(({ id }) => ({ serviceId: id, organizationId })),
  );
  return family
    .filter(
      (plan) =>
        plan.id !== own.id &&
        !open.has(plan.id) &&
        plan.status === 'active' &&
        plan.releaseState !== 'Coming Soon' &&
        isComparable(plan, own),
    )
    .map((plan) => {
      const versions = prices.get(priceKey({ serviceId: plan.id, organizationId })) ?? [];
      return {
        service: plan,
        price: required(
          versions.findLast((version) => version.effectiveFrom <= ctx.now) ?? versions[0],
          'a price of a plan',
        ),
      };
    })
    .filter(({ price }) => price.pricing.currency === own.pricing.currency);
}

/** Whether two plans measure the same; distinct counts must also count the same property. */
function isComparable(plan: Service, own: Service): boolean {
  const countsOther =
    plan.meter.aggregation === 'unique_count' &&
    (own.meter.aggregation !== 'unique_count' || own.meter.property !== plan.meter.property);
  return plan.meter.unit === own.meter.unit && plan.meter.eventType === own.meter.eventType && !countsOther;
}
