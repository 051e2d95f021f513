// Parts of payments for other screens.
export { usePayment } from './use-payment.ts';
export { paymentsApi } from './api.ts';
export { TopUpButton } from './TopUpButton.tsx';
