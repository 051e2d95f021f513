// The public API of connectors on the server: API calls, jobs and metrics.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { connectors, connectorsErrors } from '../contract.ts';
import {
  assignResource,
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
import { checkConnector, dryRunConnector, tryConnector } from './try-source.ts';

export const connectorsFeature = feature({
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
    assignResource,
  },
  jobs: connectorsJobs,
  // They ask the source, which must not happen inside a transaction.
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
export { addConnectorMetrics } from './metrics.ts';
export { SourceFailure, type InventoryItem } from './source.ts';
export { failingConnectors } from './store.ts';
