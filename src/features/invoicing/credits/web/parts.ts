// Parts of credits for other screens.
export { BillStory } from './BillStory.tsx';
export { OwnCreditNotes } from './OwnCreditNotes.tsx';
export { BillCorrections } from './BillCorrections.tsx';
export { CreditNotes } from './CreditNotes.tsx';
