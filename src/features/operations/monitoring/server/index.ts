// Monitoring's public API: its API calls.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { monitoring, monitoringErrors } from '../contract.ts';
import { listFaults, retryParked } from './store-unexpected-errors.ts';
import { monitoringOf } from './monitoring.ts';

/** `jobs` are all scheduled and queued jobs, `lanes` the kinds of messages that this console sends. */
export const monitoringFeature = (whole: Parameters<typeof monitoringOf>[0]) =>
  feature({
    name: 'monitoring',
    contract: monitoring,
    errors: monitoringErrors,
    verbs: { monitoring: monitoringOf(whole), listFaults, retryParked },
  });
