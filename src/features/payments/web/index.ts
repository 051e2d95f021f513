// Payments' door for the browser: its calls and its screens (fetched when opened).
export { paymentsApi, paymentsKey, paymentsQueries } from './api.ts';

export const loadAdminPaymentsScreen = () => import('./AdminPaymentsScreen.tsx').then((module) => module.AdminPaymentsScreen);
