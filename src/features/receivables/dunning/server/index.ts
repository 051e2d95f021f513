// The public API of dunning: its routes, its job, and the event handler that releases organizations.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { dunning, dunningErrors } from '../contract.ts';
import { dunningJob } from './dun.ts';
import { endExemption, exemptOrganization, extendBill, resumeOrganization } from './grant.ts';
import { getDunning, saveDunning, switchDunning } from './plan.ts';
import { billDunning, dunningStanding, listDunned, listExemptions } from './read.ts';
import { rehearseDunning } from './rehearse.ts';

export const dunningFeature = feature({
  name: 'dunning',
  contract: dunning,
  errors: dunningErrors,
  verbs: {
    dunningStanding,
    getDunning,
    saveDunning,
    switchDunning,
    rehearseDunning,
    listDunned,
    billDunning,
    extendBill,
    resumeOrganization,
    listExemptions,
    exemptOrganization,
    endExemption,
  },
  jobs: [dunningJob],
});

export { dun } from './dun.ts';
export { followPlan, releaseAfter } from './release.ts';
