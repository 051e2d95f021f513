// Quotas' door for the browser: the parts that other pages place (fetched when opened).

export const loadQuotaStates = () => import('./QuotaStates.tsx').then((module) => module.QuotaStates);
export const loadSubscriptionQuota = () => import('./SubscriptionQuota.tsx').then((module) => module.SubscriptionQuota);
