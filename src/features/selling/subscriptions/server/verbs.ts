// The routes of subscriptions: each performs its action and returns the resulting subscription.
import type { In, Out } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Subscription, subscriptions } from '../contract.ts';
import { addAddOn, addOnsFor, adminAddAddOn } from './add-ons.ts';
import { cancel } from './cancel.ts';
import { change, listPlans, previewChange, takeBackChange } from './change-plan.ts';
import { previewAddOn, previewCancel, previewRenew, previewStop, previewSubscribe } from './fee-previews.ts';
import { adminSubscriptionHistory, history } from './history.ts';
import { start, stop } from './pause.ts';
import { renew } from './renew.ts';
import { adminSubscribe, subscribe } from './subscribe.ts';
import { makeViewer, type Use } from './view.ts';

/** Creates the routes of subscriptions, given how subscriptions are used. */
export function subscriptionVerbs(use: Use) {
  const view = makeViewer(use);
  const shown =
    <I extends { readonly subscriptionId: Id<'sub'> }>(act: (ctx: Ctx, input: I) => Promise<void>) =>
    async (ctx: Ctx, input: I): Promise<Subscription> => {
      await act(ctx, input);
      return view.one(ctx, input.subscriptionId, tenant(ctx));
    };
  const addOns = async (
    ctx: Ctx,
    subscriptionId: Id<'sub'>,
    organizationId: string | null,
  ): Promise<Out<typeof subscriptions.listAddOns>> => {
    const { rows, offers } = await addOnsFor(ctx, subscriptionId, organizationId);
    return { items: await view.all(ctx, rows), offers };
  };
  return {
    listAddOns: (ctx: Ctx, { subscriptionId }: In<typeof subscriptions.listAddOns>) =>
      addOns(ctx, subscriptionId, tenant(ctx)),
    adminListAddOns: (ctx: Ctx, { subscriptionId }: In<typeof subscriptions.adminListAddOns>) =>
      addOns(ctx, subscriptionId, null),
    addAddOn: async (ctx: Ctx, input: In<typeof subscriptions.addAddOn>) =>
      view.one(ctx, await addAddOn(ctx, input, use), tenant(ctx)),
    adminAddAddOn: async (ctx: Ctx, input: In<typeof subscriptions.adminAddAddOn>) =>
      view.one(ctx, await adminAddAddOn(ctx, input, use), null),
    listSubscriptions: (ctx: Ctx, input: In<typeof subscriptions.listSubscriptions>) =>
      view.page(ctx, tenant(ctx), input),
    getSubscription: (ctx: Ctx, input: In<typeof subscriptions.getSubscription>) =>
      view.one(ctx, input.subscriptionId, tenant(ctx)),
    subscribe: async (ctx: Ctx, input: In<typeof subscriptions.subscribe>) =>
      view.one(ctx, await subscribe(ctx, input), tenant(ctx)),
    listPlans,
    previewSubscribe,
    previewAddOn: (ctx: Ctx, input: In<typeof subscriptions.previewAddOn>) => previewAddOn(ctx, input, use),
    previewChange,
    previewCancel,
    previewStop,
    previewRenew,
    history,
    adminSubscriptionHistory,
    change: shown(change),
    takeBackChange: shown(takeBackChange),
    cancel: shown(cancel),
    stop: shown(stop),
    start: shown(start),
    renew: shown(renew),
    adminListSubscriptions: (ctx: Ctx, input: In<typeof subscriptions.adminListSubscriptions>) =>
      view.page(ctx, input.organizationId ?? null, input),
    adminSubscribe: async (ctx: Ctx, input: In<typeof subscriptions.adminSubscribe>) =>
      view.one(ctx, await adminSubscribe(ctx, input, use), input.organizationId),
  };
}
