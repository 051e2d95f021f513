// The public API of credit limits: their routes and jobs, and the event handlers that refuse new commitments
// and request checks.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { creditLimits, creditLimitsErrors } from '../contract.ts';
import { checkLimitsJob, sweepLimitsJob } from './check.ts';
import {
  adminCreditLimit,
  creditLimit,
  listCreditLimits,
  removeCreditLimit,
  setCreditLimit,
} from './limits.ts';

export const creditLimitsFeature = feature({
  name: 'creditlimits',
  contract: creditLimits,
  errors: creditLimitsErrors,
  verbs: { creditLimit, adminCreditLimit, listCreditLimits, setCreditLimit, removeCreditLimit },
  jobs: [checkLimitsJob, sweepLimitsJob],
});

export { askAfterIssue, askAfterLowered, askAfterMore, askAfterUsage } from './check.ts';
export { keepPausedAtLimit } from './planned-resumes.ts';
export { assertBelowLimit, assertWithinLimit, assertMayReserve } from './assert-limits.ts';
