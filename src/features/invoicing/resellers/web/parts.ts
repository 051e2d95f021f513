// Parts of resellers for other screens.
export { useSeller, type Seller } from './use-seller.ts';
export { BillsBySeller, ResellerLink } from './RetailBills.tsx';
export { AdminResellers } from './AdminResellers.tsx';
