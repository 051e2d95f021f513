// Plan fit: what the other plans of a family would have cost with a subscription's own usage.
import type { In } from '#kernel/contract.ts';
import { decimalText, type Decimal } from '#kernel/decimal.ts';
import { money } from '#kernel/money.ts';
import { mustHave } from '#kernel/must.ts';
import { refuse } from '#kernel/refusal.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { monthOf } from '#kernel/time.ts';
import { tenant, type Ctx } from '#platform/server/ctx.ts';
import { linesOf, type BillableSubscription } from '#features/billing/rules.ts';
import { billableSubscriptions } from '#features/billing/server/index.ts';
import type { Pricing, Service } from '#features/catalogue/contract.ts';
import { priceKey, pricesFor, servicesMap } from '#features/catalogue/server/index.ts';
import { subscriptionById, subscriptionsOf } from '#features/subscriptions/server/index.ts';
import { quantityOf, type Rollup } from '#features/usage/rules.ts';
import { monthsOf } from '#features/usage/server/index.ts';
import { lookBack, planningErrors, type PlanCost, type PlanFit, type planning } from '../contract.ts';
import { costOf, monthsBefore, savingPerMonth } from '../rules.ts';
import { activeOfFamily } from './store.ts';

/** One complete month of the subscription: as it was billed, and what was used. */
type Month = { readonly month: BillingMonth; readonly billable: BillableSubscription; readonly rollup: Rollup | undefined };

/** What this plan cost in the last six complete months, and what each other plan of its family would have. */
export async function planFit(ctx: Ctx, input: In<typeof planning.planFit>): Promise<PlanFit> {
  const subscription = await subscriptionById(ctx.db, input.subscriptionId, tenant(ctx));
  if (!subscription) throw refuse(planningErrors, 'planning.subscription_not_found');
  const own = (await servicesMap(ctx, [subscription.serviceId]))(subscription.serviceId);
  const zone = subscription.timeZone;
  const wanted = monthsBefore(monthOf(ctx.now, zone), lookBack).toReversed();
  const rollups = await monthsOf(ctx, [{ subscription, service: own }], wanted);
  const months: Month[] = [];
  for (const month of wanted) {
    const [billable] = (await billableSubscriptions(ctx, [subscription], month)).get(subscription.organizationId) ?? [];
    if (billable) months.push({ month, billable, rollup: rollups.get(`${subscription.id} ${month}`) });
  }
  const cost = (service: Service, quantity: (month: Month) => Decimal, priced: (month: Month) => BillableSubscription): Omit<PlanCost, 'savingPerMonth'> => {
    const { currency } = service.pricing;
    const monthly = months.map((each) => ({ month: each.month, quantity: decimalText(quantity(each)), amount: money(costOf(linesOf(priced(each), each.month, zone)).minor, currency) }));
    return { serviceId: service.id, serviceName: service.name, releaseState: service.releaseState, monthly, total: money(monthly.reduce((sum, each) => sum + each.amount.minor, 0n), currency) };
  };
  const current = cost(own, (each) => quantityOf(each.rollup, own.meter.aggregation), (each) => each.billable);
  const plans = (await plansBeside(ctx, subscription.organizationId, own)).map(({ service, pricing }) => {
    const plan = cost(service, (each) => quantityOf(each.rollup, service.meter.aggregation), (each) => ({ ...each.billable, parts: [asWhole(each, service, pricing)] }));
    return { ...plan, savingPerMonth: money(savingPerMonth(current.total.minor, plan.total.minor, months.length), plan.total.currency) };
  });
  return {
    subscriptionId: subscription.id, unit: own.meter.unit, months: months.map((each) => each.month), current: { ...current, savingPerMonth: money(0n, current.total.currency) },
    plans: plans.toSorted((a, b) => (a.total.minor < b.total.minor ? -1 : a.total.minor > b.total.minor ? 1 : a.serviceName < b.serviceName ? -1 : 1)),
  };
}

/** The month as one part at the price of a plan. */
function asWhole({ billable, rollup }: Month, service: Service, pricing: Pricing): BillableSubscription['parts'][number] {
  const first = mustHave(billable.parts[0], 'a billable month has a part');
  return { ...first, pricing, quantity: quantityOf(rollup, service.meter.aggregation), events: rollup?.eventCount ?? 0n };
}

/**
 * The other plans of the family with what this organization would pay for them now. A plan that measures something else,
 * that is priced in another currency, that is not there yet, or that the organization has already cannot be compared or chosen.
 */
async function plansBeside(ctx: Ctx, organizationId: string, own: Service): Promise<{ service: Service; pricing: Pricing }[]> {
  const ids = await activeOfFamily(ctx, own.family);
  if (ids.length === 0) return [];
  const open = new Set((await subscriptionsOf(ctx.db, organizationId)).filter((row) => row.state !== 'canceled' && row.state !== 'expired').map((row) => row.serviceId as string));
  const service = await servicesMap(ctx, ids);
  const prices = await pricesFor(ctx.db, ids.map((serviceId) => ({ serviceId, organizationId })));
  return ids.filter((id) => id !== own.id && !open.has(id)).map(service)
    .filter((plan) => plan.releaseState !== 'Coming Soon' && isComparable(plan, own))
    .map((plan) => {
      const versions = prices.get(priceKey({ serviceId: plan.id, organizationId })) ?? [];
      return { service: plan, pricing: (versions.findLast((version) => version.effectiveFrom <= ctx.now) ?? versions[0])?.pricing ?? plan.pricing };
    })
    .filter(({ pricing }) => pricing.currency === own.pricing.currency);
}

/** Whether two plans measure the same thing; different values are only counted for the property that was asked for. */
function isComparable(plan: Service, own: Service): boolean {
  const countsOther = plan.meter.aggregation === 'unique_count' && (own.meter.aggregation !== 'unique_count' || own.meter.property !== plan.meter.property);
  return plan.meter.unit === own.meter.unit && plan.meter.eventType === own.meter.eventType && !countsOther;
}
