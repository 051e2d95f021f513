// Add-ons pause and resume with the subscription that they were added to. Their time without service is read from its pauses; here
// their states and histories follow.
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { isOpen, shownState } from '../rules-course.ts';
import { addOnsOf, lockSubscription, updateSubscription, type SubscriptionRow } from './store.ts';
import { insertTransition } from './store-history.ts';

/** The add-ons of a subscription that have not ended. */
export async function openAddOns(ctx: Ctx, subscriptionId: Id<'sub'>): Promise<SubscriptionRow[]> {
  return (await addOnsOf(ctx.db, [subscriptionId])).filter(({ state }) => isOpen(state));
}

/** Notes that the add-ons of a subscription are paused with it, or resumed. The caller holds the subscription's lock. */
export async function pauseAddOns(
  ctx: Ctx,
  subscriptionId: Id<'sub'>,
  { at, isPaused }: { readonly at: Date; readonly isPaused: boolean },
): Promise<void> {
  for (const { id } of await openAddOns(ctx, subscriptionId)) await lockSubscription(ctx, id);
  for (const row of await openAddOns(ctx, subscriptionId)) {
    const state = row.heldState ?? row.state;
    const to = isPaused ? 'paused' : 'active';
    if (state !== (isPaused ? 'active' : 'paused')) continue;
    await updateSubscription(ctx, row.id, { ...row, state: shownState(row, to), heldState: to });
    await insertTransition(ctx, row.id, {
      at,
      action: isPaused ? 'stop' : 'start',
      from: row.state,
      to: shownState(row, to),
      isByItself: true,
    });
  }
}
