// The public API of e-invoices: their routes, the job that issues and sends them, and the handlers of events
// of bills.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { einvoices, einvoicesErrors } from '../contract.ts';
import { changeBuyer, getEinvoicePreference, saveBillBuyer, saveEinvoicePreference } from './buyers.ts';
import {
  coverBill,
  markEinvoiceUploaded,
  retryEinvoice,
  settleAllowance,
  voidAllowance,
  voidEinvoice,
} from './correct.ts';
import { periodCsv, periodSummary, reportUnused } from './periods.ts';
import {
  adminBillEinvoices,
  adminGetEinvoice,
  adminListEinvoices,
  billEinvoices,
  exportEinvoices,
  listEinvoices,
} from './read.ts';
import { adminEinvoiceProof, einvoiceProof } from './proofs.ts';
import { einvoicesJob } from './run.ts';
import {
  checkEinvoiceProvider,
  getEinvoiceSettings,
  saveEinvoiceSettings,
  type CreateProvider,
} from './settings.ts';
import { addTrack, listTracks, removeTrack } from './tracks.ts';

/** `createProvider` creates the connection to the Ministry that the settings select. */
export const einvoicesFeature = ({ createProvider }: { readonly createProvider: CreateProvider }) =>
  feature({
    name: 'einvoices',
    contract: einvoices,
    errors: einvoicesErrors,
    verbs: {
      listEinvoices,
      billEinvoices,
      saveBillBuyer,
      einvoiceProof,
      getEinvoicePreference,
      saveEinvoicePreference,
      adminListEinvoices,
      exportEinvoices,
      adminGetEinvoice,
      adminEinvoiceProof,
      adminBillEinvoices,
      coverBill,
      retryEinvoice,
      markEinvoiceUploaded,
      changeBuyer,
      voidEinvoice,
      voidAllowance,
      settleAllowance,
      listTracks,
      addTrack,
      removeTrack,
      periodSummary,
      periodCsv,
      reportUnused: reportUnused(createProvider),
      getEinvoiceSettings,
      saveEinvoiceSettings,
      checkEinvoiceProvider: checkEinvoiceProvider(createProvider),
    },
    jobs: [einvoicesJob(createProvider)],
    // They call the provider, and no transaction may be open during the call.
    ownUnitOfWork: ['checkEinvoiceProvider', 'reportUnused'],
  });

export { coverIssued, queueLowered } from './plan.ts';
export { runEinvoices } from './run.ts';
export { createEInvoiceProvider } from './providers/index.ts';
