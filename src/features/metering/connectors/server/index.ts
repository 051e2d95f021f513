// The public API of connectors on the server: routes, jobs and metrics.
import { feature, type Feature } from '#platform/server/unit-of-work/feature.ts';
import { connectors, connectorsErrors } from '../contract.ts';
import {
  assignResourceWith,
  backfillConnector,
  createConnector,
  deleteConnector,
  getConnector,
  listConnectors,
  listPayers,
  listPulls,
  listResources,
  pauseConnector,
  pullConnector,
  resumeConnector,
  updateConnector,
} from './connectors.ts';
import { connectorsJobs } from './jobs.ts';
import type { PayingUse } from './paying.ts';
import { checkConnector, dryRunConnector, tryConnector } from './try-source.ts';

/**
 * Creates the feature; the app passes in the check for closed months, in which a subscription created here
 * must not start.
 */
export const connectorsFeature = (use: PayingUse): Feature =>
  feature({
    name: 'connectors',
    contract: connectors,
    errors: connectorsErrors,
    verbs: {
      listConnectors,
      getConnector,
      createConnector,
      updateConnector,
      pauseConnector,
      resumeConnector,
      deleteConnector,
      checkConnector,
      dryRunConnector,
      tryConnector,
      pullConnector,
      backfillConnector,
      listPulls,
      listResources,
      listPayers,
      assignResource: assignResourceWith(use),
    },
    jobs: connectorsJobs,
    // They query the source, which must not happen inside a transaction.
    ownUnitOfWork: ['checkConnector', 'dryRunConnector', 'tryConnector'],
  });

export {
  giveResource,
  kindsOf,
  ownersOf,
  reconciledConnectors,
  sizeIn,
  takeInventory,
  usageOfFields,
  type ReconciledConnector,
} from './inventory.ts';
export { expressionIssue } from './evaluate.ts';
export { payingSubscription, type PayingUse } from './paying.ts';
export { sealedCredentials } from './sealed-credentials.ts';
export { addConnectorMetrics } from './metrics.ts';
export { SourceFailure, type InventoryItem } from './source.ts';
export { failingConnectors } from './store.ts';
