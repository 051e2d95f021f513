// The public API of late fees: their routes and job, functions for dunning, and the event handler for void
// bills.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { lateFees, lateFeesErrors } from '../contract.ts';
import { lateFeesJob } from './charge.ts';
import { adminBillLateFees, billLateFees } from './read.ts';
import { getLateFees, saveLateFees } from './settings.ts';
import { waiveLateFee } from './waive.ts';

export const lateFeesFeature = feature({
  name: 'latefees',
  contract: lateFees,
  errors: lateFeesErrors,
  verbs: { getLateFees, saveLateFees, billLateFees, adminBillLateFees, waiveLateFee },
  jobs: [lateFeesJob],
});

export { chargeLateFees, chargeSteps, takeBackOfVoid } from './charge.ts';
export { feesAhead } from './notices.ts';
