// EN 16931's public API on the server: its calls.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { en16931, en16931Errors } from '../contract.ts';
import { adminBillDocument, adminCreditNoteDocument, billDocument, creditNoteDocument } from './files.ts';

export const en16931Feature = feature({
  name: 'en16931',
  contract: en16931,
  errors: en16931Errors,
  verbs: { billDocument, creditNoteDocument, adminBillDocument, adminCreditNoteDocument },
});
