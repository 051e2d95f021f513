// The catalogue's door: its calls, and what other columns may ask of it.
import { feature } from '#platform/server/feature.ts';
import { catalogue, catalogueErrors } from '../contract.ts';
import { adminGetService, adminListServices, batchServices, createService, deleteService, estimate, getService, listServices, previewPricing, serviceTypes, updateService } from './services.ts';

export const catalogueFeature = feature({
  name: 'catalogue',
  contract: catalogue,
  errors: catalogueErrors,
  verbs: { listServices, getService, estimate, serviceTypes, adminListServices, adminGetService, createService, updateService, batchServices, deleteService, previewPricing },
});

export { addService, serviceById, servicesMap } from './services.ts';
export { priceKey, pricesFor, priceVersionById, servicesOfFamily, type PriceVersion } from './store.ts';
