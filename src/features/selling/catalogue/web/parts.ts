// Parts and queries of the catalogue for other screens.
export { catalogueApi, catalogueKey, catalogueQueries } from './api.ts';
export { PriceSteps } from './PriceSteps.tsx';
export { CalculatorRows } from './CalculatorRows.tsx';
export { EstimateCharges } from './EstimateCharges.tsx';
export { estimateInputOf, isCounted, usualSamples, type SampleFields } from './samples.ts';
export { startingPrice } from '../rules-starting-price.ts';
