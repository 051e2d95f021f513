// Payments' public API in the browser: its screens and its parts around a bill (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

export const loadAdminPaymentsScreen = () =>
  withTexts(import('./AdminPaymentsScreen.tsx'), 'payments').then((module) => module.AdminPaymentsScreen);
export const loadRecordWithholding = () =>
  withTexts(import('./WithholdingDialog.tsx'), 'payments').then((module) => module.RecordWithholding);
export const loadReturnedScreen = () =>
  withTexts(import('./ReturnedScreen.tsx'), 'payments').then((module) => module.ReturnedScreen);
/** The parts around a bill: the pay button, the balance, the payments so far. */
export const loadBillPayments = async () => {
  const [{ PayButton }, { PayConsolidatedButton }, { BalanceCard, useBalanceAhead }, { PaymentHistory }] =
    await withTexts(
      Promise.all([
        import('./PayButton.tsx'),
        import('./PayConsolidated.tsx'),
        import('./BalanceCard.tsx'),
        import('./PaymentHistory.tsx'),
      ]),
      'payments',
    );
  return { PayButton, PayConsolidatedButton, BalanceCard, useBalanceAhead, PaymentHistory };
};
