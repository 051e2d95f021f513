// The public API of quotas on the server: routes, the check after usage changed, and functions for other
// features.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { quotas, quotasErrors } from '../contract.ts';
import { adminListRaises, askRaise, declineRaise, grantRaise, listRaises, withdrawRaise } from './raises.ts';
import { entitlement, listQuotas } from './read.ts';
import { commitReservation, listReservations, releaseReservation, reserve } from './reservations.ts';
import { outlookJob } from './outlook.ts';
import { tidyReservationsJob } from './tidy.ts';

export const quotasFeature = feature({
  name: 'quotas',
  contract: quotas,
  errors: quotasErrors,
  verbs: {
    listQuotas,
    entitlement,
    reserve,
    listReservations,
    commitReservation,
    releaseReservation,
    askRaise,
    listRaises,
    withdrawRaise,
    adminListRaises,
    grantRaise,
    declineRaise,
  },
  jobs: [tidyReservationsJob, outlookJob],
});

export { checkQuota } from './check-quota.ts';
export { listQuotas, quotasNow } from './read.ts';
export { reservationAsked } from './reservations.ts';
export { criticalPercent, warningPercent } from './settings.ts';
