// The public API of approvals: their calls, what keeps calls waiting, and the event that one waits.
import { feature, type Feature } from '#platform/server/unit-of-work/feature.ts';
import { approvals, approvalsErrors } from '../contract.ts';
import type { Console } from './choices.ts';
import { approveOf, reject, takeSecrets, withdrawApproval } from './decide.ts';
import { approvalsJob } from './jobs.ts';
import { getApproval, listApprovals } from './read.ts';
import { readSettings, saveSettings } from './settings.ts';

/** Makes the calls. `console` is what the app knows of the calls that can be chosen. */
export function approvalsFeature(console: Console): Feature {
  return feature({
    name: 'approvals',
    contract: approvals,
    errors: approvalsErrors,
    verbs: {
      getApprovalSettings: (ctx) => readSettings(ctx, console.choices),
      setApprovals: (ctx, input) => saveSettings(ctx, console.choices, input),
      listApprovals,
      getApproval,
      approve: approveOf(console),
      reject,
      withdrawApproval,
      takeSecrets,
    },
    jobs: [approvalsJob(console)],
    // Agreeing is one commit, and what was agreed to another.
    ownUnitOfWork: ['approve'],
  });
}

export type { Choices, Console } from './choices.ts';
export { countToDecide } from './read.ts';
export { forgetApprovals, openedApprovals } from './erase.ts';
export { approvalAsked, holdsOf, type ApprovalAsked } from './keep.ts';
