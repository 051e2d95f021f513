// Billing's door for the browser: its calls, its screens (fetched when opened), and a bill's state for other screens.
export { billingApi, billingKey, billingQueries } from './api.ts';
export { BillStatus } from './BillStatus.tsx';

export const loadAdminBillingScreen = () => import('./AdminBillingScreen.tsx').then((module) => module.AdminBillingScreen);
export const loadBillsScreen = () => import('./BillsScreen.tsx').then((module) => module.BillsScreen);
