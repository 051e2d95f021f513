// Payments' door for the browser: its calls, its screens (fetched when opened), and what other screens place.
export { paymentsApi, paymentsKey, paymentsQueries } from './api.ts';
export { TopUpButton } from './TopUpButton.tsx';

export const loadAdminPaymentsScreen = () => import('./AdminPaymentsScreen.tsx').then((module) => module.AdminPaymentsScreen);
/** What stands around a bill: the button that pays it, the balance, the payments so far. */
export const loadBillPayments = async () => {
  const [{ PayButton }, { BalanceCard }, { PaymentHistory }] = await Promise.all([import('./PayButton.tsx'), import('./BalanceCard.tsx'), import('./PaymentHistory.tsx')]);
  return { PayButton, BalanceCard, PaymentHistory };
};
