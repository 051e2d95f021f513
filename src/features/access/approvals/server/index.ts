// The public API of approvals: their calls, the hook that holds calls, and the event for a waiting request.
import { feature, type Feature } from '#platform/server/unit-of-work/feature.ts';
import { approvals, approvalsErrors } from '../contract.ts';
import type { Console } from './choices.ts';
import { approveOf, rejectOf, takeSecrets, withdrawApprovalOf } from './decide.ts';
import { approvalsJob } from './jobs.ts';
import { getApprovalOf, listApprovals } from './read.ts';
import { readSettings, saveSettings } from './settings.ts';

/** Creates the feature. `console` describes the calls that can require approval. */
export function approvalsFeature(console: Console): Feature {
  return feature({
    name: 'approvals',
    contract: approvals,
    errors: approvalsErrors,
    verbs: {
      getApprovalSettings: (ctx) => readSettings(ctx, console.choices),
      setApprovals: (ctx, input) => saveSettings(ctx, console.choices, input),
      listApprovals,
      getApproval: getApprovalOf(console),
      approve: approveOf(console),
      reject: rejectOf(console),
      withdrawApproval: withdrawApprovalOf(console),
      takeSecrets,
    },
    jobs: [approvalsJob(console)],
    // The approval is committed on its own, before the approved call runs.
    ownUnitOfWork: ['approve'],
  });
}

export type { Choice, Choices, Console } from './choices.ts';
export { countToDecide } from './read.ts';
export { forgetApprovals, openedApprovals } from './erase.ts';
export { approvalAsked, holdsOf, type ApprovalAsked } from './hold-call.ts';
