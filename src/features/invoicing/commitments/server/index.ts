// The public API of commitments: their routes, and the draws of bills.
import { feature, type Feature } from '#platform/server/unit-of-work/feature.ts';
import { commitments, commitmentsErrors } from '../contract.ts';
import { adminExportCommitments } from './export-commitments.ts';
import { endCommitment, makeCommitment, updateCommitment } from './make-commitment.ts';
import { estimateJob, hourlyJob, type BillsAhead } from './outlooks.ts';
import { adminGetCommitment, adminListCommitments, ownCommitments } from './read.ts';

/** Creates the feature's server side; the app passes in the functions it needs from billing. */
export function commitmentsFeature(bills: BillsAhead): Feature {
  return feature({
    name: 'commitments',
    contract: commitments,
    errors: commitmentsErrors,
    verbs: {
      adminListCommitments: adminListCommitments(bills),
      adminExportCommitments,
      adminGetCommitment: adminGetCommitment(bills),
      makeCommitment: makeCommitment(bills),
      updateCommitment: updateCommitment(bills),
      endCommitment: endCommitment(bills),
      ownCommitments: ownCommitments(bills),
    },
    jobs: [estimateJob(bills), hourlyJob(bills)],
  });
}

export { makeCommitment } from './make-commitment.ts';
export { commitmentsOf, holdCommitments, recordDraws, releaseDraws } from './for-bills.ts';
export { ratesOf, splitsOfBill, type SplitLine } from './store-uses.ts';
export type { BillsAhead } from './outlooks.ts';
