// The public API of automatic top-ups: their routes and job, and the event handlers for declines and new
// default cards.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { topups, topupsErrors } from '../contract.ts';
import { topUpJob } from './charge-due.ts';
import {
  adminEndTopUp,
  adminListTopUps,
  automaticTopUps,
  endAutomaticTopUp,
  setAutomaticTopUp,
} from './set.ts';

export const topUpsFeature = feature({
  name: 'topups',
  contract: topups,
  errors: topupsErrors,
  verbs: { automaticTopUps, setAutomaticTopUp, endAutomaticTopUp, adminListTopUps, adminEndTopUp },
  jobs: [topUpJob],
});

export { stopAfterDispute, stopAfterFailure, topUpBalances } from './charge-due.ts';
export { resumeAfterCard } from './set.ts';
