// Parts of rating for the screens that show calculations.
export { useChargeWords } from './charge-words.ts';
export { useQuantityPriceTexts } from './quantity-price-texts.ts';
export { useChargeName } from './use-charge-name.ts';
export { useChargeStepTexts } from './use-charge-step-texts.ts';
export { useChargeDetails } from './charge-details.ts';
