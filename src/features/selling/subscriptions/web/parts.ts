// Parts of subscriptions that the app combines with parts of other features.
export { subscriptionsQueries } from './api.ts';
export { CloudServicesScreen } from './CloudServicesScreen.tsx';
