// Parts of late fees for pages of the signed-in.
export { LateFeeSettings } from './LateFeeSettings.tsx';
export { BillFees } from './BillFees.tsx';
export { AdminBillFees } from './AdminBillFees.tsx';
