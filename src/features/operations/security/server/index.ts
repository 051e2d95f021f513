// Security's public API: its API calls.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { security, securityErrors } from '../contract.ts';
import { endOpenSession, letTryAgain } from './admin-actions.ts';
import { listOpenSessions, listRefused } from './store-lists.ts';
import { securityState } from './security-state.ts';

export const securityFeature = feature({
  name: 'security',
  contract: security,
  errors: securityErrors,
  verbs: { securityState, listRefused, listOpenSessions, endOpenSession, letTryAgain },
});
