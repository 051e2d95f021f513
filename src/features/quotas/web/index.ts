// Quotas' door for the browser: the parts that other pages place (fetched when opened).

export const loadQuotaStates = () => import('./QuotaStates.tsx').then((module) => module.QuotaStates);
