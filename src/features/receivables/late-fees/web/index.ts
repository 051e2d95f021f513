// Late fees' public API in the browser: parts for the pages of bills (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

/** The late fees of a customer's bill. */
export const loadBillFees = () =>
  withTexts(import('./BillFees.tsx'), 'latefees').then((module) => module.BillFees);
/** The late fees of a bill for Admins, who waive them. */
export const loadAdminBillFees = () =>
  withTexts(import('./AdminBillFees.tsx'), 'latefees').then((module) => module.AdminBillFees);
