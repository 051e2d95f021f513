// What other screens place of payments.
export { paymentsKey } from './api.ts';
export { TopUpButton } from './TopUpButton.tsx';
