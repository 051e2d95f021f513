// Parts of payments for other screens.
export { usePayment } from './use-payment.ts';
export { paymentsApi } from './api.ts';
export { TopUpButton } from './TopUpButton.tsx';
export { PayButton } from './PayButton.tsx';
export { PayConsolidatedButton } from './PayConsolidated.tsx';
export { BalanceCard, useBalanceAhead } from './BalanceCard.tsx';
export { PaymentHistory } from './PaymentHistory.tsx';
export { RecordWithholding } from './WithholdingDialog.tsx';
