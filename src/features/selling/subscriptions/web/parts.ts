// Parts of subscriptions that the app combines with parts of other features.
export { subscriptionsApi, subscriptionsQueries } from './api.ts';
export { SubscriptionState } from './SubscriptionState.tsx';
export { CloudServicesScreen } from './CloudServicesScreen.tsx';
export { ServiceOverviewScreen } from './ServiceOverviewScreen.tsx';
