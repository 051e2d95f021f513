// Parts and query keys of billing for other screens.
export { billingKey, billingQueries } from './api.ts';
export { billTitleKeys } from './bill-titles.ts';
export { AmountDialog } from './AmountDialog.tsx';
export { AmountList } from './AmountList.tsx';
export { BillLines } from './BillLines.tsx';
export { BillStatus } from './BillStatus.tsx';
export { SubscriptionLines } from './SubscriptionLines.tsx';
export { BillsScreen, useBillsAhead } from './BillsScreen.tsx';
export { AdminBillingScreen } from './AdminBillingScreen.tsx';
