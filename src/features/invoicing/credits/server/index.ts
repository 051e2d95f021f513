// The public API of credits: their routes.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { credits, creditsErrors } from '../contract.ts';
import { issueCredit, previewCredit } from './credit.ts';
import { adminCreditNotePdf, creditNoteCsv, creditNotePdf } from './documents.ts';
import { addBillNote, adminBillHistory, adminListCreditNotes, billHistory, listCreditNotes } from './read.ts';
import { previewReissue, previewVoid, reissueBill, voidBill } from './void.ts';

export const creditsFeature = feature({
  name: 'credits',
  contract: credits,
  errors: creditsErrors,
  verbs: {
    billHistory,
    listCreditNotes,
    creditNotePdf,
    creditNoteCsv,
    adminBillHistory,
    adminListCreditNotes,
    adminCreditNotePdf,
    previewCredit,
    issueCredit,
    previewVoid,
    voidBill,
    previewReissue,
    reissueBill,
    addBillNote,
  },
});

export { creditTerm } from './credit.ts';
export { balanceCredited } from './standing.ts';
export { creditPaper } from './documents.ts';
export { creditNoteById, linesOfNote } from './store.ts';
export { corrections } from './store-charges.ts';
export { addedByMinimums } from './store-minimums.ts';
