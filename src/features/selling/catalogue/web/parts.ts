// Parts and queries of the catalogue for other screens.
export { catalogueApi, catalogueKey, catalogueQueries } from './api.ts';
export { PriceSteps } from './PriceSteps.tsx';
