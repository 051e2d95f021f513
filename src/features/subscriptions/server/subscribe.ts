// Subscribing, ending, pausing and going on, and what a reader sees of a subscription.
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { refuse } from '#kernel/refusal.ts';
import type { Page } from '#kernel/shape.ts';
import { monthOf, monthPeriod } from '#kernel/time.ts';
import { tenant, type Ctx } from '#platform/server/ctx.ts';
import { monthlyFee } from '#features/catalogue/rules.ts';
import { serviceById, servicesMap } from '#features/catalogue/server/index.ts';
import { organizationById } from '#features/identity/server/index.ts';
import { subscriptionsErrors, type Subscription, type subscriptions } from '../contract.ts';
import { nextState, type SubscriptionAction } from '../rules.ts';
import { insertSubscription, moveTo, pageOfSubscriptions, subscriptionById, type SubscriptionRow } from './store.ts';

/** What is used of subscriptions in their running months: subscription id → decimal text. The usage column plugs it in. */
export type UsedNow = (ctx: Ctx, subscriptions: readonly SubscriptionRow[]) => Promise<ReadonlyMap<string, string>>;

/** The calls of subscriptions, given what tells how much is used. */
export function subscriptionVerbs(usedNow: UsedNow) {
  const view = async (ctx: Ctx, rows: readonly SubscriptionRow[]): Promise<Subscription[]> => {
    const service = await servicesMap(ctx, rows.map((row) => row.serviceId));
    const used = await usedNow(ctx, rows);
    return rows.map((row) => {
      const { id, name, type, category, pricing, meter, billingCycle, quota } = service(row.serviceId);
      return {
        id: row.id, organizationId: row.organizationId, service: { id, name, type, category, pricing, meter, billingCycle }, state: row.state, startedAt: row.startedAt, endsAt: row.endsAt,
        monthlyFee: monthlyFee(pricing), quota, usage: used.get(row.id) ?? '0', nextReset: monthPeriod(monthOf(ctx.now, row.timeZone), row.timeZone).end,
      };
    });
  };
  const viewOne = async (ctx: Ctx, id: string, organizationId: string | null): Promise<Subscription> => {
    const row = await subscriptionById(ctx.db, id, organizationId);
    const [subscription] = row ? await view(ctx, [row]) : [];
    if (!subscription) throw refuse(subscriptionsErrors, 'subscriptions.not_found');
    return subscription;
  };
  const page = async (ctx: Ctx, organizationId: string | null, input: In<typeof subscriptions.listSubscriptions>): Promise<Page<Subscription>> => {
    const found = await pageOfSubscriptions(ctx, organizationId, input);
    return { ...found, items: await view(ctx, found.items) };
  };
  const act = async (ctx: Ctx, subscriptionId: string, action: SubscriptionAction): Promise<Subscription> => {
    const row = await subscriptionById(ctx.db, subscriptionId, tenant(ctx), true);
    if (!row) throw refuse(subscriptionsErrors, 'subscriptions.not_found');
    const to = nextState(row.state, action);
    if (!to) throw refuse(subscriptionsErrors, 'subscriptions.transition_refused');
    const endsAt = to === 'cancelling' ? monthPeriod(monthOf(ctx.now, row.timeZone), row.timeZone).end : null;
    await moveTo(ctx, row, to, endsAt, action);
    ctx.touch(`org/${row.organizationId}/usage`, { kind: 'subscription' });
    return viewOne(ctx, subscriptionId, row.organizationId);
  };

  return {
    listSubscriptions: (ctx: Ctx, input: In<typeof subscriptions.listSubscriptions>) => page(ctx, tenant(ctx), input),
    getSubscription: (ctx: Ctx, input: In<typeof subscriptions.getSubscription>) => viewOne(ctx, input.subscriptionId, tenant(ctx)),
    subscribe: async (ctx: Ctx, input: In<typeof subscriptions.subscribe>) => {
      const organizationId = tenant(ctx);
      return viewOne(ctx, await startNew(ctx, organizationId, input.serviceId, ctx.now), organizationId);
    },
    cancel: (ctx: Ctx, input: In<typeof subscriptions.cancel>) => act(ctx, input.subscriptionId, 'cancel'),
    stop: (ctx: Ctx, input: In<typeof subscriptions.stop>) => act(ctx, input.subscriptionId, 'stop'),
    start: (ctx: Ctx, input: In<typeof subscriptions.start>) => act(ctx, input.subscriptionId, 'start'),
    adminListSubscriptions: (ctx: Ctx, input: In<typeof subscriptions.adminListSubscriptions>) => page(ctx, input.organizationId ?? null, input),
    adminSubscribe: async (ctx: Ctx, input: In<typeof subscriptions.adminSubscribe>) => {
      if (!(await organizationById(ctx.db, input.organizationId))) throw refuse(subscriptionsErrors, 'subscriptions.organization_not_found');
      if (input.startedAt && input.startedAt > ctx.now) throw refuse(subscriptionsErrors, 'subscriptions.start_in_future');
      return viewOne(ctx, await startNew(ctx, input.organizationId, input.serviceId, input.startedAt ?? ctx.now), input.organizationId);
    },
  };
}

/** Starts a subscription of a service that is on sale; refuses a second open one of the same service. */
async function startNew(ctx: Ctx, organizationId: Id<'org'>, serviceId: Id<'svc'>, startedAt: Date): Promise<Id<'sub'>> {
  const service = await serviceById(ctx, serviceId);
  if (!service || service.status !== 'active' || service.releaseState === 'Coming Soon') throw refuse(subscriptionsErrors, 'subscriptions.service_not_available');
  const { id, created } = await ensureSubscription(ctx, { organizationId, serviceId, startedAt });
  if (!created) throw refuse(subscriptionsErrors, 'subscriptions.already_subscribed');
  ctx.note('subscriptions.subscribe', id, { organizationId, serviceId });
  ctx.touch(`org/${organizationId}/usage`, { kind: 'subscription' });
  return id;
}

/** Makes a subscription unless there is an open one; for imports, which may be repeated. */
export async function ensureSubscription(ctx: Ctx, subscription: { organizationId: Id<'org'>; serviceId: Id<'svc'>; startedAt: Date }): Promise<{ id: Id<'sub'>; created: boolean }> {
  const made = await insertSubscription(ctx, subscription);
  if (made.created) await moveTo(ctx, { id: made.id, state: null }, 'active', null, 'subscribe');
  return made;
}
