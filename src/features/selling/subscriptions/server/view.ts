// Subscriptions for display: current state, cost and usage.
import type { In } from '#kernel/contract.ts';
import { decimalText } from '#kernel/decimal.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import type { BillingMonth, Page } from '#kernel/shape.ts';
import { monthOf, monthPeriod } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import type { Pricing, Quota, Service } from '#features/selling/catalogue/contract.ts';
import {
  priceKey,
  pricesFor,
  servicesMap,
  type PriceBasis,
  type PriceVersion,
} from '#features/selling/catalogue/server/index.ts';
import { subscriptionsErrors, type Subscription, type subscriptions } from '../contract.ts';
import { chargeQuantity, countedCharges, feeOfMonth, termFee, type Units } from '../rules-charges.ts';
import { periodEnd, phaseAt, stateAt } from '../rules-course.ts';
import { later, priceAt, type PricedPlan } from '../rules-fees.ts';
import { pageOfSubscriptions, subscriptionById, type SubscriptionRow } from './store.ts';

/**
 * Returns the usage of subscriptions in their current months: subscription id → decimal text. The usage
 * feature provides it through the app.
 */
export type UsedNow = (
  ctx: Ctx,
  subscriptions: readonly SubscriptionRow[],
) => Promise<ReadonlyMap<string, string>>;

/** Subscriptions' quotas including raises. The quotas feature provides it through the app. */
export type QuotasNow = (
  ctx: Ctx,
  subscriptions: readonly SubscriptionRow[],
) => Promise<(subscriptionId: string, quota: Quota) => Quota>;
/** Data about subscriptions from features that this one may not import. */
export type Use = {
  readonly usedNow: UsedNow;
  readonly quotasNow: QuotasNow;
  readonly uncountedSince: UncountedSince;
  readonly holdMonthsSince: HoldMonthsSince;
};

/**
 * Whether usage was recorded for a subscription since a given time that a service would have counted if it
 * had been added then. The usage feature provides it through the app.
 */
export type UncountedSince = (
  ctx: Ctx,
  subscription: SubscriptionRow,
  service: Service,
  since: Date,
) => Promise<boolean>;

/**
 * Locks the months that are over, starting with the month of a given time: until the transaction ends, none
 * of them can be closed, and a close that has planned one of them plans it again. Returns the last month
 * whose bills were issued for the organization: its fees are on no later bill. Billing provides it through
 * the app.
 */
export type HoldMonthsSince = (
  ctx: Ctx,
  organization: Pick<Organization, 'id' | 'timeZone'>,
  since: Date,
) => Promise<BillingMonth | undefined>;

/** Services at the prices that organizations pay. */
export type Offers = {
  readonly service: (serviceId: string) => Service;
  readonly plan: (
    serviceId: string,
    organizationId: string,
  ) => PricedPlan & { readonly prices: readonly PriceVersion[] };
};

/** Loads services and what organizations pay for them, or with `basis` what the operator is paid for them. */
export async function offersFor(
  ctx: Ctx,
  pairs: readonly { serviceId: string; organizationId: string }[],
  basis: PriceBasis = 'retail',
): Promise<Offers> {
  const [service, prices] = await Promise.all([
    servicesMap(ctx, [...new Set(pairs.map((pair) => pair.serviceId))]),
    pricesFor(ctx.db, pairs, basis),
  ]);
  return {
    service,
    plan: (serviceId, organizationId) => {
      const { id, name, billingCycle, proration } = service(serviceId);
      return {
        id,
        name,
        billingCycle,
        proration,
        prices: required(prices.get(priceKey({ serviceId, organizationId })), 'prices of a service'),
      };
    },
  };
}

/** Returns every past, current and scheduled service of a subscription. */
export function servicesOf(row: SubscriptionRow): { serviceId: string; organizationId: string }[] {
  return row.phases.flatMap(({ serviceId }) =>
    serviceId === null ? [] : [{ serviceId, organizationId: row.organizationId }],
  );
}

