// The public API of budgets on the server: their routes, and the handler that enqueues their checks.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { budgets, budgetsErrors } from '../contract.ts';
import { createBudget, deleteBudget, listBudgets, updateBudget } from './budgets.ts';
import { checkBudgetsJob, sweepBudgetsJob } from './check-budgets.ts';

export const budgetsFeature = feature({
  name: 'budgets',
  contract: budgets,
  errors: budgetsErrors,
  verbs: { listBudgets, createBudget, updateBudget, deleteBudget },
  jobs: [checkBudgetsJob, sweepBudgetsJob],
});

export { askChecks } from './check-budgets.ts';
