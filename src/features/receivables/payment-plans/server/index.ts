// The public API of payment plans: their routes and job, and the event handler that ends plans with their
// bills.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { plans, plansErrors } from '../contract.ts';
import { agreePlan, cancelPlan, changePlan } from './agree.ts';
import { adminBillPlan, billPlan } from './read.ts';
import { watchJob } from './watch.ts';

export const paymentPlansFeature = feature({
  name: 'plans',
  contract: plans,
  errors: plansErrors,
  verbs: { billPlan, adminBillPlan, agreePlan, changePlan, cancelPlan },
  jobs: [watchJob],
});

export { plansChanged, settlePlans } from './agree.ts';
export { planSpansOf } from './store.ts';
export { watchPlans } from './watch.ts';