/** The quantity of each charge that has one; nothing for a single price. */
export const shownQuantities = (pricing: Pricing, units: Units): Pick<Subscription, 'quantities'> =>
  pricing.model === 'rate_card'
    ? {
        quantities: Object.fromEntries(
          countedCharges(pricing).map((charge) => [charge.key, chargeQuantity(units, charge)]),
        ),
      }
    : {};

function viewOf(
  ctx: Ctx,
  row: SubscriptionRow,
  offers: Offers,
  usage: string,
  quotaOf: (subscriptionId: string, quota: Quota) => Quota,
): Subscription {
  const { now } = ctx;
  const state = stateAt(row, now);
  const isOver = state === 'canceled' || state === 'expired';
  const phase = phaseAt(row.phases, isOver && row.endsAt ? new Date(row.endsAt.getTime() - 1) : now);
  const { id, name, type, category, meter, meterUnits, billingCycle, family, quota } = offers.service(
    phase.serviceId ?? row.serviceId,
  );
  // A subscription that starts later has the price of that day.
  const from = later(now, row.startedAt);
  const { pricing } = priceAt(offers.plan(id, row.organizationId).prices, from);
  const pending = isOver ? undefined : row.phases.slice(1).find((each) => each.from > now);
  const pause = isOver
    ? undefined
    : row.pauses.find((each) => !each.isOver && (each.until === null || each.until > now));
  const next = pending?.serviceId ? offers.service(pending.serviceId) : undefined;
  return {
    id: row.id,
    organizationId: row.organizationId,
    addedTo:
      row.parentId && row.parentServiceId
        ? { subscriptionId: row.parentId, serviceName: offers.service(row.parentServiceId).name }
        : null,
    service: { id, name, type, category, pricing, meter, meterUnits, billingCycle, family },
    state,
    quantity: phase.quantity,
    ...shownQuantities(pricing, phase),
    startedAt: row.startedAt,
    endsAt: row.endsAt,
    trialEndsAt: row.trialEndsAt,
    termEndsAt: isOver ? null : periodEnd(row, from),
    autoRenew: row.autoRenew,
    pending:
      pending && next
        ? { service: { id: next.id, name: next.name }, quantity: pending.quantity, at: pending.from }
        : null,
    pause: pause ? { from: pause.from, until: pause.until } : null,
    fee: decimalText(termFee(pricing, phase)),
    monthlyFee: feeOfMonth(pricing, billingCycle, phase),
    quota: quotaOf(row.id, quota),
    usage,
    nextReset: monthPeriod(monthOf(now, row.timeZone), row.timeZone).end,
    version: row.version,
  };
}

/** Creates the functions that build views of subscriptions. */
export function makeViewer({ usedNow, quotasNow }: Pick<Use, 'usedNow' | 'quotasNow'>) {
  const view = async (ctx: Ctx, rows: readonly SubscriptionRow[]): Promise<Subscription[]> => {
    const parents = rows.flatMap(({ parentServiceId: serviceId, organizationId }) =>
      serviceId === null ? [] : [{ serviceId, organizationId }],
    );
    const offers = await offersFor(ctx, [...parents, ...rows.flatMap(servicesOf)]);
    const used = await usedNow(ctx, rows);
    const quotaOf = await quotasNow(ctx, rows);
    return rows.map((row) => viewOf(ctx, row, offers, used.get(row.id) ?? '0', quotaOf));
  };
  return {
    all: view,
    one: async (ctx: Ctx, id: string, organizationId: string | null): Promise<Subscription> => {
      const row = await subscriptionById(ctx.db, id, organizationId);
      const [subscription] = row ? await view(ctx, [row]) : [];
      if (!subscription) throw domainError(subscriptionsErrors, 'subscriptions.not_found');
      return subscription;
    },
    page: async (
      ctx: Ctx,
      organizationId: string | null,
      input: In<typeof subscriptions.listSubscriptions>,
    ): Promise<Page<Subscription>> => {
      const found = await pageOfSubscriptions(ctx, organizationId, input);
      return { ...found, items: await view(ctx, found.items) };
    },
  };
}
