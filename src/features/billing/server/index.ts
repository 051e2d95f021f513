// Billing's door: its calls, and what other columns may ask of it.
import { feature } from '#platform/server/feature.ts';
import { billing, billingErrors } from '../contract.ts';
import { billCsv, billPdf } from './documents.ts';
import { closeMonth, closeMonthJob, listCloseRuns } from './close-month.ts';
import { adminGetBill, adminListBills, currentBill, explainLine, getBill, listBills, subscriptionLines } from './read.ts';

export const billingFeature = feature({
  name: 'billing',
  contract: billing,
  errors: billingErrors,
  verbs: { listBills, currentBill, getBill, billPdf, billCsv, explainLine, subscriptionLines, closeMonth, listCloseRuns, adminListBills, adminGetBill },
  jobs: [closeMonthJob],
  // A close commits chunk by chunk.
  ownWork: ['closeMonth'],
});

export { billsIssued, type IssuedBill } from './close-month.ts';
export { noteLateUsage } from './late-usage.ts';
export { currentBill, listBills } from './read.ts';
export { dueDays, graceHours, mainCurrency, taxRate } from './settings.ts';
export { addPaid, billById, billedTotals } from './store.ts';
