// Parts of collection for other screens.
export { CardsContent, PaymentCards } from './PaymentCards.tsx';
export { AdminBillCollection, BillCollection } from './BillCollection.tsx';
