// Rules of rating: rate cards, the prices of their charges, and the aggregations of meters.
export { averageOf, percentileOf } from './rules-aggregate.ts';
export {
  asOneEvent,
  chargePriceMistake,
  dependsOnEvents,
  hasOtherPeriods,
  rateCardMistake,
  unknownDimension,
  usageOfEvents,
  usageOfQuantity,
  wrongTier,
} from './rules-card.ts';
export {
  chargePrice,
  excessOver,
  NoRateError,
  quantityCost,
  quantityPrice,
  rateFor,
  topUpTo,
  type ChargeUsage,
} from './rules-charge.ts';
export {
  blockOf,
  grownBlock,
  joinBlocks,
  neededEvents,
  paidGroupOf,
  type EventBlock,
  type Percentage,
} from './rules-percentage.ts';
export { quotedPrice } from './rules-quoted-price.ts';
export { priceOfSteps, priceStep, type Price } from './rules-price-steps.ts';
export {
  chargeDetails,
  chargeWords,
  isFreeQuantity,
  namesUnit,
  type ChargeWords,
  type QuantityPrice,
} from './rules-charge-texts.ts';
export { quantityPriceTexts, type QuantityPriceTexts } from './rules-quantity-texts.ts';
export { monthShare, namedPeriod, periodsIn } from './rules-cycles.ts';
export {
  chargeStepTexts,
  dimensionsText,
  isChargeStep,
  periodOfUnit,
  type RatingTextKey,
} from './rules-step-texts.ts';
