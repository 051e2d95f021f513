// What other screens ask of the catalogue.
export { catalogueApi, catalogueKey, catalogueQueries } from './api.ts';
export { PriceSteps } from './PriceSteps.tsx';
