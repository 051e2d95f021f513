// Credits' public API in the browser: the parts on a bill, and the lists (loaded when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

/** An Admin's actions on a bill, and the credit notes of all organizations. */
export const loadBillCorrections = async () => {
  const [{ BillCorrections }, { CreditNotes }] = await withTexts(
    Promise.all([import('./BillCorrections.tsx'), import('./CreditNotes.tsx')]),
    'credits',
  );
  return { BillCorrections, CreditNotes };
};
/** The history of one of the organization's bills, and its credit notes. */
export const loadBillStory = async () => {
  const [{ BillStory }, { OwnCreditNotes }] = await withTexts(
    Promise.all([import('./BillStory.tsx'), import('./OwnCreditNotes.tsx')]),
    'credits',
  );
  return { BillStory, OwnCreditNotes };
};
