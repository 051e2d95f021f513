// Payments' door for the browser: its screens and what stands around a bill (fetched when opened).

export const loadAdminPaymentsScreen = () => import('./AdminPaymentsScreen.tsx').then((module) => module.AdminPaymentsScreen);
/** What stands around a bill: the button that pays it, the balance, the payments so far. */
export const loadBillPayments = async () => {
  const [{ PayButton }, { BalanceCard }, { PaymentHistory }] = await Promise.all([import('./PayButton.tsx'), import('./BalanceCard.tsx'), import('./PaymentHistory.tsx')]);
  return { PayButton, BalanceCard, PaymentHistory };
};
