// What other screens place of quotas.
export { SubscriptionQuota } from './SubscriptionQuota.tsx';
