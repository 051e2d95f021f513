// What other screens place or refresh of billing.
export { billingKey } from './api.ts';
export { BillLines } from './BillLines.tsx';
export { BillStatus } from './BillStatus.tsx';
export { SubscriptionLines } from './SubscriptionLines.tsx';
