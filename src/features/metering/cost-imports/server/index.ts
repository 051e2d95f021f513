// The public API of cost imports on the server: routes and jobs.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import type { PayingUse } from '#features/metering/connectors/server/index.ts';
import { costImports, costImportsErrors } from '../contract.ts';
import {
  applyCostImport,
  cancelCostImport,
  listCostImports,
  previewCosts,
  retryCostImport,
  uploadCostFile,
} from './imports.ts';
import { costImportsJobs } from './jobs.ts';
import { marginVerbs, type BilledUsage } from './margin.ts';
import {
  assignCostWith,
  createCostSource,
  deleteCostSource,
  getCostSource,
  listCostSources,
  pullCostSource,
  sellCostPeriod,
  setCostRate,
  updateCostSource,
} from './sources.ts';
import { createResoldCloud } from './template.ts';

/**
 * `billedUsage`: the usage on issued bills, for the margin. `holdMonthsSince`: the check for closed months,
 * in which a subscription created here must not start.
 */
export const costImportsFeature = (use: { readonly billedUsage: BilledUsage } & PayingUse) =>
  feature({
    name: 'costs',
    contract: costImports,
    errors: costImportsErrors,
    verbs: {
      listCostSources,
      getCostSource,
      createCostSource,
      updateCostSource,
      assignCost: assignCostWith(use),
      deleteCostSource,
      pullCostSource,
      uploadCostFile,
      listCostImports,
      applyCostImport,
      cancelCostImport,
      retryCostImport,
      previewCosts,
      sellCostPeriod,
      setCostRate,
      createResoldCloud,
      ...marginVerbs(use),
    },
    jobs: costImportsJobs,
    // The file is stored before the transaction that references it.
    ownUnitOfWork: ['uploadCostFile'],
  });
