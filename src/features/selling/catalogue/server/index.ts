// The public API of the catalogue: routes, and functions for other features.
import { feature, type Feature } from '#platform/server/unit-of-work/feature.ts';
import { ratingErrors } from '#features/selling/rating/contract.ts';
import { catalogue, catalogueErrors } from '../contract.ts';
import { batchImpactWith, batchServicesWith, countOfFilter, deleteService } from './batch.ts';
import { applyCatalogue, exportCatalogue, planCatalogue } from './catalogue-file.ts';
import { createService, updateService } from './change-service.ts';
import { exportServices } from './export-services.ts';
import { importServices } from './import-services.ts';
import { listInterests, showInterest, withdrawInterest } from './interest.ts';
import { addOverride, endOverride, listOverrides, listPrices, withdrawPrice } from './prices.ts';
import { previewPricing } from './preview-pricing.ts';
import type { ServiceUse } from './service-use.ts';
import { adminServices, estimate, getService, listServices, serviceTabs, serviceTypes } from './services.ts';

/** Creates the feature's server side; the app passes in how services are used. */
export function catalogueFeature(use: ServiceUse): Feature {
  return feature({
    name: 'catalogue',
    contract: catalogue,
    errors: { ...catalogueErrors, ...ratingErrors },
    verbs: {
      listServices,
      getService,
      estimate,
      serviceTabs,
      serviceTypes,
      listInterests,
      showInterest,
      withdrawInterest,
      ...adminServices(use),
      createService,
      updateService,
      countServices: countOfFilter,
      batchImpact: batchImpactWith(use),
      exportCatalogue,
      planCatalogue,
      applyCatalogue,
      batchServices: batchServicesWith(use),
      deleteService,
      previewPricing,
      exportServices,
      importServices,
      listPrices,
      withdrawPrice,
      listOverrides,
      addOverride,
      endOverride,
    },
  });
}

export { addService, createService, prepaidRequirementChanged, withDefaults } from './change-service.ts';
export { chargesOf, estimateFor } from '../rules-estimate.ts';
export { importedServices } from './store-imported.ts';
export { serviceById, servicesMap } from './find-service.ts';
export { estimate, getService } from './services.ts';
export { assertChargeable, assertSameCurrency } from './price-checks.ts';
export { assertMeters } from './rate-cards.ts';
export { pricesFor, type PriceBasis } from './retail-prices.ts';
export { hasPercentages, priceKey, priceVersionsByIds, type PriceVersion } from './store-prices.ts';
export { addOnsOfFamily, servicesByIds, servicesOfFamily } from './store.ts';
export { exportCatalogue } from './catalogue-file.ts';
