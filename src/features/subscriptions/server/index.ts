// Subscriptions' door: their calls, and what other columns may ask of them.
import { feature, type Feature } from '#platform/server/feature.ts';
import { subscriptions, subscriptionsErrors } from '../contract.ts';
import { endSubscriptionsJob } from './end-subscriptions.ts';
import { subscriptionVerbs, type UsedNow } from './subscribe.ts';

/** Makes the column's server side; the roof plugs in what tells how much is used. */
export function subscriptionsFeature(usedNow: UsedNow): Feature {
  return feature({ name: 'subscriptions', contract: subscriptions, errors: subscriptionsErrors, verbs: subscriptionVerbs(usedNow), jobs: [endSubscriptionsJob] });
}

export { ensureSubscription, subscriptionVerbs } from './subscribe.ts';
export { subscriptionById, subscriptionsByIds, subscriptionsOf, subscriptionsOfMany, type SubscriptionRow } from './store.ts';
export { subscriptionCounts } from './store-counts.ts';
