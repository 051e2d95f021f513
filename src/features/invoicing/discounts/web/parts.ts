// Parts of discounts for other screens.
export { OwnDiscounts } from './OwnDiscounts.tsx';
export { PromoCode } from './PromoCode.tsx';
