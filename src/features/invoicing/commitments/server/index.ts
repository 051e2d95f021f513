// Commitments' public API: their API calls, and what bills draw.
import { feature, type Feature } from '#platform/server/unit-of-work/feature.ts';
import { commitments, commitmentsErrors } from '../contract.ts';
import { adminExportCommitments } from './export-commitments.ts';
import { endCommitment, makeCommitment, updateCommitment } from './make-commitment.ts';
import { estimateJob, hourlyJob, type PlannedDraw } from './outlooks.ts';
import { adminGetCommitment, adminListCommitments, ownCommitments } from './read.ts';

/** Creates the feature's server side; the app passes in what bills of open months will draw. */
export function commitmentsFeature({ plannedDraw }: { readonly plannedDraw: PlannedDraw }): Feature {
  return feature({
    name: 'commitments',
    contract: commitments,
    errors: commitmentsErrors,
    verbs: {
      adminListCommitments,
      adminExportCommitments,
      adminGetCommitment: adminGetCommitment(plannedDraw),
      makeCommitment: makeCommitment(plannedDraw),
      updateCommitment: updateCommitment(plannedDraw),
      endCommitment: endCommitment(plannedDraw),
      ownCommitments: ownCommitments(plannedDraw),
    },
    jobs: [estimateJob(plannedDraw), hourlyJob(plannedDraw)],
  });
}

export { makeCommitment } from './make-commitment.ts';
export { commitmentsOf, holdCommitments, recordDraws, releaseDraws } from './for-bills.ts';
export type { PlannedDraw } from './outlooks.ts';
