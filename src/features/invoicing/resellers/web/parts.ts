// Parts of resellers for other screens.
export { useSeller, type Seller } from './use-seller.ts';
