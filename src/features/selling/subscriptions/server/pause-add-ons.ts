// Pauses and resumes add-ons with their subscription. Their unserved time is read from its pauses; this
// updates their states and histories.
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { isOpen, shownState } from '../rules-course.ts';
import { addOnsOf, lockSubscription, updateSubscription, type SubscriptionRow } from './store.ts';
import { insertTransition } from './store-history.ts';

/** Returns the add-ons of a subscription that have not ended. */
export async function openAddOns(ctx: Ctx, subscriptionId: Id<'sub'>): Promise<SubscriptionRow[]> {
  return (await addOnsOf(ctx.db, [subscriptionId])).filter(({ state }) => isOpen(state));
}

/**
 * Records that the add-ons of a subscription are paused or resumed with it. The caller holds the
 * subscription's lock.
 */
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
