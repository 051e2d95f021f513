// Parts of rating for the screens that show calculations.
export { useChargeStepTexts } from './use-charge-step-texts.ts';
