// Parts of payment plans for other screens.
export { BillPlan } from './BillPlan.tsx';
export { AdminBillPlan } from './AdminBillPlan.tsx';
