// Credits' public API in the browser: what stands on a bill, and the lists (fetched when opened).
import { withTexts } from '#platform/web/i18n/i18n.ts';

/** What an Admin does to a bill, and everybody's credit notes. */
export const loadBillCorrections = async () => {
  const [{ BillCorrections }, { CreditNotes }] = await withTexts(
    Promise.all([import('./BillCorrections.tsx'), import('./CreditNotes.tsx')]),
    'credits',
  );
  return { BillCorrections, CreditNotes };
};
/** What became of an own bill, and the own credit notes. */
export const loadBillStory = async () => {
  const [{ BillStory }, { OwnCreditNotes }] = await withTexts(
    Promise.all([import('./BillStory.tsx'), import('./OwnCreditNotes.tsx')]),
    'credits',
  );
  return { BillStory, OwnCreditNotes };
};
