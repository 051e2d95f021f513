// Parts of late fees for pages of signed-in users.
export { LateFeeSettings } from './LateFeeSettings.tsx';
export { BillFees } from './BillFees.tsx';
export { AdminBillFees } from './AdminBillFees.tsx';
