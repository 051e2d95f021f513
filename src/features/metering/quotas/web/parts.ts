// Parts of quotas for other screens.
export { SubscriptionQuota, useQuotasAhead } from './SubscriptionQuota.tsx';
export { QuotaStates } from './QuotaStates.tsx';
