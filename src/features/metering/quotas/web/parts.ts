// Parts of quotas for other screens.
export { SubscriptionQuota } from './SubscriptionQuota.tsx';
