// Parts of payments for other screens.
export { paymentsApi } from './api.ts';
export { TopUpButton } from './TopUpButton.tsx';
