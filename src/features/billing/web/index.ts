// Billing's door for the browser: its calls and its screens (fetched when opened).
export { billingApi, billingKey, billingQueries } from './api.ts';

export const loadAdminBillingScreen = () => import('./AdminBillingScreen.tsx').then((module) => module.AdminBillingScreen);
