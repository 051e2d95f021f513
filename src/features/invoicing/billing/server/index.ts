// Billing's public API: its routes, and functions for other features.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { billing, billingErrors } from '../contract.ts';
import { billCsv, billPdf, billsOfYear } from './documents.ts';
import { closeMonth, closeMonthJob } from './close-month.ts';
import { listCloseRuns, stopCloseRun } from './close-runs.ts';
import { consolidateJob } from './consolidate.ts';
import {
  adminGetConsolidatedBill,
  adminListConsolidatedBills,
  consolidatedBillCsv,
  consolidatedBillPdf,
  getConsolidatedBill,
  listConsolidatedBills,
} from './consolidated.ts';
import { coveredBillPdf, explainCoveredLine, getCoveredBill, listCoveredBills } from './covered.ts';
import { expireCreditJob } from './expire-credit.ts';
import { interimBillsJob } from './interim-bills.ts';
import { listInterimThresholds, removeInterimThreshold, setInterimThreshold } from './interim-thresholds.ts';
import { getPreview, previewClose } from './preview-close.ts';
import { recognizeRevenueJob } from './recognize-revenue.ts';
import { simulateBill } from './simulate-bill.ts';
import { billExports, type Corrections } from './export-bills.ts';
import { adminExplainLine, explainCurrentLine, explainLine } from './explain.ts';
import { adminGetBill, adminListBills, currentBill, getBill, listBills, subscriptionLines } from './read.ts';

/** `corrections`: reversals of bills, for the files of bills. */
export const billingFeature = ({ corrections }: { readonly corrections: Corrections }) =>
  feature({
    name: 'billing',
    contract: billing,
    errors: billingErrors,
    verbs: {
      listBills,
      currentBill,
      getBill,
      billsOfYear,
      billPdf,
      billCsv,
      explainLine,
      explainCurrentLine,
      listConsolidatedBills,
      getConsolidatedBill,
      consolidatedBillPdf,
      consolidatedBillCsv,
      adminListConsolidatedBills,
      adminGetConsolidatedBill,
      listCoveredBills,
      getCoveredBill,
      coveredBillPdf,
      explainCoveredLine,
      subscriptionLines,
      closeMonth,
      previewClose,
      getPreview,
      simulateBill,
      stopCloseRun,
      listCloseRuns,
      listInterimThresholds,
      setInterimThreshold,
      removeInterimThreshold,
      adminListBills,
      adminGetBill,
      adminExplainLine,
      ...billExports(corrections),
    },
    jobs: [closeMonthJob, consolidateJob, expireCreditJob, interimBillsJob, recognizeRevenueJob],
    // A close commits chunk by chunk, and so does its preview.
    ownUnitOfWork: ['closeMonth', 'previewClose'],
  });

export { chargeTable, focusTable, type Corrections, type CorrectionsFilter } from './export-bills.ts';
export { billedUsage } from './store-billed-usage.ts';
export { runClose } from './close-month.ts';
export { billPaper } from './documents.ts';
export { sellerOf } from './letterhead.ts';
export { billsIssued, type IssuedBill } from './new-bill.ts';
export { recordLateUsage } from './late-usage.ts';
export { refuseTimeZone } from './time-zones.ts';
export { billLineOf, currentBill, listBills } from './read.ts';
export { holdMonth, issueAgain, planReissue } from './reissue.ts';
export { dueDays, graceHours, mainCurrency, seller } from './settings.ts';
export {
  addCredited,
  addPaid,
  addPaidToMany,
  billsLowered,
  markVoid,
  type LoweredBills,
} from './lower-bill.ts';
export {
  billById,
  billedTotals,
  storeProcessing,
  takePaidBack,
  linesOfBill,
  type StoredLine,
} from './store.ts';
export { billedMonths, holdMonths, holdMonthsSince, lastClosedMonths } from './store-closed-months.ts';
export {
  dropParts,
  dueByNow,
  isInParts,
  laterOf,
  nextPart,
  partsOf,
  storeParts,
} from './store-instalments.ts';
export { lockConsolidated, lockPayable, type PayableBill } from './store-payable.ts';
export { drawsOfBill, feeShare, momentText, named as namedCharges, type ChargeRow } from './store-export.ts';
export { letterheadOf } from './store-letterheads.ts';
export { askInterimBills, issueInterimBills } from './interim-bills.ts';
export { deductedBy } from './store-interims.ts';
export { amountsIn } from './store-amounts.ts';
export { checkAmountToSet } from './checked-amount.ts';
export { askConsolidation, consolidateBills, toBeConsolidated } from './consolidate.ts';
export { consolidatedById, consolidatedOfBills } from './store-consolidated.ts';
export { dueChangesOf } from './store-due-history.ts';
export { billOneOff } from './bill-one-off.ts';
export { issueUnbilledLate, unbilledLate } from './unbilled-late.ts';
export { closedFor } from './store-late.ts';
export { usedBy } from './store-used-by.ts';
export { plannedFees } from './planned-fees.ts';
export { plannedCreditUse, plannedDraw, unbilledOf } from './planned-terms.ts';
export { deferredByMonth, insertParts, openParts } from './store-deferral.ts';
export { reduceMonth } from './reduce-month.ts';
export { prepaidUsed, releaseTerms } from './terms.ts';
export { type Party } from './bill-document.ts';
export { newestLayout } from './document-layout.ts';
export { lineName, quantityWords, stepSentences, unitPriceWords, type PricedLine } from './bill-words.ts';
export { planRetail } from './retail-bills.ts';
export { planRunningMonth } from './plan-month.ts';
export { retailPaper } from './retail-document.ts';
export { retailCreditPaper } from './retail-credit-document.ts';
export { insertRetailCredit, lockCredited, retailCredits } from './store-retail-credits.ts';
export { linesOfRetail, notePaid, pageOfRetail, retailById } from './store-retail.ts';
