// Quotas' door for the browser: its screen and the parts that other pages place (fetched when opened).

export const loadQuotaStates = () => import('./QuotaStates.tsx').then((module) => module.QuotaStates);
export const loadAdminRaisesScreen = () => import('./AdminRaisesScreen.tsx').then((module) => module.AdminRaisesScreen);
