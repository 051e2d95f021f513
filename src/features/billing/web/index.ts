// Billing's door for the browser: its screens (fetched when opened).

export const loadAdminBillingScreen = () => import('./AdminBillingScreen.tsx').then((module) => module.AdminBillingScreen);
export const loadBillsScreen = () => import('./BillsScreen.tsx').then((module) => module.BillsScreen);
