// Parts of EN 16931 for other screens.
export { BillDocuments, CreditNoteDocuments } from './BillDocuments.tsx';
