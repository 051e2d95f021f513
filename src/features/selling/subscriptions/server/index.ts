// The public API of subscriptions: routes, and functions for other features.
import { feature, type Feature } from '#platform/server/unit-of-work/feature.ts';
import { subscriptions, subscriptionsErrors } from '../contract.ts';
import { applyDueChangesJob } from './apply-due-changes.ts';
import { trialsJob } from './notify-trials.ts';
import { subscriptionVerbs } from './verbs.ts';
import type { Use } from './view.ts';

/** Creates the feature's server side; the app passes in how subscriptions are used. */
export function subscriptionsFeature(use: Use): Feature {
  return feature({
    name: 'subscriptions',
    contract: subscriptions,
    errors: subscriptionsErrors,
    verbs: subscriptionVerbs(use),
    jobs: [applyDueChangesJob, trialsJob],
  });
}

export { subscriptionVerbs } from './verbs.ts';
export { endSubscription } from './cancel.ts';
export { planChanged } from './change-plan.ts';
export { resumeDue, type ResumeDue } from './end-pause.ts';
export {
  adminSubscribe,
  beginningOf,
  ensureSubscription,
  moreTaken,
  moreWanted,
  resumeWanted,
  planWanted,
  subscribed,
  type Subscribed,
} from './subscribe.ts';
export { holdSubscriptions, releaseFromAdmin, releaseSubscriptions, suspendByAdmin } from './hold.ts';
export { isSuspended } from './store-holds.ts';
export { offersFor, servicesOf, type Offers, type UncountedSince } from './view.ts';
export {
  addOnsOf,
  hasSubscribedBefore,
  subscriptionById,
  subscriptionsByIds,
  subscriptionsOf,
  subscriptionsOfMany,
  type SubscriptionRow,
} from './store.ts';
export { startOf, stopOf } from './pause.ts';
export { subscriptionCounts } from './store-counts.ts';
