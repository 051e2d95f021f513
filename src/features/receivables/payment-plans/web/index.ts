// Payment plans' public API in the browser: parts for the pages of bills (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

/** The plan of a customer's bill. */
export const loadBillPlan = () =>
  withTexts(import('./BillPlan.tsx'), 'plans').then((module) => module.BillPlan);
/** The plan of a bill for Admins, who agree on it, change it and cancel it. */
export const loadAdminBillPlan = () =>
  withTexts(import('./AdminBillPlan.tsx'), 'plans').then((module) => module.AdminBillPlan);
