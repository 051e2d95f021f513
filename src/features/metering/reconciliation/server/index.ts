// The public API of reconciliation on the server.
import { feature, type Feature } from '#platform/server/unit-of-work/feature.ts';
import { reconciliation, reconciliationErrors } from '../contract.ts';
import {
  endFinding,
  getFinding,
  getReconciliation,
  heedFinding,
  ignoreFinding,
  listFindings,
  listIgnored,
  listReconciled,
  listReconciliations,
  setReconciliation,
  startReconciliation,
  subscribeFindingWith,
  type ReconciliationUse,
} from './decide.ts';
import { reconciliationJobs } from './jobs.ts';

/**
 * Creates the feature; the app passes in the check that a start in the past does not lie in a closed month.
 */
export const reconciliationFeature = (use: ReconciliationUse): Feature =>
  feature({
    name: 'reconciliation',
    contract: reconciliation,
    errors: reconciliationErrors,
    verbs: {
      getReconciliation,
      listFindings,
      getFinding,
      startReconciliation,
      listReconciliations,
      subscribeFinding: subscribeFindingWith(use),
      endFinding,
      ignoreFinding,
      heedFinding,
      listIgnored,
      listReconciled,
      setReconciliation,
    },
    jobs: reconciliationJobs,
  });

export { addReconciliationMetrics } from './metrics.ts';
export { findingTotals } from './store-findings.ts';
