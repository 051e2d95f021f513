// Parts of subscriptions that the app combines with parts of other features.
export { CloudServicesScreen } from './CloudServicesScreen.tsx';
